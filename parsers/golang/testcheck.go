package golang

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/result"
)

// checkLine follows what gopkg.in/check.v1 prints inside of one test, which runs all of its suites:
//
//	----------------------------------------------------------------------
//	FAIL: c_test.go:6: S.TestEq
//
//	c_test.go:7:
//	    c.Assert(1, Equals, 2)
//	... obtained int = 1
//	... expected int = 2
//
//	OOPS: 1 passed, 3 FAILED, 1 PANICKED, 1 MISSED
//
// Its failures are specs, as ginkgo's are. A test that is MISSED did not run because another one failed.
func (g *ginkgo) checkLine(s string) bool {
	switch verdict, rest, _ := strings.Cut(s, ": "); {
	case verdict == "FAIL" || verdict == "PANIC":
		return g.checkBegins(verdict, rest)
	case verdict == "OOPS" && g.checks:
		n := read.Counts(rest)
		g.found, g.open = n["failed"]+n["panicked"], nil
		return true
	case strings.HasPrefix(s, "-----"), verdict == "PASS", verdict == "SKIP", verdict == "MISS":
		g.open = nil
	}
	if g.open == nil || !g.checks {
		return g.checks && g.specs != nil
	}
	g.open.checkLine(s)
	return true
}

// checkBegins reads "c_test.go:6: S.TestEq": the place is the test's, not the failing check's.
func (g *ginkgo) checkBegins(verdict, rest string) bool {
	spot, name, ok := strings.Cut(rest, ": ")
	at, placed := frame.Go(spot)
	if !ok || !placed || !strings.HasSuffix(at.Path, ".go") || !strings.Contains(name, ".") || strings.Contains(name, " ") {
		return false
	}
	g.checks, g.open = true, nil
	if len(g.specs) < maxSpecs {
		g.open = &ginkgoSpec{head: name, at: &at, paniced: verdict == "PANIC", check: true}
		g.specs = append(g.specs, g.open)
	}
	return true
}

func (p *ginkgoSpec) checkLine(s string) {
	said, isSaid := strings.CutPrefix(s, "... ")
	switch {
	case isSaid && p.paniced && len(p.text) == 0:
		said, _, _ = strings.Cut(strings.TrimPrefix(said, "Panic: "), " (PC=")
		p.text = append(p.text, "panic: "+said)
	case isSaid:
		p.checkSays(strings.TrimPrefix(said, "Error: "))
	case strings.HasPrefix(s, "  in "):
		if n := len(p.frames); n > 0 {
			p.frames[n-1].Function = s[len("  in "):]
		}
	default:
		p.checkPlace(s)
	}
}

// checkSays takes a line of the first check that failed; lines of further checks become related places.
func (p *ginkgoSpec) checkSays(s string) {
	if n := len(p.more); n > 0 {
		if f := &p.more[n-1]; f.Message == "" {
			f.Message = s
		} else {
			f.Message += ", " + s
		}
		return
	}
	if len(p.text) < maxGoBuildText {
		p.text = append(p.text, s)
	}
}

// checkPlace reads "c_test.go:7:" before a check, and "c_test.go:8" of a stack.
func (p *ginkgoSpec) checkPlace(s string) {
	spot, isCheck := strings.CutSuffix(s, ":")
	at, ok := frame.Go(spot)
	if !ok || s[0] == ' ' {
		return
	}
	switch {
	case p.paniced && !isCheck && len(p.frames) < maxGoFrames:
		p.frames = append(p.frames, at)
	case isCheck && len(p.text) == 0:
		p.at = &at
	case isCheck && len(p.more) < maxGoRelated:
		p.more = append(p.more, result.Related{At: &at})
	}
}

// missed says whether the test did not run because its fixture failed.
func (p *ginkgoSpec) missed() bool {
	return p.check && p.paniced && len(p.text) > 0 && strings.HasPrefix(p.text[0], "panic: Fixture has panicked")
}

// fillCheck completes the finding of a failed check: its values, joined into one line.
func (p *ginkgoSpec) fillCheck(f *result.Finding) {
	f.Message = strings.Join(p.text, ", ")
	if i := strings.Index(f.Message, ", Difference:"); i > 0 {
		f.Message = f.Message[:i]
	}
	for _, s := range p.text {
		if v, ok := strings.CutPrefix(s, "obtained "); ok {
			_, f.Actual, _ = strings.Cut(v, " = ")
		}
		if v, ok := strings.CutPrefix(s, "expected "); ok {
			_, f.Expected, _ = strings.Cut(v, " = ")
		}
	}
	f.Related = append(f.Related, p.more...)
	if !p.paniced {
		return
	}
	for _, at := range p.frames { // frames in the package itself have no directory
		if path.Base(at.Path) == at.Path {
			f.At = &at
			break
		}
	}
	f.Frames = nil
}
