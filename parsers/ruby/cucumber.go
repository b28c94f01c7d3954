package ruby

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cucumber | io.cucumber.core.cli.Main", func(p *tool.Parser) {
	p.Is("cucumber", result.Test, 1, "Cucumber for Ruby 2 to 9, and for the JVM 5 to 7: pretty, progress; Ruby's json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"cucumber ….feature:", "file:///….feature:", unparsed}, Parse: parseCucumber})
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(cucumberFeature, "/*")}.Parse})
	p.Reads(tool.Format{Name: "named", Parse: parseCucumber})
})

// cucumber reads the errors of steps, and after the run the list of failed scenarios. A scenario is listed by the
// place that runs it again, a "file://" URL on the JVM:
//
//	expected 2, got 1 (RuntimeError)
//	./features/steps.rb:4:in `/^total is (\d+)$/'
//	features/a.feature:9:in `Then total is 2'
//	…
//	cucumber features/a.feature:7 # Scenario: wrong
type cucumber struct {
	errors    []*cucumberError
	open      *cucumberError
	last      string // the line above
	source    string // the line above last, maybe the source that error_highlight shows
	said      string // the line above source
	block     string // the lines since the last blank one, which on the JVM are the message
	list      string // "undefined" or "pending" in a list of such scenarios, else ""
	title     string // the scenario's title, which -s prints without its place
	undefined bool   // scenarios have undefined steps, a failure with --strict and in Cucumber 4
	broken    string // the feature that the JVM could not parse
	scenarios []cucumberScenario
	tests     read.Scenarios
}

const unparsed = `Exception in thread "main" io.cucumber.core.gherkin.FeatureParserException: Failed to parse resource at: `

// cucumberScenario is a failed scenario, and the index of its finding.
type cucumberScenario struct {
	at      result.Location
	finding int
	told    bool // the finding has its error
}

type cucumberError struct {
	class, message string
	at             *result.Location
	step           result.Location // the outermost place below the error, in the feature
	taken          bool            // the error belongs to a scenario's finding
	line           tool.Line
	title          string
	causes         []result.Related
}

func parseCucumber(in *tool.Input) *tool.Report {
	c := &cucumber{tests: read.Scenarios{Joint: " # "}}
	return read.Text{Line: c.line, End: c.end, Closes: true}.Parse(in)
}

func (c *cucumber) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	above, said := c.last, c.said
	if t != "" {
		c.said, c.source, c.last = c.source, c.last, t
	}
	if cause, ok := strings.CutPrefix(t, "Caused by: "); ok && c.open != nil {
		c.open.causes = append(c.open.causes, result.Related{Message: result.CausedBy + cause})
		return true
	} else if c.open != nil && strings.HasSuffix(t, "(Native Method)") {
		return true
	}
	at, ok := frame.Ruby(t)
	if _, step, isStep := lex.CutLast(t, "(file://"); isStep && strings.HasPrefix(t, "at ✽.") {
		at, _, ok = place.Cut(strings.TrimSuffix(step, ")"))
	} else if !ok && strings.HasPrefix(t, "at ") {
		if at, ok = frame.Cut(t); ok && c.block != "" {
			above = c.block
		}
	}
	if c.block = strings.TrimSpace(c.block + " " + t); t == "" || ok {
		c.block = ""
	}
	if c.broken != "" && (s.Closed() || strings.HasPrefix(t, "at io.cucumber.core.cli.Main.main(")) {
		return !s.Closed() && s.Close(l)
	} else if ok && !strings.Contains(t, " # ") {
		if c.frame(s.In, l, above, at); strings.Trim(c.open.message, "^") == "" {
			c.open.message = said
		}
		return true
	}
	if c.open = nil; strings.HasSuffix(above, " matches more than one step definition:") {
		c.last = above // of the lines below, none is the message
	}
	switch n, rest, _ := strings.Cut(t, " "); {
	case strings.HasPrefix(t, unparsed):
		_, c.broken, _ = strings.Cut(strings.Clone(t), "file://")
	case c.broken != "" && strings.HasPrefix(t, "("): // "(1:1): expected: #EOF, …, got 'Featur: fines'"
		if at, why, ok := place.Cut(c.broken + ":" + strings.Replace(t[1:], ")", "", 1)); ok {
			s.Find(l, result.Finding{Kind: result.BuildError, Rule: "FeatureParserException", Message: strings.TrimSpace(why), At: &at})
		}
	case strings.EqualFold(rest, "scenarios:"):
		c.list, c.title = map[string]string{"Undefined": "undefined", "Pending": "pending"}[n], ""
	case lex.HasAnyPrefix(t, "cucumber ", "file://") && strings.Contains(t, ".feature:"):
		s.Sign(l)
		c.scenario(s, l, strings.TrimPrefix(strings.TrimPrefix(t, "cucumber "), "file://"))
	case lex.IsDigits(n) && lex.HasAnyPrefix(strings.ToLower(rest), "scenarios (", "scenario ("):
		counts := read.Counts(rest)
		failed := counts["failed"] + counts["ambiguous"]
		s.Total(failed, map[string]int{"passed": counts["passed"], "failed": failed, "skipped": counts["skipped"] + counts["undefined"] + counts["pending"]})
		s.Ended(l)
		c.tests.Tell(s, lex.Atoi(n))
		c.undefined = counts["undefined"] > 0
	case strings.HasPrefix(t, "0 scenarios"):
		s.NoTests = true
		s.Close(l)
	case s.MisuseIf(l, "No such file or directory @ ", "invalid option: "):
		s.EndHere()
	default:
		c.tree(s, l.Text, t)
	}
	return true
}

