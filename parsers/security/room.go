// Package security is the room of tools that look for vulnerabilities and secrets, a file a tool.
package security

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
