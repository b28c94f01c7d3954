package casetest

import (
	"cairn/parsers/internal/engine"
	"cairn/parsers/tool"
	"cairn/result"
)

var known *engine.Table

// Use sets the parsers that the tests of a package parse with.
func Use(all []*tool.Parser) { known = engine.TableOf(all) }

// ParseKnown parses an input with the parsers that Use set.
func ParseKnown(in tool.Input, exit result.Exit) *result.ToolResult {
	s := engine.New(known, in)
	s.Scan()
	return s.Result(exit)
}
