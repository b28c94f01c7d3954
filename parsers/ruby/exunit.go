package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mix", func(p *tool.Parser) {
	p.Is("exunit", result.Test, 2, "ExUnit of Elixir 1.12 to 1.18: default, trace, slowest")
	p.Family = "mix"
	p.Matches = tool.RunsSub("mix", "test", "test.all", "coveralls")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Finished in … async, ", "1) test … (", "1) doctest … ("}, Sniff: isExUnit, Parse: parseExUnit})
	p.Reads(tool.Format{Name: "usage", Parse: read.Text{Line: exunitUsage}.Parse})
})

// isExUnit recognizes the first failure, "  1) test adds (LedgerTest)", of a run that a test may have ended.
func isExUnit(line string) bool {
	return strings.HasPrefix(line, "Finished in ") || strings.HasPrefix(line, "  1) ") && strings.HasSuffix(line, ")")
}

// exunit is the state of a run. Since Elixir 1.15 the seed is printed first; before, it was the closing line.
type exunit struct {
	seeded bool        // the seed was printed first
	module string      // the module whose rows, which --trace prints, are being read
	rows   []tool.Test // the tests of that module
}

func parseExUnit(in *tool.Input) *tool.Report {
	e := &exunit{}
	return read.Numbered{
		Indent: "  ", Take: e.take, Ends: func(text string) bool { return text != "" && text[0] != ' ' || strings.HasPrefix(text, "  * ") }, Other: e.other, Closes: true, End: e.flush,
		Head: func(title string) bool { return strings.HasSuffix(title, ")") || isSetUpAll(title) },
	}.Parse(in)
}

// take reads a failure and corrects the outcome of its row, which does not show it: the test failed, or, after a
// failure of setup_all, no test of the module ran.
func (e *exunit) take(s *read.Sink, b *read.Block) {
	if module, _, _ := strings.Cut(b.Title, ": "); isSetUpAll(b.Title) {
		f := exunitSaid(s.In, read.Dedent(b.Body))
		f.Kind, f.Severity, f.ID, f.Suite = result.TestFailure, result.SevError, module, []string{module}
		f.Message = "setup_all: " + f.Message
		s.FindBlock(b, f)
		for i := range e.rows {
			if strings.HasSuffix(e.rows[i].ID, " ("+module+")") && e.rows[i].Outcome == tool.Passed {
				e.rows[i].Outcome = tool.Errored
			}
		}
		return
	}
	exunitFailure(s, b)
	for i := len(e.rows) - 1; i >= 0; i-- {
		if e.rows[i].ID == b.Title {
			e.rows[i].Outcome = tool.Failed
			return
		}
	}
}

// isSetUpAll recognizes "LedgerTest: failure on setup_all callback, all tests have been invalidated".
func isSetUpAll(title string) bool { return strings.Contains(title, ": failure on setup_all callback") }

// row reads a test's row of --trace, below the name of its module. A failure is printed below the row.
//
//	LedgerTest [test/ledger_test.exs]
//	  * test adds (0.1ms) [L#4]
//	  * test drops (skipped) [L#9]
func (e *exunit) row(s *read.Sink, text string) bool {
	if name, _, has := strings.Cut(text, " ["); has && isClass(strings.ReplaceAll(name, ".", "")) && strings.HasSuffix(text, ".exs]") {
		e.flush(s)
		e.module = name
		return true
	}
	row, ok := strings.CutPrefix(text, "  * ")
	if !ok || e.module == "" {
		return false
	}
	if i := strings.LastIndex(row, " [L#"); i > 0 {
		row = row[:i]
	}
	i := strings.LastIndex(row, " (")
	if i < 0 || !strings.HasSuffix(row, ")") {
		return false
	}
	one := tool.Test{ID: row[:i] + " (" + e.module + ")", Outcome: tool.Passed}
	switch took := row[i+2 : len(row)-1]; {
	case lex.HasAnyPrefix(took, "skipped", "excluded"):
		one.Outcome = tool.Skipped
	case took == "invalid":
		one.Outcome = tool.Errored
	default:
		var timed bool
		if one.DurationMS, timed = lex.Millis(took); !timed {
			return false
		}
	}
	e.rows = append(e.rows, one)
	return true
}

// flush reports the tests of the module whose rows were read.
func (e *exunit) flush(s *read.Sink) {
	for _, one := range e.rows {
		s.Ran(one)
	}
	e.rows, e.module = e.rows[:0], ""
}

