package tool

import (
	"fmt"
	"sync"
)

// Room is what the files of one folder declare. A file adds its tools with a
// package-level variable, so that whoever adds a tool touches no other file:
//
//	var _ = Room.Add(func() *tool.Parser {
//		return &tool.Parser{…}
//	})
//
// It adds a function, and not a value, since declarations are made whenever the
// program starts: three hundred tools are half a millisecond of a process that
// prints its version.
type Room struct {
	declared []func() *Parser
	once     sync.Once
	parsers  []*Parser
}

// Add adds a tool. It is not inlined: three hundred copies of it are 50 KB of code that
// every start of the program would have to read once.
//
//go:noinline
func (r *Room) Add(declare func() *Parser) bool {
	if r.declared == nil {
		r.declared = make([]func() *Parser, 0, someTools)
	}
	r.declared = append(r.declared, declare)
	return true
}

// someTools is how many tools most rooms have at most.
const someTools = 32

// Parsers are the tools of the room, in the order of its files. Two of one name are a
// mistake of the program.
func (r *Room) Parsers() []*Parser {
	r.once.Do(func() {
		names := map[string]bool{}
		for _, declare := range r.declared {
			p := declare()
			if names[p.Tool] {
				panic(fmt.Sprintf("parsers: two parsers for tool %q", p.Tool))
			}
			names[p.Tool] = true
			r.parsers = append(r.parsers, p)
		}
	})
	return r.parsers
}
