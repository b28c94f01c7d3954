package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ava", func(p *tool.Parser) {
	p.Is("ava", result.Test, 2, "ava 3 to 7: the default reporter, --tap")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Flag: "--match", Again: avaAgain}
	p.Files = []tool.Files{{Shared: true}}
	p.Reads(tool.Format{Name: "tap", Parse: notNodes(avaTAP)})
	p.Reads(tool.Format{Name: "text", Parse: avaText})
	p.Reads(tool.Format{Name: "text", Starts: []string{"✘ [fail]: ", "✖ [fail]: "}, Parse: avaText})
}, tool.WritesFiles)

func avaText(in *tool.Input) *tool.Report {
	a := &ava{rows: map[read.Outcome]int{}}
	rep := read.Text{Line: a.line, Turn: a.flush, End: a.end, Closes: true}.Parse(in)
	if rep != nil && a.stopped {
		rep.Complete = true // it ends without counts
	} else if rep != nil && (a.rows[tool.XFailed] > rep.Counts["xfailed"] || a.rows[tool.Skipped] > rep.Counts["skipped"] || a.rows[tool.Todo] > rep.Counts["todo"]) {
		rep.Complete = false // these counts are the last lines
	}
	return rep
}

// ava reads the list of tests, "  ✘ [fail]: title message"; below a short rule, a block for each failed test; then
// the counts.
type ava struct {
	rows   map[read.Outcome]int // that were read
	listed []string
	ruled  bool
	block
	claim   int
	stopped bool   // something other than a test stopped the run
	pending string // the file whose unfinished tests are listed next
	filters bool   // the requested paths are listed next
	exiting bool   // the stack of the process.exit() call follows
}

func (a *ava) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case text == "─":
		a.flush(s)
		a.ruled = true
		return s.Sign(l)
	case !a.ruled && a.ran(s, l.Text):
		return true
	case lex.HasAnyPrefix(text, "✘ [", "✖ ["):
		if _, title, ok := strings.Cut(text, "]: "); ok && len(a.listed) < tool.MaxFindings {
			a.listed = append(a.listed, strings.Clone(title))
		}
		return true
	case a.counts(s, l, text):
		return true
	case a.ruled && strings.HasPrefix(l.Text, "  ") && !strings.HasPrefix(l.Text, "   ") && a.begin(s, l, text):
		return true
	case a.open:
		a.text.Add(l.Text)
		return s.More(l)
	}
	return a.below(s, l, text) || a.trouble(s, l, text)
}

// ran takes the row of a test that did not fail: "  ✔ adds", "  ✔ [expected fail] known bug", "  - [skip] ships".
// Slow tests have a duration.
func (a *ava) ran(s *read.Sink, line string) bool {
	mark, title, ok := strings.Cut(strings.TrimPrefix(line, "  "), " ")
	t := tool.Test{Outcome: tool.Passed}
	switch {
	case !ok || line[0] != ' ':
		return false
	case mark == "-":
		kind, rest, ok := strings.Cut(strings.TrimPrefix(title, "["), "] ")
		if title = rest; !ok || kind != "skip" && kind != "todo" {
			return false
		}
		if t.Outcome = tool.Skipped; kind == "todo" {
			t.Outcome = tool.Todo
		}
	case mark == "✔":
		if rest, known := strings.CutPrefix(title, "[expected fail] "); known {
			title, t.Outcome = rest, tool.XFailed
		}
		if i := strings.LastIndex(title, " ("); i > 0 && strings.HasSuffix(title, ")") {
			if ms, timed := lex.Millis(title[i+2 : len(title)-1]); timed && ms > avaSlow {
				title, t.DurationMS = title[:i], ms
			}
		}
	default:
		return false
	}
	t.ID = title
	a.rows[t.Outcome]++
	s.Ran(t)
	return true
}

// avaSlow is the duration, in milliseconds, from which ava prints how long a test took.
const avaSlow = 100

// below takes the lines below an error: unfinished tests, "◌ title"; paths that no file matches, "* test/a.js"; the
// stack of the process.exit() call.
func (a *ava) below(s *read.Sink, l tool.Line, text string) bool {
	if _, rest, ok := strings.Cut(text, " tests were pending in "); ok {
		a.pending = strings.Clone(rest)
		return true
	}
	f := s.Last()
	title, waits := strings.CutPrefix(text, "◌ ")
	path, asked := strings.CutPrefix(text, "* ")
	switch {
	case waits && a.pending != "":
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.Clone(title), Message: "timed out: still pending", At: &result.Location{Path: a.pending}})
		return s.Break()
	case a.filters && asked && f != nil:
		f.Message += " " + path
		return s.More(l)
	case a.exiting && f != nil:
		if at, framed := jserror.Frame(text); framed && !at.External && f.At == nil {
			f.At = &at
		}
		if a.exiting = !strings.HasPrefix(text, "✘ "); !a.exiting {
			return false
		}
		return s.More(l)
	}
	return false
}

