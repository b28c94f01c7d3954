// Package prose is the room of tools for text and markup: Markdown, HTML, spelling and style, a
// file a tool.
package prose

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
