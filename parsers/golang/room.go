// Package golang understands the go command: go test, build, vet and the others, gotestsum, and what libraries of
// assertions print in a test. They are one room because each of them shows the compiler's errors.
package golang

import "cairn/parsers/tool"

// Room holds the parsers that this folder declares.
var Room tool.Room
