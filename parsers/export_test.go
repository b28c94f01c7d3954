package parsers

import "cairn/parsers/internal/engine"

// NewWith is New with the parsers of a table.
func NewWith(t *engine.Table, in Input) *Session {
	return begin(func() *engine.Table { return t }, in)
}
