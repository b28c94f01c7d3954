// Package security declares the tools that search for vulnerabilities and secrets, most with one file each.
package security

import "cairn/parsers/tool"

// Room holds the tools that are declared in this folder.
var Room tool.Room
