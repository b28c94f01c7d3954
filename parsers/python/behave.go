package python

import (
	"cmp"
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("behave", func(p *tool.Parser) {
	p.Is("behave", result.Test, 1, "behave 1.2 and 1.3: every formatter's closing lists; pretty and plain tell why")
	p.Filter = tool.Filter{Flag: "-n", Spell: read.LastTitle}
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--junit-directory"), Shared: true}}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Failing scenarios:", "Errored scenarios:", "USING RUNNER: behave"}, Parse: parseBehave})
	p.Reads(tool.Format{Name: "messages", Parse: parseBehave})
	p.Reads(read.PythonUsage("behave"))
}, tool.WritesFiles)

func parseBehave(in *tool.Input) *tool.Report {
	b := &behaveRun{tests: read.Scenarios{Joint: " › ", Hides: true}, why: map[string]*behaveWhy{}}
	b.readJSON(in)
	return read.Text{Line: b.line, End: b.end, Closes: true}.Parse(in)
}

// behaveWhy is the reason why a scenario failed, from the formatter's lines.
type behaveWhy struct {
	step    string
	message string
	trace   read.Traceback
	at      *result.Location // place of the step; only progress3 prints it here
	hook    *behaveHook      // a hook that failed before, in or after the scenario
}

type behaveRun struct {
	why   map[string]*behaveWhy // by the scenario's name, and by its place if that is printed
	now   *behaveWhy            // the scenario that is being read
	list  read.Outcome          // outcome of the scenarios in the closing list that is being read; "" outside
	tests read.Scenarios
	hooks []*behaveHook

	coming  *behaveHook // a failed hook that ran before the next scenario
	feature string      // name of the current feature
	stepped bool        // a step of the current scenario was read
}

// maxScenarios bounds the reasons that are kept for one run.
const maxScenarios = 10_000

// line reads the scenarios as they run, and the lists at the end:
//
//	  Scenario: fails           # features/brew.feature:11
//	    Then the kettle holds 5 # features/steps/steps.py:20
//	      ASSERT FAILED: holds 2, not 5
//
//	Failing scenarios:
//	  features/brew.feature:11  fails
func (b *behaveRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case l.Stream == tool.Stderr:
		return strings.HasPrefix(text, "You can implement step definitions")
	case text == "Failing scenarios:" || text == "Errored scenarios:":
		if b.list, b.now = tool.Failed, nil; text[0] == 'E' {
			b.list = tool.Errored
		}
		return s.Sign(l)
	case b.list != "" && strings.HasPrefix(l.Text, "  "):
		return b.failed(s, l, text)
	case strings.HasPrefix(text, "ConfigError: "), strings.HasPrefix(text, "ParserError: "):
		s.Misuse(l, text)
		return s.Close(l)
	case strings.HasPrefix(text, "HOOK-ERROR in ") && b.hook(l, text):
		return s.Sign(l)
	case isBehaveCount(text):
		return b.count(s, l, text)
	}
	if text == "" {
		b.list = ""
	}
	return b.watch(text, l)
}

// watch reads a line of a running scenario, and keeps the reason if the scenario fails.
func (b *behaveRun) watch(text string, l tool.Line) bool {
	if head, name, ok := strings.Cut(text, ": "); ok && (head == "Scenario" || head == "Scenario Outline" || head == "Example") {
		name, where, _ := strings.Cut(name, "  # ")
		if i := strings.LastIndex(name, " # "); where == "" && i > 0 {
			name, where = name[:i], name[i+3:]
		}
		b.now, b.coming = &behaveWhy{hook: b.coming}, nil
		b.tests.Shown(l.Text, b.feature, strings.TrimSpace(name), where)
		b.stepped = false
		if len(b.why) < maxScenarios {
			b.why[strings.TrimSpace(name)] = b.now
			b.why[where] = b.now
		}
		return true
	}
	if name, steps, ok := lex.CutLast(text, "  "); ok && strings.HasPrefix(l.Text, "  ") && steps != "" && strings.Trim(steps, ".FEUS_") == "" && len(b.why) < maxScenarios {
		b.now = &behaveWhy{} // progress3's line for a scenario, with a letter for each step
		b.why[strings.TrimSpace(name)] = b.now
		return true
	}
	if feature, ok := strings.CutPrefix(l.Text, "Feature: "); ok {
		feature, _, _ = strings.Cut(feature, " # ")
		b.feature, b.coming = strings.Clone(feature), nil
	}
	if b.now == nil {
		return strings.HasPrefix(text, "USING RUNNER: ") || strings.HasPrefix(text, "Took ")
	}
	if what, where, ok := lex.CutLast(text, "' ("); ok && lex.HasAnyPrefix(what, "FAILURE in step '", "ERROR in step '") { // progress3 prints the failed step in this form
		_, b.now.step, _ = strings.Cut(what, "'")
		b.now.at = read.PlaceOf(strings.TrimSuffix(where, "):"))
		return true
	}
	if isBehaveStep(text) {
		if b.behaveStep(l.Text, text); b.now.message == "" {
			b.now.step, _, _ = strings.Cut(text, " # ")
			b.now.step, _, _ = strings.Cut(b.now.step, " ... ")
			b.now.step = strings.TrimSpace(b.now.step)
			return true
		}
	}
	b.now.tell(strings.TrimPrefix(l.Text, "      "))
	return true
}

