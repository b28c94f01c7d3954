package golang

import (
	"strings"

	"cairn/parsers/read/frame"
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
	stacks []raceStack
	frame  string
	closed bool
}

type raceStack struct {
	what   string // "write", "previous read"; "goroutine" for the stack where one was created
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
	case strings.HasPrefix(s, "      "):
		r.place(s)
	case strings.HasPrefix(s, "  "):
		r.frame = strings.TrimSpace(s)
		if i := goArgs(r.frame); i > 0 {
			r.frame = r.frame[:i]
		}
	case strings.HasSuffix(s, ":") && len(r.stacks) < maxRaceStacks:
		r.stacks = append(r.stacks, raceStack{what: raceAccess(s)})
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

func (r *goRace) place(s string) {
	at, ok := frame.Go(s)
	if !ok || len(r.stacks) == 0 {
		return
	}
	at.Function = r.frame
	st := &r.stacks[len(r.stacks)-1]
	if len(st.frames) < maxGoFrames {
		st.frames = append(st.frames, at)
	}
}

// accesses returns the stacks that read or wrote the memory, without those that created goroutines.
func (r *goRace) accesses() []raceStack {
	var all []raceStack
	for _, s := range r.stacks {
		if s.what != "goroutine" {
			all = append(all, s)
		}
	}
	return all
}

// testFunc is the test whose function is in one of the report's stacks.
func (r *goRace) testFunc(pkg string) string {
	for _, s := range r.stacks {
		for _, f := range s.frames {
			if name := goTestFunc(f.Function, pkg); name != "" {
				return name
			}
		}
	}
	return ""
}
