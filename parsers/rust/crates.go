package rust

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Some crates for tests panic in their own source, and say elsewhere what is
// meant.

// proptestReason is what proptest says at last, after every panic that it met
// while it looked for a smaller input:
//
//	thread 'tests::prop' panicked at src/lib.rs:296:5:
//	Test failed: n was 500 at src/lib.rs:299.
//	minimal failing input: n = 500
//
// The place and the full stop are taken off; ok is false where it is not such.
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

// fillProptest reports the last panic of a property: it says what failed with
// the smallest input. Where that was a panic itself, the one before has its place.
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
		if input, ok := strings.CutPrefix(line, "minimal failing input: "); ok { // no part of the message: it is chosen at random
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

// instaSource reads "Source: src/lib.rs:290", the place of an assertion whose
// panic is one of the crate insta.
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

// trybuildCase reads a case of the crate trybuild that did not do as it should:
//
//	test tests/ui/mismatch.rs [should fail to compile] ... mismatch
func trybuildCase(s string) (r result.Related, ok bool) {
	rest, ok := strings.CutPrefix(s, "test ")
	if !ok {
		return r, false
	}
	name, verdict, ok := strings.Cut(rest, " ... ")
	path, should, _ := strings.Cut(strings.TrimSuffix(name, "]"), " [") // not told where all cases should do the same
	if verdict = strings.TrimSpace(verdict); !ok || verdict != "mismatch" && verdict != "error" && should == "" || verdict == "ok" || verdict == "" || !strings.HasSuffix(path, ".rs") {
		return r, false
	}
	return result.Related{Message: strings.TrimSpace(path+" "+should) + ": " + verdict, At: &result.Location{Path: path}}, true
}

// trybuildCases adds the case that a line names. The compiler's place, quoted below it, is
// where to look.
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

// ofTrybuild: the crate trybuild panicked, for cases of it did not do as they should:
// "3 of 11 tests failed". With a backtrace the place is the test's own.
func ofTrybuild(f *result.Finding) bool {
	count, ok := strings.CutSuffix(f.Message, " tests failed")
	failed, all, found := strings.Cut(count, " of ")
	return ok && found && lex.IsDigits(failed) && lex.IsDigits(all) || f.At != nil && strings.Contains(f.At.Path, "/trybuild-")
}

// trybuildQuote begins and ends what trybuild quotes of a compiler's output.
const trybuildQuote = "┈┈┈"
