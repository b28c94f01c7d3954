package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// toy is a tool whose every line says who wrote it: "NAME: start" begins its
// output, "NAME: fail X" and "NAME: warn X" are findings, "NAME: total N" is
// the count of failures it knows, "NAME: end" closes it. What lies between is
// its own where it covers everything.
type toy struct {
	name   string
	kind   result.Kind
	swal   bool // covers all lines between start and end
	panics string
	change func(*tool.Report)
}

func (y toy) parser() *tool.Parser {
	return &tool.Parser{
		Tool: y.name, Kind: y.kind, Version: 1,
		Matches: func(argv []string) bool { return argv[0] == y.name },
		Exits:   map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal},
		Formats: []tool.Format{{Name: "text", Starts: []string{y.name + ": "}, Sniff: y.sniff, Parse: y.parse}},
	}
}

func (y toy) sniff(line string) bool {
	if y.panics == "sniff" {
		panic("no such line")
	}
	return strings.TrimSpace(line) == y.name+": start"
}

func (y toy) parse(in *tool.Input) *tool.Report {
	if y.panics == "parse" {
		panic("index out of range")
	}
	rep, open := tool.NewReport(), false
	rep.Tested = y.kind == result.Test
	for l := range in.Lines() {
		what, mine := strings.CutPrefix(strings.TrimSpace(l.Text), y.name+": ")
		open = open && what != "end" || what == "start" && mine
		if mine || open && y.swal {
			rep.Cover(l)
		}
		if !mine {
			continue
		}
		kind, text, _ := strings.Cut(what, " ")
		switch kind {
		case "fail":
			rep.Add(result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: text, Message: text, RawSpan: &result.Span{Start: l.Start, End: l.End}})
		case "warn":
			rep.Add(result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Message: text, RawSpan: &result.Span{Start: l.Start, End: l.End}})
		case "total":
			rep.Claimed = number(text)
		case "end":
			rep.Complete = true
		}
	}
	if y.change != nil {
		y.change(rep)
	}
	if rep.Doubt == "decline" {
		return nil
	}
	return rep
}

// tell is a result in one line, and its body.
func tell(r *result.ToolResult) string {
	s := fmt.Sprintf("%s %s %s", r.Tool, r.Status, r.ParserConfidence)
	if r.ExitMeaning != "" && r.ExitMeaning != result.MeansFindings {
		s += " " + string(r.ExitMeaning)
	}
	for _, p := range r.Parts {
		s += fmt.Sprintf(" part(%s %s %d)", p.Tool, p.ParserConfidence, p.Findings)
	}
	for _, f := range r.Findings {
		s += fmt.Sprintf(" [%s%s]", strings.TrimPrefix(f.Source+":", ":"), f.Message)
	}
	if r.Body != "" {
		s += " body: " + strings.ReplaceAll(r.Body, "\n", "|")
	}
	return s
}

var toys = []toy{
	{name: "unit", kind: result.Test},
	{name: "lint", kind: result.Lint},
	{name: "outer", kind: result.Test, swal: true},
	{name: "broken", kind: result.Test, panics: "parse"},
	{name: "blind", kind: result.Test, panics: "sniff"},
	{name: "picky", kind: result.Test, change: func(r *tool.Report) { r.Doubt = "decline" }},
	{name: "messy", kind: result.Lint, change: func(r *tool.Report) { slices.Reverse(r.Covered) }},
}

