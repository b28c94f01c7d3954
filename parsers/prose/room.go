// Package prose holds the tools for text and markup, one file for each: Markdown, HTML, TeX, spelling and style.
package prose

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