// exunitFailure reads "1) test adds (LedgerTest)", the test's place, the message, and the frames below "stacktrace:".
func exunitFailure(s *read.Sink, b *read.Block) {
	title, module, _ := lex.CutLast(strings.TrimSuffix(b.Title, ")"), " (")
	f := exunitSaid(s.In, read.Dedent(b.Body))
	f.Kind, f.Severity, f.ID, f.Suite, f.Name = result.TestFailure, result.SevFailure, title+" ("+module+")", []string{module}, title
	s.FindBlock(b, f)
}

func exunitSaid(in *tool.Input, body []string) result.Finding {
	f := result.Finding{Detail: strings.Join(body, "\n")}
	var frames []result.Location
	var said []string
	stack := false
	for i, line := range body {
		text := strings.TrimSpace(line)
		value := func(name string) (string, bool) {
			v, ok := strings.CutPrefix(line, name)
			return strings.TrimSpace(v), ok && !stack
		}
		if at, rest, ok := place.CutPlace(line); i == 0 && ok && rest == "" {
			f.At = &at
			continue
		}
		if stack || len(said) > 0 && strings.HasPrefix(line, "        ") { // of what ended a linked process
			if at, ok := frame.Elixir(text); ok && !at.External {
				at.Path = umbrella(f.At, text) + at.Path
				frames = append(frames, at)
			}
		} else if v, ok := value("left:"); ok {
			f.Actual = v
		} else if v, ok := value("right:"); ok {
			f.Expected = v
		} else if line == "stacktrace:" {
			stack = true
		} else if v, ok := value("code:"); ok {
			if len(said) == 1 && !strings.HasPrefix(said[0], "** (") {
				said = append(said, v)
			}
		} else if len(said) == 0 && text != "" {
			said = append(said, text)
		}
	}
	read.Locate(in, &f, frames)
	f.Message = strings.TrimPrefix(strings.Join(said, ": "), "** ")
	if class, _, ok := strings.Cut(strings.TrimPrefix(f.Message, "("), ") "); ok && strings.HasPrefix(f.Message, "(") {
		f.Rule = class
	}
	return f
}

// umbrella is the folder of the application whose test failed, if it is one of several: only the place of the test has it.
func umbrella(test *result.Location, frame string) string {
	if test == nil || !strings.HasPrefix(test.Path, "apps/") || strings.Contains(frame, "apps/") {
		return ""
	}
	folder, _, _ := strings.Cut(test.Path[len("apps/"):], "/")
	if other, _, named := strings.Cut(frame, " "); named && other[0] == '(' && other[1:] != folder {
		return ""
	}
	return "apps/" + folder + "/"
}

func (e *exunit) other(s *read.Sink, l tool.Line) bool {
	t := l.Text
	c := read.Counts(t)
	_, tests := c["tests"]
	_, test := c["test"]
	switch {
	case e.row(s, t):
	case strings.HasPrefix(t, "Finished in ") && strings.Contains(t, " async, "), strings.HasPrefix(t, "Finished in ") && strings.HasSuffix(t, " seconds"):
		s.Sign(l)
	case s.Signed && (tests || test || c["doctests"]+c["doctest"]+c["properties"]+c["property"] > 0) && strings.Contains(t, " failure"):
		if s.Sign(l); e.seeded {
			s.Close(l)
		}
		total := c["tests"] + c["test"] + c["doctests"] + c["doctest"] + c["properties"] + c["property"]
		bad, skipped := c["failures"]+c["failure"], c["skipped"]+c["excluded"]
		s.Total(bad, map[string]int{"failed": bad, "skipped": skipped, "passed": max(total-bad-skipped-c["invalid"], 0)})
		if c["invalid"] > 0 { // the tests of a module whose setup_all failed
			s.Count("error", c["invalid"])
		}
		s.Tested = s.Tested || total > c["excluded"]
		s.NoTests = !s.Tested
	case strings.HasPrefix(t, "Randomized with seed "):
		s.Close(l)
	case strings.HasPrefix(t, "Running ExUnit with seed: "):
		s.Anew()
		e.seeded = true
	case t == "":
	case exunitUsage(s, l):
	default:
		return mixLine(s, l)
	}
	return true
}

// exunitUsage reads mix test's messages when it cannot begin.
func exunitUsage(s *read.Sink, l tool.Line) bool {
	for start, meaning := range map[string]result.Meaning{
		"** (Mix) Could not invoke task ":      result.MeansUsage,
		"Paths given to \"mix test\" did not ": result.MeansUsage,
		"The --only option was given ":         result.MeansNoTests,
	} {
		if strings.HasPrefix(l.Text, start) {
			if !s.Tested { // another application of an umbrella ran some
				s.Meaning = meaning
			}
			return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(l.Text, "** (Mix) ")})
		}
	}
	if last := s.Last(); last != nil && strings.HasSuffix(l.Text, " : Unknown option") {
		last.Message += " " + l.Text
		return true
	}
	return false
}