func TestRecogniseAndBelieve(t *testing.T) {
	const unitOK, unitBad = "unit: start|unit: end|", "unit: start|unit: fail a|unit: end|"
	for _, c := range []struct {
		name, argv, out string
		exit            int
		want            string
	}{
		{"direct, passed", "unit", unitOK, 0, "unit passed parsed"},
		{"direct, failed", "unit", unitBad, 1, "unit failed parsed [a]"},
		{"wrapped, failed", "make test", unitBad, 2, "unit failed parsed [a]"},
		{"exit table of a direct command", "unit", unitBad, 2, "unit error parsed usage [a]"},
		{"exit table behind a wrapper", "timeout 9 unit", unitBad, 3, "unit error parsed internal [a]"},
		{"no exit table through make", "make", unitBad, 3, "unit failed parsed [a]"},
		{"swallowed failure", "make -i test", unitBad, 0, "unit failed parsed [a]"},
		{"swallowed by the tool itself", "unit", unitBad, 0, "unit failed parsed [a]"},
		{"nobody knows it", "make", "hello|", 0, "make ok generic body: hello"},
		{"nobody knows it, failing", "make", "hello|", 2, "make failed generic body: hello"},
		{"tool known, output not", "unit", "cannot start|", 2, "unit error heuristic usage [cannot start] body: cannot start"},
		{"tool known, no output", "unit", "", 3, "unit error generic internal"},
		{"not found", "unit", "", 127, "unit error generic not_found"},
		{"text of a signal", "make", "Segmentation fault (core dumped)|", 139, "make error heuristic crashed [Segmentation fault (core dumped)] body: Segmentation fault (core dumped)"},
		{"139 failures", "make", "that went badly|", 139, "make failed generic body: that went badly"},
		{"timeout", "timeout 5 make", "waiting|", 124, "make error generic interrupted body: waiting"},
		{"nothing explains the exit", "unit", unitOK, 1, "unit failed heuristic body: unit: start|unit: end"},
		{"warnings explain a linter's exit", "lint", "lint: start|lint: warn w|lint: end|", 1, "lint failed parsed [w]"},
		{"warnings do not explain another's", "make", "lint: start|lint: warn w|lint: end|", 1, "lint failed heuristic [w] body: lint: start|[… line 2, told by a finding]|lint: end"},
		{"fewer than claimed", "unit", "unit: start|unit: fail a|unit: total 2|unit: end|", 1, "unit failed heuristic [a] body: unit: start|unit: fail a|unit: total 2|unit: end"},
		{"closing line gone", "unit", "unit: start|", 0, "unit ok heuristic body: unit: start"},
		{"errors beside the parsed part", "make", unitBad + "ld: undefined reference to `f'|", 2,
			"unit failed parsed [a] body: [… 3 lines, 1-3]|ld: undefined reference to `f'"},
		{"errors before the parsed part", "make", "gcc: error: no input|bye|" + unitBad, 2,
			"unit failed parsed [a] body: gcc: error: no input|bye|[… 3 lines, 3-5]"},
		{"whatever ran last", "make", unitBad + "would reformat x.py|", 1,
			"unit failed parsed [a] body: [… 3 lines, 1-3]|would reformat x.py"},
		{"noise before the parsed part", "make", "entering directory|" + unitBad, 2, "unit failed parsed [a]"},
		{"two tools", "make", unitBad + "lint: start|lint: warn w|lint: end|", 1,
			"make failed parsed part(unit parsed 1) part(lint parsed 1) [unit:a] [lint:w]"},
		{"two tools, nothing explains the exit", "make", unitOK + "lint: start|lint: end|", 1,
			"make failed heuristic part(unit parsed 0) part(lint parsed 0) body: unit: start|unit: end|lint: start|lint: end"},
		{"two tools, a failure swallowed", "make -k", unitBad + "lint: start|lint: end|", 0,
			"make failed parsed part(unit parsed 1) part(lint parsed 0) [unit:a]"},
		{"two tools, one not closed", "make", unitBad + "lint: start|", 1,
			"make failed heuristic part(unit parsed 1) part(lint heuristic 0) [unit:a] body: unit: start|unit: fail a|unit: end|lint: start"},
		{"a log inside a test", "make", "outer: start|" + unitBad + "outer: end|", 0, "outer passed parsed"},
		{"a log inside a direct test", "outer", "outer: start|" + unitBad + "outer: end|", 0, "outer passed parsed"},
		{"direct, and another beside it", "unit", unitOK + "lint: start|lint: warn w|lint: end|", 0, "unit passed parsed"},
		{"a parser that panics", "broken", "broken: start|broken: end|", 0,
			"broken ok generic body: broken: start|broken: end"},
		{"a parser that panics, beside another", "make", unitOK + "broken: start|FAIL x|", 0,
			"unit ok heuristic body: unit: start|unit: end|broken: start|FAIL x"},
		{"a sniff that panics", "make", "blind: start|" + unitOK, 0, "unit ok heuristic body: blind: start|unit: start|unit: end"},
		{"a parser that declines", "picky", "picky: start|picky: end|", 0, "picky ok generic body: picky: start|picky: end"},
		{"a parser that declines, beside another", "make", "picky: start|" + unitBad, 1, "unit failed parsed [a]"},
		{"spans in any order", "make", "messy: start|x|messy: warn w|y|messy: end|unit: start|unit: end|", 0,
			"make ok parsed part(messy parsed 1) part(unit parsed 0) [messy:w]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var known []*tool.Parser
			for _, y := range toys {
				known = append(known, y.parser())
			}
			in := tool.Input{Argv: strings.Fields(c.argv), Source: term.Separate([]byte(strings.ReplaceAll(c.out, "|", "\n")), nil)}
			s := New(TableOf(known), in)
			s.Scan()
			if got := tell(s.Result(result.Exit{Observed: true, Code: c.exit})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestTruncate(t *testing.T) {
	for _, exit := range []result.Exit{{Observed: true}, {Observed: true, Code: 1}, {Signal: "SIGKILL"}, {TimedOut: true}, {}} {
		s := New(TableOf([]*tool.Parser{toys[0].parser()}), tool.Input{Argv: []string{"unit"}, Source: term.Separate([]byte("unit: start\nunit: end\n"), nil)})
		s.Scan()
		s.Truncate()
		r := s.Result(exit)
		if r.ParserConfidence != result.Heuristic || r.Status == result.Passed || !r.Truncated.Raw || r.Body == "" {
			t.Errorf("%+v: %s", exit, tell(r))
		}
	}
}

func TestRedactBeforeIdentity(t *testing.T) {
	parse := func(secret string) *result.ToolResult {
		in := tool.Input{Argv: []string{"unit"}, Source: term.Separate([]byte("unit: start\nunit: fail token="+secret+"\nunit: end\n"), nil)}
		in.Redact = func(s string) string { return strings.ReplaceAll(s, secret, "XXX") }
		s := New(TableOf([]*tool.Parser{toys[0].parser()}), in)
		s.Scan()
		return s.Result(result.Exit{Observed: true, Code: 1})
	}
	a, b := parse("hunter2"), parse("swordfish")
	if a.Findings[0].Fingerprint != b.Findings[0].Fingerprint || a.Findings[0].Message != "token=XXX" {
		t.Errorf("%s, %s", tell(a), tell(b))
	}
}