// begin takes the title of a block.
func (a *ava) begin(s *read.Sink, l tool.Line, title string) bool {
	for i, entry := range a.listed {
		message, ok := strings.CutPrefix(entry, title)
		if !ok || message != "" && message[0] != ' ' {
			continue
		}
		a.flush(s)
		a.listed = append(a.listed[:i], a.listed[i+1:]...)
		if message = strings.TrimSpace(message); message == "" {
			message = "assertion failed"
		}
		f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(lex.HasAnyPrefix(title, "before", "after") && strings.Contains(title, " hook")), ID: title, Message: message}
		s.Find(l, f)
		a.open = true
		return true
	}
	return false
}

func (a *ava) flush(s *read.Sink) {
	if f, lines := a.block.end(s); f != nil {
		avaExplain(f, lines)
	}
}

// avaExplain completes a finding from the lines of its block.
func avaExplain(f *result.Finding, lines []string) {
	title := f.Message
	rest, class, message := avaThrown(lines)
	jserror.Explain(f, rest)
	if strings.HasPrefix(f.Message, "Difference ") || strings.HasSuffix(f.Message, ":") {
		f.Message = title
	}
	if message != "" {
		if f.Message = message; class != "Error" {
			f.Rule = class
		}
	}
	if f.Expected == "" && f.Actual == "" {
		f.Expected = avaWanted(lines)
	}
	f.Detail = ""
}

// avaWanted is what an assertion required of a value or an exception: the line below "Expected instance of:" or
// "Regular expression:".
func avaWanted(lines []string) string {
	for i, line := range lines {
		if text := strings.TrimSpace(line); text == "Expected instance of:" || text == "Regular expression:" {
			return strings.TrimSpace(lex.FirstOf(lines[i+1:]))
		}
	}
	return ""
}

// avaThrown removes the excerpt of the source from a block, and the thrown error, which ava shows as an object:
//
//	RangeError {
//	  message: 'no item 7',
//	}
func avaThrown(lines []string) (rest []string, class, message string) {
	for _, line := range lines {
		text := strings.TrimSpace(line)
		number, _, numbered := strings.Cut(text, ":")
		name, object := strings.CutSuffix(text, " {")
		value, told := strings.CutPrefix(text, "message: ")
		switch {
		case numbered && lex.IsDigits(number):
		case object && class == "" && lex.IsIdentifier(name) && strings.HasSuffix(name, "Error"):
			class = name
		case told && class != "" && message == "":
			message = strings.ReplaceAll(strings.Trim(strings.TrimSuffix(value, ","), "'`\""), `\'`, "'")
		default:
			rest = append(rest, line)
		}
	}
	return rest, class, message
}

// counts reads "  8 tests failed".
func (a *ava) counts(s *read.Sink, l tool.Line, text string) bool {
	number, word, ok := strings.Cut(text, " ")
	if !ok || !lex.IsDigits(number) || len(number) > 8 {
		return false
	}
	n := lex.Atoi(number)
	switch strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(word, "tests "), "test "), "known ") {
	case "hook failed", "hooks failed":
		s.Count("error", n)
		a.claim += n
	case "passed":
		s.Count("passed", n)
		s.Tested = true
	case "failed":
		s.Count("failed", n)
		s.Tested = true
		a.claim += n
	case "skipped", "todo":
		s.Count(word[strings.LastIndexByte(word, ' ')+1:], n)
	case "failure", "failures":
		s.Count("xfailed", n)
	case "uncaught exception", "uncaught exceptions", "unhandled rejection", "unhandled rejections":
		a.claim += n
	default:
		return false
	}
	a.flush(s)
	return s.Close(l)
}

// trouble reads errors outside of tests.
func (a *ava) trouble(s *read.Sink, l tool.Line, text string) bool {
	message, ok := strings.CutPrefix(text, "✘ ")
	for _, start := range [...]string{"Uncaught exception in ", "Unhandled rejection in "} {
		if path, found := strings.CutPrefix(text, start); found {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: path, Message: strings.TrimSuffix(start, " in "), At: &result.Location{Path: path}})
			s.Unread("a file did not run to its end")
			a.open = true
			return true
		}
	}
	if !ok || strings.HasSuffix(message, "exited with a non-zero exit code: 1") {
		return ok
	}
	if lex.HasAnyPrefix(message, "Couldn", "Based on your", "No tests found") {
		s.NoTests, s.Meaning = true, result.MeansNoTests
	}
	a.stopped = true
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, Message: strings.TrimSuffix(message, ":")})
	a.filters, a.exiting = strings.HasSuffix(message, "did not match the filters:"), strings.HasPrefix(message, "Exiting due to process.exit()")
	if !a.filters && !a.exiting {
		s.Break()
	}
	return true
}

// end adds failed tests without a block, as when the run was stopped.
func (a *ava) end(s *read.Sink) {
	a.flush(s)
	for _, entry := range a.listed {
		s.Add(result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: entry, Message: "failed"})
	}
	if a.claim > 0 {
		s.Claimed = a.claim
	}
	if s.Counts["failed"] > 0 && s.Counts["passed"] == 0 && s.Tests != nil {
		s.Unread("where a test fails, ava does not count those that passed")
	}
}