func isBehaveStep(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return lex.IsOneOf(word, "Given When Then And But *")
}

// failed reads a row of the closing lists, "features/brew.feature:11  fails", and adds its finding.
func (b *behaveRun) failed(s *read.Sink, l tool.Line, text string) bool {
	where, name, _ := strings.Cut(text, "  ")
	path, number, ok := strings.Cut(where, ":")
	if !ok || !lex.IsDigits(number) || len(number) > 8 {
		return false
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: where, Name: name, Message: "scenario failed", At: &result.Location{Path: path, Line: lex.Atoi(number)}}
	f.ID = path + " › " + name
	b.tests.Listed(where, name, f.ID, b.list)
	why := b.why[where]
	why = cmp.Or(why, b.why[name])
	if why == nil || why.message+why.step == "" && why.hook == nil {
		why = &behaveWhy{hook: b.reason()}
	}
	switch h := why.hook; {
	case why.message != "":
		f.Message = why.message
	case h != nil:
		f.Message, h.told = h.why, true
	case why.step != "":
		f.Message = "step failed or is undefined: " + why.step
	}
	if why.message != "" || why.step != "" {
		if why.at != nil {
			f.Locations = []result.Location{*why.at}
		}
		if why.trace.Whole() {
			f.Rule = why.trace.Class()
			if at := why.trace.Own(s.Files()); at != nil && !at.External {
				f.Locations, f.At = []result.Location{*f.At}, at
			}
		}
	}
	s.Find(l, f)
	return s.Break()
}

// isBehaveCount reports whether a line has counts: "3 scenarios passed, 2 failed, 2 error, 0 skipped".
func isBehaveCount(text string) bool {
	n, rest, _ := strings.Cut(text, " ")
	what, rest, _ := strings.Cut(rest, " ")
	return n != "" && lex.IsDigits(n) && lex.IsOneOf(what, "feature features rule rules scenario scenarios step steps") && strings.HasPrefix(rest, "passed, ")
}

// count takes the counts of scenarios. Those of features, rules and steps are not used; the steps' line is the last.
func (b *behaveRun) count(s *read.Sink, l tool.Line, text string) bool {
	b.list, b.now = "", nil
	if strings.Contains(text, " step") {
		return s.Close(l)
	}
	if !strings.Contains(text, " scenario") {
		return true
	}
	counts := read.Counts(text)
	counts["passed"] = lex.LeadingNumber(text)
	ran := s.Scores(counts, "passed: passed; failed: failed; error: error, hook_error, cleanup_error; skipped: skipped")
	s.Tested, s.NoTests = ran > 0, ran == 0
	b.tests.Tell(s, ran+counts["skipped"])
	return s.Sign(l)
}

// behaveElement is a scenario in the document of behave's json formatters.
type behaveElement struct {
	Type, Name, Location, Status string
	Steps                        []struct {
		Keyword, Name string
		Result        *struct {
			Status   string
			Duration float64         // seconds
			Message  json.RawMessage `json:"error_message"` // a string, or a list of lines
		}
	}
}

// readJSON reads the scenarios of the json formatters, and why scenarios failed. The findings come
// from the lists that follow the document.
func (b *behaveRun) readJSON(in *tool.Input) {
	read.JSON{Items: read.Items(func(s *read.Sink, e *behaveElement) {
		if e.Type == "background" {
			return
		}
		b.document(e)
		for _, step := range e.Steps {
			if step.Result == nil || step.Result.Status == "passed" || step.Result.Status == "skipped" {
				continue
			}
			if len(b.why) >= maxScenarios {
				return
			}
			why := &behaveWhy{step: step.Keyword + " " + step.Name}
			for _, line := range read.TextLines(behaveText(step.Result.Message)) {
				why.tell(line)
			}
			b.why[e.Location] = why
			return
		}
	}, "/*/elements/*")}.Parse(in)
}

// tell takes a line of a failed step's message.
func (w *behaveWhy) tell(line string) {
	if w.trace.Line(line) {
		if w.trace.Whole() {
			w.message = cmp.Or(w.message, w.trace.Last)
		}
		return
	}
	if why, ok := lex.CutAnyPrefix(strings.TrimSpace(line), "ASSERT FAILED: ", "Assertion Failed: ", "ERROR: "); ok {
		w.message = cmp.Or(w.message, why)
	}
}

// behaveText returns an error message, a string or a list of lines in JSON, as text.
func behaveText(raw json.RawMessage) string {
	var lines []string
	if json.Unmarshal(raw, &lines) == nil {
		return strings.Join(lines, "\n")
	}
	if string(raw) == "null" {
		return ""
	}
	return read.Value(raw)
}
