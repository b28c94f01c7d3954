package rust

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Some crates for tests panic in their own source, and print the reason elsewhere.

// proptestReason reads the last panic of proptest. It follows the panics that proptest met
// while it looked for a smaller input:
//
//	thread 'tests::prop' panicked at src/lib.rs:296:5:
//	Test failed: n was 500 at src/lib.rs:299.
//	minimal failing input: n = 500
//
// The place and the full stop are cut off; ok is false if the panic is not proptest's.
func proptestReason(p *rustPanic) (text []string, at *result.Location, ok bool) {
	text = p.text()
	if len(text) == 0 || !strings.HasPrefix(text[0], "Test failed: ") {
		return nil, nil, false
	}
	for i, s := range text {
		if i == 0 || !strings.HasPrefix(s, "minimal failing input: ") {
			continue
		}
		said := strings.TrimSuffix(text[i-1], ".")
		if j := strings.LastIndex(said, " at "); j >= 0 {
			if path, line, ok := place.CutLineNumber(said[j+len(" at "):]); ok {
				said, at = said[:j], &result.Location{Path: path, Line: line}
			}
		}
		text = append([]string(nil), text...)
		text[i-1] = said
		return text, at, true
	}
	return nil, nil, false
}

// fillProptest reports the last panic of a property, which has the reason and the smallest input. If the property
// itself panicked, the panic before it has the place.
func fillProptest(f *result.Finding, all []*rustPanic) bool {
	last := all[len(all)-1]
	text, at, ok := proptestReason(last)
	if !ok {
		return false
	}
	shown := *last
	shown.message = text
	shown.fill(f)
	for _, line := range last.text() {
		if input, ok := strings.CutPrefix(line, "minimal failing input: "); ok { // no part of the message, since the input is chosen at random
			f.Related = append(f.Related, result.Related{Message: result.CausedBy + "the input " + strings.TrimSpace(input)})
		}
	}
	if f.Detail == "" {
		f.Detail = lex.JoinBounded(text, maxRustcDetail)
	}
	if at == nil && len(all) > 1 {
		at = all[len(all)-2].at
	}
	if at != nil {
		f.At = at
	}
	return true
}

// instaSource reads "Source: src/lib.rs:290", the place of a failed assertion of the crate insta, which panics
// in its own source.
func instaSource(s string) *result.Location {
	rest, ok := strings.CutPrefix(s, "Source: ")
	if !ok {
		return nil
	}
	path, line, ok := place.CutLineNumber(rest)
	if !ok || !strings.HasSuffix(path, ".rs") {
		return nil
	}
	return &result.Location{Path: path, Line: line}
}

// trybuildCase reads a case of the crate trybuild with an unexpected result:
//
//	test tests/ui/mismatch.rs [should fail to compile] ... mismatch
func trybuildCase(s string) (r result.Related, ok bool) {
	rest, ok := strings.CutPrefix(s, "test ")
	if !ok {
		return r, false
	}
	name, verdict, ok := strings.Cut(rest, " ... ")
	path, should, _ := strings.Cut(strings.TrimSuffix(name, "]"), " [") // "[should …]" is missing if all cases should do the same
	if verdict = strings.TrimSpace(verdict); !ok || verdict != "mismatch" && verdict != "error" && should == "" || verdict == "ok" || verdict == "" || !strings.HasSuffix(path, ".rs") {
		return r, false
	}
	return result.Related{Message: strings.TrimSpace(path+" "+should) + ": " + verdict, At: &result.Location{Path: path}}, true
}

// trybuildCases adds the case that a line names. If the compiler's output is quoted below it, the case's
// line is taken from there.
func trybuildCases(all []result.Related, line string) []result.Related {
	if c, ok := trybuildCase(line); ok && len(all) < maxRustcRelated {
		return append(all, c)
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "--> "); ok && len(all) > 0 {
		last := all[len(all)-1].At
		if path, at, _, ok := cutRustcPosition(rest); ok && path == last.Path && last.Line == 0 {
			last.Line = at
		}
	}
	return all
}

// ofTrybuild says whether the crate trybuild panicked because cases failed: "3 of 11 tests failed". With a backtrace,
// the place is the test's own.
func ofTrybuild(f *result.Finding) bool {
	count, ok := strings.CutSuffix(f.Message, " tests failed")
	failed, all, found := strings.Cut(count, " of ")
	return ok && found && lex.IsDigits(failed) && lex.IsDigits(all) || f.At != nil && strings.Contains(f.At.Path, "/trybuild-")
}

// trybuildQuote is the line before and after compiler output that trybuild quotes.
const trybuildQuote = "┈┈┈"
