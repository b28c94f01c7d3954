package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bun", func(p *tool.Parser) {
	p.Is("bun-test", result.Test, 1, "bun test 1.0 to 1.4")
	p.Family, p.ColumnUnit = "bun", "utf16"
	p.Filter = tool.Filter{Flag: "-t", Spell: read.FullNameLoosely}
	p.Matches = tool.RunsSub("bun", "test")
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--reporter-outfile")}}
	p.Reads(tool.Format{Name: "text", Starts: []string{"(fail) ", "bun test v"}, Parse: read.Fresh(func(r *bun) read.Text { return read.Text{Line: r.line, Closes: true} })})
}, tool.WritesFiles)

// bun reads the verdict of each test, "(fail) suite > test [1.2ms]", which follows the reason of a failure.
type bun struct {
	path    string
	text    jserror.Text
	between bool      // the next line is about no test
	first   tool.Line // of it
}

func (b *bun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "bun test v"):
		s.Sign(l)
		s.Version, _, _ = strings.Cut(l.Text[len("bun test v"):], " ")
	case strings.HasPrefix(l.Text, "(fail) "), strings.HasPrefix(l.Text, "✗ "):
		b.fail(s, l)
	case lex.HasAnyPrefix(l.Text, "(pass) ", "(skip) ", "(todo) ", "✓ ", "» ", "✎ "): // with colours, signs
		b.text = jserror.Text{}
	case strings.HasSuffix(l.Text, ":") && jserror.IsScript(strings.TrimSuffix(l.Text, ":")):
		b.path, b.text = strings.TrimSuffix(l.Text, ":"), jserror.Text{}
	case b.counts(s, l, text):
	case lex.HasAnyPrefix(l.Text, "The following filters did not match any test files", "error: regex ", "No tests found!"):
		s.Find(l, result.Finding{Message: strings.TrimSuffix(text, ":")})
		s.NoTests, s.Meaning = true, result.MeansNoTests
		s.Close(l)
	case strings.HasPrefix(text, "# Unhandled error between tests"):
		b.text, b.between = jserror.Text{}, true
	case b.between && strings.HasPrefix(text, "-----") && len(b.text.Lines) > 0:
		b.late(s, l)
		b.between = false
	case strings.HasPrefix(l.Text, "  ^ ") && len(b.text.Lines) == 0 && s.Last() != nil: // below the verdict
		s.Last().Message = strings.TrimSuffix(text[len("^ "):], ".")
		s.More(l)
	case text == "" || strings.Trim(text, "-^ ") == "":
		s.Cover(l)
		b.text.Add("")
	default:
		if b.between && len(b.text.Lines) == 0 {
			b.first = l
		}
		if strings.Trim(text, ".") != "" || text == "" { // dots of what passed
			b.text.Add(strings.TrimPrefix(l.Text, "error: "))
		}
	}
	return true
}

func (b *bun) fail(s *read.Sink, l tool.Line) {
	_, id, _ := strings.Cut(l.Text, " ")
	if i := strings.LastIndex(id, " ["); i > 0 && strings.HasSuffix(id, "s]") {
		id = id[:i]
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed"}
	if b.path != "" {
		f.At = &result.Location{Path: b.path}
	}
	jestExplain(&f, headedDifference(b.text.Lines))
	if f.Message == "failed" && len(b.text.Lines) == 0 {
		f.Message = "failed without saying why"
	}
	b.text = jserror.Text{}
	s.Find(l, f)
}

// headedDifference moves the legend of a difference, which bun prints below it, above the difference, where other
// runners print it:
//
//	error: expect(received).toEqual(expected)
//	- x
//	+ b
//	- Expected  - 1
//	+ Received  + 1
func headedDifference(lines []string) []string {
	at := slices.IndexFunc(lines, func(t string) bool { return strings.HasPrefix(t, "- Expected  - ") })
	from := slices.IndexFunc(lines, func(t string) bool { return strings.HasPrefix(t, "expect(") })
	if from < 0 || at <= from || at+1 >= len(lines) {
		return lines
	}
	return slices.Concat(lines[:from+1], lines[at:at+2], lines[from+1:at], lines[at+2:])
}

// counts reads " 8 fail" and what closes the run: "Ran 11 tests across 1 file."
func (b *bun) counts(s *read.Sink, l tool.Line, text string) bool {
	words := map[string]string{"pass": "passed", "fail": "failed", "skip": "skipped", "todo": "todo", "error": "error", "errors": "error"}
	number, word, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "Ran ") && strings.Contains(text, " test") && strings.Contains(text, " across "):
		b.late(s, l)
		return s.Ended(l)
	case lex.IsDigits(number) && words[word] != "" && strings.HasPrefix(l.Text, " "):
		b.late(s, l)
		if s.Score(words[word], lex.Atoi(number)); word[0] == 'e' { // it is among those that failed
			s.Claim(-lex.Atoi(number))
		}
		return true
	}
	return false
}

