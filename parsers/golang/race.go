package golang

import (
	"strings"

	"cairn/result"
)

// goRace is one report of the race detector: the accesses that met, and where their goroutines came from.
//
//	==================
//	WARNING: DATA RACE
//	Write at 0x00c000018328 by goroutine 12:
//	  example.com/m.(*C).Inc()
//	      /src/m/c.go:5 +0x47
//
//	Previous read at 0x00c000018328 by goroutine 11:
//	…
//	Goroutine 12 (running) created at:
//	…
//	==================
type goRace struct {
	what   []string // of each stack: "write", "previous read"; "goroutine" for the stack where one was created
	stacks goTrace
	closed bool
}

// raceStack is where the memory was read or written.
type raceStack struct {
	what   string
	frames []result.Location
}

const (
	maxRaceStacks = 16 // the detector prints four at most

	raceRule  = "=================="
	raceTitle = "WARNING: DATA RACE"
)

// line adds a line of the report and says whether the line belonged to it.
func (r *goRace) line(s string) bool {
	switch {
	case s == raceRule:
		r.closed = true
	case strings.HasPrefix(s, "  ") && !r.stacks.real():
	case strings.HasPrefix(s, "      "):
		r.stacks.place(s)
	case strings.HasPrefix(s, "  "):
		r.stacks.call(strings.TrimSpace(s))
	case strings.HasSuffix(s, ":") && len(r.what) < maxRaceStacks:
		r.stacks.open()
		r.what = append(r.what, raceAccess(s))
	default:
		return s == ""
	}
	return true
}

// raceAccess names an access without its address and goroutine number.
func raceAccess(s string) string {
	if what, _, ok := strings.Cut(s, " at 0x"); ok {
		return strings.ToLower(what)
	}
	return "goroutine"
}

// accesses returns the stacks that read or wrote the memory, without those that created goroutines.
func (r *goRace) accesses() (all []raceStack) {
	for i, what := range r.what {
		if what != "goroutine" {
			all = append(all, raceStack{what, r.stacks.goroutines[i].frames})
		}
	}
	return all
}
