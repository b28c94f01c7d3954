package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cucumber-js", func(p *tool.Parser) {
	p.Is("cucumber-js", result.Test, 2, "Cucumber for JavaScript 7 to 12: progress, summary, pretty, json; message of any Cucumber")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Again: cucumberAgain}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(cukeFeature, "/*")}.Parse})
	p.Reads(tool.Format{Name: "message", Starts: []string{`{"gherkinDocument":`, `{"pickle":`, `{"testStepFinished":`}, Parse: parseCukeMessages})
	p.Reads(tool.Format{Name: "text", Starts: []string{"1) Scenario: ….feature:", "1) Scenario Outline: ….feature:"}, Named: true, Parse: parseCuke})
	p.Reads(tool.Format{Name: "messages", Starts: []string{"Parse error in \"….feature\" ("}, Parse: read.Said{Errors: []string{"Parse error in "}, Kind: result.BuildError, Fill: cukeSyntax, End: read.Misused}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: parseCukeError})
})

func parseCuke(in *tool.Input) *tool.Report {
	c := &cuke{tests: read.Scenarios{Joint: " › ", Evident: true}, dry: slices.Contains(in.Command().Argv, "--dry-run")}
	return read.Text{Line: c.line, Turn: c.flush, End: c.flush, Closes: true}.Parse(in)
}

// cuke reads the list of failed scenarios, each with its steps; the error is below the step that failed:
//
//	Failures:
//	1) Scenario: wrong # features/cart.feature:7
//	   ✔ Given an empty cart # features/steps/steps.js:3
//	   ✖ Then there are 3 apples # features/steps/steps.js:5
//	       AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
//	7 scenarios (3 failed, 1 undefined, 1 pending, 2 passed)
type cuke struct {
	failures bool // the current list is of failures, not of warnings
	open     bool // a scenario is being read
	dry      bool // a dry run: undefined steps are no failures
	step     string
	defined  string // where, as its line says
	text     jserror.Text
	tests    read.Scenarios
}

func (c *cuke) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, rest, _ := strings.Cut(text, " ")
	switch {
	case l.Text == "Failures:" || l.Text == "Warnings:":
		c.flush(s)
		c.failures = l.Text[0] == 'F'
		s.Sign(l)
	case strings.HasSuffix(number, ")") && lex.IsDigits(number[:len(number)-1]) && strings.Contains(rest, " # "):
		c.flush(s)
		name, where, _ := strings.Cut(rest, " # ")
		name, again := cutAttempt(name)
		if again {
			return true // a retried attempt; the last one is listed elsewhere
		}
		if c.listed(name, where); c.failures {
			c.begin(s, l, name, where)
		}
	case lex.IsDigits(number) && (strings.HasPrefix(rest, "scenario") && l.Text == text):
		c.flush(s)
		c.counts(s, l, number, rest)
		c.tests.Tell(s, lex.Atoi(number))
	case !c.open:
		if m, sec, ok := strings.Cut(strings.TrimSuffix(number, "s"), "m"); ok && lex.IsDigits(m) && lex.IsDigits(strings.Replace(sec, ".", "", 1)) && s.Signed {
			return s.Close(l) // 0m00.060s (executing steps: 0m00.003s)
		}
		if !s.Signed {
			c.tree(l.Text, text)
		}
		return s.Signed && lex.IsDigits(number) && strings.HasPrefix(rest, "step")
	default:
		c.more(s, l, text)
	}
	return true
}

// parseCukeError reads why the run could not begin. An exception in a hook around all scenarios also ends the run.
func parseCukeError(in *tool.Input) *tool.Report {
	rep := jserror.Usage("error: ", "Error: ", "TypeError: ", "SyntaxError: ", "ReferenceError: ")(in)
	if rep == nil {
		return nil
	}
	if said, _, hook := strings.Cut(rep.Findings[0].Message, ", process exiting: "); hook { // its place, which the stack tells
		rep.Findings[0].Message, rep.Meaning = said, ""
	}
	return rep
}

func (c *cuke) begin(s *read.Sink, l tool.Line, name, where string) {
	_, name, _ = strings.Cut(name, ": ")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name, Message: "failed"}
	if at, _, ok := place.Cut(where); ok {
		f.At, f.ID = &at, at.Path+" › "+name
	}
	if c.dry {
		f.Severity = result.SevWarning
	}
	s.Find(l, f)
	c.open = true
}

// more takes a step, or a line of its error.
func (c *cuke) more(s *read.Sink, l tool.Line, text string) {
	mark, step, _ := strings.Cut(text, " ")
	bad := mark == "✖" || mark == "×" || mark == "?"
	switch {
	case bad || mark == "✔" || mark == "√" || mark == "-" && strings.Contains(step, " # "):
		if step, at, _ := strings.Cut(step, " # "); bad && c.step == "" {
			c.step, c.defined, c.text = step, at, jserror.Text{}
		}
	case c.step != "" && strings.HasPrefix(text, "Undefined. Implement with"):
		c.text = jserror.Text{Lines: []string{"undefined step"}}
	case c.step != "" && !strings.HasPrefix(text, "Attachment ("):
		c.text.Add(l.Text)
	}
	s.More(l)
}

func (c *cuke) flush(s *read.Sink) {
	f := s.Last()
	if c.open && f != nil {
		cukeExplain(f, c.step, c.defined, c.text.Lines)
	}
	c.open, c.step, c.text = false, "", jserror.Text{}
	s.Break()
}