// late takes an error behind the last test.
func (b *bun) late(s *read.Sink, l tool.Line) {
	lines := b.text.Lines
	b.text = jserror.Text{}
	for _, line := range lines {
		if _, framed := jserror.Frame(strings.TrimSpace(line)); !framed && !b.between {
			continue
		}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: b.path, Message: "an error between tests"}
		if b.path != "" {
			f.At = &result.Location{Path: b.path}
		}
		jestExplain(&f, lines)
		if b.between {
			l = tool.Line{Start: b.first.Start, End: l.End, Stream: l.Stream}
		}
		s.Find(l, f)
		return
	}
}

var _ = Room.Add("bun", func(p *tool.Parser) {
	p.Is("bun", result.Build, 1, "bun 1: scripts that died, build, install")
	p.ColumnUnit = "utf16"
	p.Matches = func(argv []string) bool { // a script of package.json may run anything
		scripted := slices.Contains(argv, "run") || slices.Contains(argv, "--filter")
		return argv[0] == "bun" && !tool.RunsSub("bun", "test")(argv) && (!scripted || strings.Contains(argv[len(argv)-1], "."))
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: bunRunLine}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Bun v", "error: Script not found \""}, Sniff: func(line string) bool { return strings.HasPrefix(line, "error: ") || isBunVersion(line) }, Parse: read.Text{Line: bunRunLine}.Parse})
})

// isBunVersion: bun ends the report of an uncaught error with its version:
// "Bun v1.4.5 (Linux x64)".
func isBunVersion(line string) bool {
	return strings.HasPrefix(line, "Bun v") && strings.HasSuffix(line, ")") && strings.Count(line, " ") < 5
}

// bunRunLine reads an excerpt, the error below it, and where: for a build
// "error: text" and "    at /src/a.js:1:11", for a script "TypeError: text" and its
// stack.
func bunRunLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, failed := strings.CutPrefix(l.Text, "error: ")
	warning, warns := strings.CutPrefix(l.Text, "warn: ")
	at, framed := jserror.Frame(text)
	switch {
	case isBunVersion(l.Text):
		s.Version, _, _ = strings.Cut(l.Text[len("Bun v"):], " ")
		if s.Sign(l); len(s.Findings) > 0 {
			last := &s.Findings[len(s.Findings)-1]
			last.Kind, s.Meaning = result.Panic, result.MeansCrashed
		}
		return s.Break()
	case failed && strings.HasPrefix(message, "script \""): // that a runner ran
		return s.Sign(l)
	case failed:
		class, message := jserror.CutClass(message)
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case warns:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: warning})
	case text == l.Text && trace.IsThrown(text) && !framed && len(s.Findings) == 0:
		class, message := jserror.CutClass(text)
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case framed && s.Last() != nil:
		if f := s.Last(); f.At == nil && !at.External {
			f.At = &at
		} else if !at.External {
			f.Frames = append(f.Frames, at)
		}
		return s.More(l)
	case lex.HasAnyPrefix(l.Text, "bun build v", "bun add v", "bun install v"):
		return s.Cover(l)
	}
	return false
}
