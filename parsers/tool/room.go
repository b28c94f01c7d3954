package tool

import "fmt"

// Room is what the files of one folder declare. A file adds its tools with a
// package-level variable, so that whoever adds a tool touches no other file:
//
//	var _ = Room.Add(&tool.Parser{…})
type Room struct{ parsers []*Parser }

// Add adds a tool. Two of one name are a mistake of the program.
func (r *Room) Add(p *Parser) bool {
	for _, q := range r.parsers {
		if q.Tool == p.Tool {
			panic(fmt.Sprintf("parsers: two parsers for tool %q", p.Tool))
		}
	}
	r.parsers = append(r.parsers, p)
	return true
}

// Parsers are the tools of the room, in the order of its files.
func (r *Room) Parsers() []*Parser { return r.parsers }