// cukeExplain adds the step and the error to a scenario. The finding's place is the scenario's, by which it can be
// run again; the error's place comes next.
func cukeExplain(f *result.Finding, step, defined string, lines []string) {
	at, frames := f.At, f.Frames
	f.Message = ""
	if jserror.Explain(f, lines); f.At != at && f.At != nil && at != nil {
		frames = append(frames, *f.At)
	}
	if f.At, f.Frames = at, append(frames, f.Frames...); f.Message == "" {
		f.Message = "failed"
	}
	if step != "" {
		f.Message = step + ": " + f.Message
	}
	if at, _, ok := place.CutPlace(defined); ok && !slices.ContainsFunc(f.Frames, func(l result.Location) bool { return !l.External }) {
		f.Frames = append(f.Frames, at) // where the step is defined: the error has frames of cucumber's alone
	}
	f.Detail = ""
}

// cukeSyntax reads `"bad/x.feature" (2:3): expected: …, got 'Scenario oops'`.
func cukeSyntax(f *result.Finding) {
	path, rest, _ := strings.Cut(strings.TrimPrefix(f.Message, `"`), `" (`)
	where, message, ok := strings.Cut(rest, "): ")
	if at := place.LastColons(path + ":" + where); ok && at != nil {
		f.At, f.Message = at, message
	}
}

// counts reads "7 scenarios (3 failed, 1 undefined, 1 pending, 2 passed)".
func (c *cuke) counts(s *read.Sink, l tool.Line, number, rest string) {
	counts := read.Counts(rest)
	failed := counts["failed"] + counts["undefined"] + counts["ambiguous"]
	if c.dry {
		counts["skipped"], failed = counts["skipped"]+failed, 0
	}
	s.Scores(map[string]int{"passed": counts["passed"], "failed": failed, "skipped": counts["skipped"] + counts["pending"]}, "")
	s.Tested, s.NoTests = number != "0" && !c.dry, number == "0"
	s.Sign(l)
}

// cukeFeature is a feature of the json format.
func cukeFeature(s *read.Sink, v *struct {
	URI      string
	Elements []struct {
		Name, Type string
		Line       int
		Steps      []struct {
			Keyword, Name string
			Match         struct{ Location string }
			Result        struct {
				Status   string
				Duration float64 // nanoseconds
				Message  string  `json:"error_message"`
			}
		}
	}
}) {
	for _, scenario := range v.Elements {
		if len(scenario.Steps) == 0 {
			continue // without an outcome: unknown
		}
		status, took := "passed", 0.0
		for _, step := range scenario.Steps {
			took += step.Result.Duration
			switch r := step.Result; r.Status {
			case "failed", "undefined", "ambiguous":
				f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: v.URI + " › " + scenario.Name, Name: scenario.Name, Message: "failed",
					At: &result.Location{Path: v.URI, Line: scenario.Line}}
				if r.Status == "undefined" {
					r.Message = "undefined step"
				}
				cukeExplain(&f, strings.TrimSpace(step.Keyword+step.Name), step.Match.Location, strings.Split(r.Message, "\n"))
				s.FindHere(f)
				status = "failed"
			case "pending", "skipped":
				if status == "passed" {
					status = "skipped"
				}
			}
			if status == "failed" {
				break
			}
		}
		s.Counted(tool.Test{ID: v.URI + " › " + scenario.Name, Outcome: read.Outcome(status), DurationMS: lex.OfSeconds(took / 1e9)})
	}
}

// tree takes a line of the pretty formatter, which stands above the lists. Below a step that did
// not pass stands what it came to:
//
//	Scenario: wrong # features/cart.feature:12
//	  Given an empty cart
//	  Then there are 3 apples
//	  ✖ failed
func (c *cuke) tree(line, text string) {
	if head, name, ok := strings.Cut(text, ": "); ok && lex.IsOneOf(strings.ReplaceAll(head, " ", "-"), "Scenario Scenario-Outline Scenario-Template Example") {
		if i := strings.LastIndex(name, " # "); i > 0 {
			c.tests.Shown(line, "", name[:i], name[i+3:])
			return
		}
	}
	t := c.tests.Last(line)
	if t == nil {
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case lex.IsOneOf(word, "✖ × ?") && lex.IsOneOf(rest, "failed undefined ambiguous"):
		t.Outcome = tool.Failed
	case (word == "?" || word == "-") && lex.IsOneOf(rest, "pending skipped"):
		t.Outcome = worseOf(t.Outcome, tool.Skipped)
	case lex.IsOneOf(word, "Given When Then And But *"):
		t.Outcome = worseOf(t.Outcome, tool.Passed)
	}
}

// worseOf is the outcome of a scenario after a further step.
func worseOf(was, is read.Outcome) read.Outcome {
	if was == "" || was == tool.Passed {
		return is
	}
	return was
}

// cutAttempt removes "(attempt 2)" or "(attempt 1, retried)"; again reports the latter.
func cutAttempt(name string) (rest string, again bool) {
	i := strings.LastIndex(name, " (attempt ")
	if i < 0 {
		return name, false
	}
	number, retried := strings.CutSuffix(strings.TrimSuffix(name[i+len(" (attempt "):], ")"), ", retried")
	if !lex.IsDigits(number) || !strings.HasSuffix(name, ")") {
		return name, false
	}
	return name[:i], retried
}

// listed takes a scenario of the list of warnings, or of failures.
func (c *cuke) listed(name, where string) {
	_, name, _ = strings.Cut(name, ": ")
	id := name
	if path, _, ok := strings.Cut(where, ":"); ok {
		id = path + " › " + name
	}
	came := tool.Skipped
	if c.failures && !c.dry {
		came = tool.Failed
	}
	c.tests.Listed(where, name, id, came)
}
