package rust

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargo build, check and clippy, and rustc itself: the diagnostics of the
// compiler as text, short text and JSON (rustc 1.30 to 1.95). A rule is the
// code of an error (E0308) or the name of a lint (dead_code,
// clippy::needless_return). The same diagnostic of a library and of its tests is
// kept once.
var (
	_ = compiler("cargo", "cargo-build", result.Build, "cargo build, run and rustc")
	_ = compiler("cargo", "cargo-check", result.Build, "cargo check")
	_ = compiler("cargo", "cargo-clippy", result.Lint, "cargo clippy")
	_ = compiler("rustc clippy-driver", "rustc", result.Build, "rustc")
)

func compiler(programs, name string, kind result.Kind, what string) bool {
	return Room.Add(programs, func(p *tool.Parser) {
		p.Is(name, kind, 4, what+" 1.30 to 1.95: text, short, JSON")
		p.Family, p.ColumnUnit = "rustc", "char"
		p.Matches = func(argv []string) bool { return rustTool(argv) == name }
		p.Reads(cargoFormats(name)...)
		if programs == "cargo" {
			p.Family, p.Fails, p.Interprets = programs, cargoFails, runsProgram
		}
	})
}

var _ = Room.Add("rustfmt | cargo", func(p *tool.Parser) {
	p.Is("rustfmt", result.Format, 1, "rustfmt and cargo fmt 1.4 to 1.8: --check, -l, and files that do not parse")
	p.Family = "cargo"
	p.Matches = runs("rustfmt", "fmt")
	p.Reads(tool.Format{Name: "check", Starts: []string{"Diff in /… line ", "Diff in /….rs:"}, Parse: read.Text{Line: rustfmtLine}.Parse})
	p.Reads(tool.Format{Name: "named", Parse: read.Text{Line: rustfmtLine}.Parse})
})

// rustfmtLine reads the header of each difference, which has the place where it begins:
//
//	Diff in /home/me/src/lib.rs:3:
//	Diff in /home/me/src/lib.rs at line 3:
//
// and, for a file that cannot be parsed, an error as rustc prints it.
func rustfmtLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if head, ok := strings.CutPrefix(t, "Diff in "); ok {
		head = strings.Replace(strings.TrimSuffix(head, ":"), " at line ", ":", 1)
		if i := strings.LastIndexByte(head, ':'); i > 0 && lex.IsDigits(head[i+1:]) {
			return s.Find(l, result.Finding{Message: "is not formatted", At: &result.Location{Path: head[:i], Line: lex.Atoi(head[i+1:])}})
		}
	}
	last := s.Last()
	switch {
	case strings.HasPrefix(t, "error: test failed, to rerun pass `"): // printed by cargo test, if one command line runs both
		return false
	case strings.HasPrefix(t, "error: ") || strings.HasPrefix(t, "error["):
		rule, message, _ := strings.Cut(strings.TrimPrefix(t, "error"), ": ")
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: strings.Trim(rule, "[]"), Message: message})
	case last == nil:
		if l.Stream != tool.Stdout || !strings.HasSuffix(t, ".rs") || strings.Contains(t, " ") {
			return false
		}
		s.Find(l, result.Finding{Message: "is not formatted", At: &result.Location{Path: t}}) // a line of -l
		return s.Break()
	case last.At == nil:
		if at, ok := cutRustcArrow(t, "--> "); ok && at.Column > 0 {
			last.At = &at
		}
	}
	return s.More(l)
}

var _ = Room.Add("cargo-machete | cargo", func(p *tool.Parser) {
	p.Is("cargo-machete", result.Lint, 1, "cargo-machete 0.7 to 0.9")
	p.Family = "cargo"
	p.Matches = runs("cargo-machete", "machete")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Other: macheteSays, Rows: []read.Row{
		{Form: "{} -- {path}:", As: read.InPath}, {Form: "\t{message}", As: read.Error, Fit: unusedCrate}, {Form: "Unrecognized argument: {}", As: read.Misuse},
		{Form: "Error: {message}", Fit: func(f *result.Finding) { f.Kind = result.GenericFinding }},
		{Form: "cargo-machete {}", As: read.Skip}, {Form: "Analyzing dependencies of crates {}", As: read.Skip}, {Form: "Done!", As: read.Skip},
	}}.Parse})
})

func unusedCrate(f *result.Finding) {
	result.SetExtra(&f.Extra, "package", f.Message)
	f.Rule, f.Message = "unused-dependency", f.Message+" is not used"
}

// macheteSays takes the reason below "Error: …:", and the lines that explain how to ignore a dependency.
func macheteSays(s *read.Sink, l tool.Line) bool {
	n := len(s.Findings)
	if n > 0 && strings.HasSuffix(s.Findings[n-1].Message, ":") {
		s.Findings[n-1].Message += " " + l.Text
	}
	return n > 0
}

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
	f.Detail = cmp.Or(f.Detail, lex.JoinBounded(text, maxRustcDetail))
	if at == nil && len(all) > 1 {
		at = all[len(all)-2].at
	}
	f.At = cmp.Or(at, f.At)
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
		if at, ok := cutRustcPosition(rest); ok && at.Path == last.Path && last.Line == 0 {
			last.Line = at.Line
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
