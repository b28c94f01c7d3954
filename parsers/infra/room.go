// Package infra is the room of tools for infrastructure: terraform, kubectl, helm, ansible,
// docker and the linters of their files, a file a tool.
package infra

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
