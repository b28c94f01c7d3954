package tap

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

func itoa(n int) string { return strconv.Itoa(n) }

// maxSaid bounds the lines below one test that are read.
const maxSaid = 60

// comment takes a line that begins with "#".
func (r *reader) comment(s *read.Sink, l tool.Line, text string, indent int) bool {
	if name, ok := strings.CutPrefix(text, " Subtest: "); ok {
		r.explainLast()
		r.about = nil
		r.setName(indent/4, strings.TrimSpace(name))
		return s.Break()
	}
	if n, ok := strings.CutPrefix(text, " fail "); ok && !r.seen && lex.Atoi(strings.TrimSpace(n)) > 0 { // the points were cut off
		s.Fails(lex.Atoi(strings.TrimSpace(n)))
		return s.Sign(l)
	}
	if name, ok := failedTest(text); ok {
		r.explainLast()
		r.about = nil
		r.aboutNamed(s, name)
		return true
	}
	if r.about != nil && (indent >= r.indent || l.Stream == tool.Stderr) {
		r.say(s, l, text)
	}
	if len(r.before) < maxSaid {
		r.before = append(r.before, strings.Clone(lex.CutText(text, lex.MaxHeadline)))
	}
	return r.seen || r.version || r.planned >= 0
}

// aboutNamed makes the last test of that name without a place the current one, or notes the name for a test that is
// still to come.
func (r *reader) aboutNamed(s *read.Sink, name string) {
	for i := len(s.Findings) - 1; i >= 0; i-- {
		if f := &s.Findings[i]; f.Name == name && f.At == nil {
			r.about = &about{f: f}
			return
		}
	}
	if len(r.early) < maxSaid*10 {
		r.about = new(about)
		lex.Put(&r.early, name, r.about)
	}
}

// failedTest reads "  Failed test 'sum'", with which a comment of Test::More begins.
func failedTest(text string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "Failed test ")
	if !ok || len(rest) < 2 || rest[0] != '\'' {
		return "", false
	}
	name = strings.TrimSuffix(rest[1:], "'")
	return name, true
}

// say keeps a line about the current test.
func (r *reader) say(s *read.Sink, l tool.Line, text string) {
	if s.Last() != nil && s.Last() == r.about.f {
		s.More(l)
	}
	s.Cover(l)
	if len(r.about.said) < maxSaid {
		r.about.said = append(r.about.said, strings.Clone(lex.CutText(text, lex.MaxHeadline)))
	}
}

// explain sets place, reason and values of the finding from the lines about it.
func (a *about) explain() {
	var reasons []string
	var outer *result.Location
	for _, line := range a.said {
		text := strings.TrimSpace(line)
		at := placeIn(text)
		switch {
		case at != nil:
			if at.Path != "" && (a.f.At == nil || a.f.At.Line == 0) {
				a.f.At = at
			} else if at.Path != "" && !at.External {
				outer = at // the test's own line, which called what failed
			}
		case text == "" || lex.HasAnyPrefix(text, "Looks like ", "You planned ", "You failed ", "not ok - ", "Random seed: "):
		case a.value(text):
		default:
			if path, line, ok := strings.Cut(text, " @ "); ok && lex.IsDigits(line) && place.IsFile(path) { // busted: where the test begins
				a.f.At = &result.Location{Path: path, Line: lex.Atoi(line)}
				continue
			}
			text, inside := strings.CutPrefix(text, "Failure message: ")
			if at, rest, ok := place.Cut(text); ok && at.Line > 0 && (a.f.At == nil || inside) && !place.IsHost(at) {
				a.f.At = &at
				if _, text = read.CutSeverity(rest); inside {
					text = rest
				} else if text == "Failure!" {
					continue
				}
			}
			if text == "" {
				continue
			}
			reasons = append(reasons, text)
		}
	}
	if outer != nil && !a.told && !a.f.At.External && (outer.Path != a.f.At.Path || outer.Line != a.f.At.Line) {
		a.f.Frames = append(a.f.Frames, *outer)
	}
	if a.said = nil; a.told || a.f.Message != "not ok" || len(reasons) == 0 {
		return
	}
	reason := reasons[0]
	for _, more := range reasons[1:] {
		if _, _, placed := place.Cut(more); placed || len(reason) > 200 || strings.IndexByte("+-#{", more[0]) >= 0 || reason[0] == '`' || strings.Contains(more, reasons[0]) {
			break
		}
		reason += " " + more
	}
	a.f.Message = reason
	a.f.Detail = lex.JoinBounded(reasons, 2<<10)
}

// value reads "got: '2'" and "expected: '3'".
func (a *about) value(text string) bool {
	label, value, ok := strings.Cut(text, ":")
	value = strings.Trim(strings.TrimSpace(value), "'")
	switch {
	case !ok || value == "":
		return false
	case label == "got" || label == "actual" || label == "found":
		a.f.Actual = value
	case label == "expected" || label == "wanted":
		a.f.Expected = value
	default:
		return false
	}
	return true
}

// placeIn reads the place in a comment: "at t/basic.t line 3.", "(in test file t/demo.bats, line 6)", "at find
// (src/cart.js:2:84)". A frame in the runtime gets no path.
func placeIn(text string) *result.Location {
	if at, ok := frame.Perl(text); ok {
		return &at
	}
	if strings.HasPrefix(text, "at ") {
		return framed(text)
	}
	if at, ok := frame.Shell(text); ok {
		return &at
	}
	return nil
}

// framed reads a frame of JavaScript, with or without "at ". A frame in the runtime gets no path.
func framed(text string) *result.Location {
	at, ok := frame.JavaScript("at " + strings.TrimPrefix(text, "at "))
	if !ok {
		return nil
	}
	if at.Function = ""; at.External {
		at.Path, at.External = "", false
	}
	return &at
}