// tree reads a line of the pretty formatter, which does not name the examples of an outline. Behind an undefined
// step stands the step's own place instead of its definition's:
//
//	Scenario: adds        # features/cart.feature:8
//	  Given an empty cart # features/steps.rb:1
//	  When I eat it all   # features/cart.feature:10
func (c *cucumber) tree(s *read.Sink, line, t string) {
	i := strings.LastIndex(t, " # ")
	one, outline := lex.HasAnyPrefix(t, "Scenario: ", "Example: "), lex.HasAnyPrefix(t, "Scenario Outline: ", "Scenario Template: ")
	if one || outline {
		c.title = strings.Clone(t)
	}
	if name, where := t[:max(i, 0)], t[i+1:]; i > 0 && one {
		c.tests.Shown(line, "", strings.TrimSpace(name), where[len("# "):])
	} else if outline || strings.HasPrefix(t, "Background: ") {
		if c.tests.Hidden(); outline {
			s.Unread("the examples of an outline have no names")
		}
	} else if todo := strings.HasPrefix(t, "TODO ("); todo || i > 0 && strings.Contains(where, ".feature:") {
		if todo {
			line = line[min(len("  "), len(line)):]
		}
		if t := c.tests.Last(line); t != nil && t.Outcome == "" {
			t.Outcome = tool.Skipped
		}
	}
}

// frame reads a place below an error. The line above the first place is the error's message.
func (c *cucumber) frame(in *tool.Input, l tool.Line, above string, at result.Location) {
	if c.open == nil {
		e := &cucumberError{message: above, line: l, title: c.title}
		if message, class, ok := lex.CutLast(strings.TrimSuffix(above, ")"), " ("); ok && strings.HasSuffix(above, ")") && isClass(class) {
			e.message, e.class = message, class
		} else if class, message, ok := strings.Cut(above, ": "); ok && strings.Contains(class, ".") && isClass(lex.LastPart(class)) {
			e.message, e.class = message, lex.LastPart(class)
		}
		c.open = e
		lex.Keep(&c.errors, in.Most(), e)
	}
	if strings.HasSuffix(at.Path, ".feature") {
		if c.open.step.Line == 0 {
			c.open.step = at
		}
	} else if c.open.at == nil && !at.External && read.Own(in, []result.Location{at}) != nil {
		c.open.at = &at
	}
}

// scenario adds the failed scenario in "features/a.feature:7 # Scenario: wrong".
func (c *cucumber) scenario(s *read.Sink, l tool.Line, text string) {
	where, name, _ := strings.Cut(text, " # ")
	at, _, ok := place.Cut(where)
	if !ok || s.Crowded() {
		return
	}
	id := at.Path + " # " + name
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name, Message: cmp.Or(c.list, "failed"), At: &at})
	came := tool.Skipped
	if s.Break(); c.list == "" {
		came = tool.Failed
		c.scenarios = append(c.scenarios, cucumberScenario{at, len(s.Findings) - 1, false})
	}
	c.tests.Listed(where, name, id, came)
}

// end gives each failed scenario the first error of a step between it and the next failed scenario. Errors above the
// first scenario are of the background, whose steps begin every scenario, and errors without a step are of a hook or a
// step with two definitions: they go to the scenarios without an error.
func (c *cucumber) end(s *read.Sink) {
	for i, e := range c.errors { // the JVM tells them in the order of the list: the examples of an outline are below its steps
		if len(c.errors) == len(c.scenarios) && e.title == "" && (e.step.Line == 0 || e.step.Path == c.scenarios[i].at.Path) {
			c.scenarios[i].tell(s, e)
		}
	}
	for _, e := range c.errors {
		var owner *cucumberScenario
		_, titled, _ := lex.CutLast(e.title, " # ")
		for i := range c.scenarios {
			o := &c.scenarios[i]
			if titled != "" && strings.HasSuffix("/"+o.at.String(), "/"+titled) {
				owner = o
				break
			}
			if o.at.Path == e.step.Path && o.at.Line <= e.step.Line && (owner == nil || o.at.Line > owner.at.Line) {
				owner = o
			}
		}
		if !e.taken {
			owner.tell(s, e)
		}
		e.taken = e.taken || owner != nil && s.Findings[owner.finding].Message == e.message // the JVM tells it again at the end
	}
	for i := range c.scenarios {
		for _, e := range c.errors {
			if !e.taken && (e.step.Line == 0 || e.step.Path == c.scenarios[i].at.Path && e.step.Line < c.scenarios[i].at.Line) {
				c.scenarios[i].tell(s, e)
			}
		}
	}
	for _, e := range c.errors { // an undefined step is an error only with --strict, which lists no scenario for it
		if at := e.step; !e.taken && at.Line > 0 && strings.HasPrefix(e.message, "Undefined step: ") {
			s.Find(e.line, result.Finding{Severity: result.SevError, ID: e.title, Rule: e.class, Message: e.message, At: &at})
		}
	}
	if c.undefined && len(s.Findings) == 0 {
		s.Doubt = "steps are not defined"
	}
}

// tell gives a scenario's finding the error e, unless the finding has an error already.
func (o *cucumberScenario) tell(s *read.Sink, e *cucumberError) {
	if o == nil || o.told {
		return
	}
	f := &s.Findings[o.finding]
	o.told, e.taken = true, true
	f.Related = e.causes
	if f.Message, f.Rule = e.message, e.class; e.at != nil {
		if f.At = e.at; e.step.Line > 0 {
			f.Frames = append(f.Frames, e.step)
		}
		f.Frames = append(f.Frames, o.at)
	}
}
