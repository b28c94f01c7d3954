package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bats", func(p *tool.Parser) {
	p.Is("bats", result.Test, 1, "bats-core 1.2 to 1.12: TAP, TAP 13, pretty, with timing and traces")
	p.Filter = tool.Filter{Flag: "-f", Spell: read.LastTitle}
	p.Files = []tool.Files{{Flags: []tool.FileFlag{{Flag: "-o", Of: []string{"bats"}}, {Flag: "--output", Of: []string{"bats"}}}}}
	p.JUnit = &tool.Dialect{Message: batsMessage, Suite: func(tag *tool.SuiteTag) bool { return !tag.All && strings.HasSuffix(tag.Name, ".bats") }}
	p.Reads(tool.Format{Name: "tap", Starts: []string{"# (in test file … line ", "# (from function …"}, Parse: parseBats})
	p.Reads(tool.Format{Name: "named", Parse: parseBats})
}, tool.WritesFiles)

// bats reads TAP with what bats says below a failed test, as a comment, in
// YAML, or indented by --pretty:
//
//	not ok 2 fails on compare
//	# (in test file t/demo.bats, line 6)
//	#   `[ "$output" = "goodbye" ]' failed
type bats struct {
	planned, seen int
	number        int  // of the last test
	tap           bool // it is TAP, in which rows with marks are what a test printed
	failed        int
	untimed       bool // the first row has no time behind its name, so none has
}

func parseBats(in *tool.Input) *tool.Report {
	b := &bats{planned: -1}
	return read.Text{Line: b.line, End: b.end, Closes: true}.Parse(in)
}

func (b *bats) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	if n, ok := strings.CutPrefix(t, "1.."); ok && lex.IsDigits(n) {
		b.planned, b.tap = atoi(n), true
		return s.Sign(l)
	}
	if ok, number, name, found := cutPoint(t); found {
		if s.Sign(l); number <= b.number {
			s.Unread("the numbers of the tests are not in order")
		}
		b.number, b.tap = number, true
		b.point(s, l, ok, name)
		return true
	}
	_, rest, counts := lex.CutCount(t, "test")
	switch {
	case b.tap && lex.HasAnyPrefix(t, " ✗ ", " ✓ ", " - "):
		return false
	case strings.HasPrefix(t, " ✗ "):
		b.point(s, l, false, strings.TrimPrefix(t, " ✗ "))
	case strings.HasPrefix(t, " ✓ "):
		b.point(s, l, true, strings.TrimPrefix(t, " ✓ "))
	case strings.HasPrefix(t, " - ") && strings.Contains(t, " (skipped"):
		name, why, _ := strings.Cut(t[len(" - "):], " (skipped")
		b.point(s, l, true, name+" # skip "+why)
	case !b.tap && counts && strings.HasPrefix(rest, ", ") && strings.Contains(rest, " failure"):
		b.planned = lex.LeadingNumber(t)
		s.Sign(l)
		s.Break()
	case b.seen > 0 && strings.HasPrefix(t, "The following warnings were encountered"):
		s.Break()
	case b.seen > 0 && strings.HasPrefix(t, "BW") && strings.Contains(t, ": "):
		rule, message, _ := strings.Cut(t, ": ")
		s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Rule: rule, Message: message})
	case strings.HasPrefix(t, "# bats warning: "), strings.HasPrefix(t, "Error: ") && l.Stream == tool.Stderr:
		b.trouble(s, l, t)
	case s.Last() != nil && (strings.HasPrefix(t, "#") || strings.HasPrefix(t, "  ")):
		b.below(s, l, t)
	default:
		s.Break() // lines of other programs follow
		return s.Signed && (t == "TAP version 13" || strings.HasPrefix(t, "#"))
	}
	return true
}

// point takes a test: its number, its name, and whether it was skipped.
func (b *bats) point(s *read.Sink, l tool.Line, ok bool, name string) {
	b.seen++
	name, skipped := cutDirective(name)
	one := tool.Test{Outcome: tool.Passed}
	if one.ID = name; !b.untimed {
		one.ID, one.DurationMS = cutTiming(name)
		b.untimed = b.tap && b.seen == 1 && one.ID == name
	}
	switch {
	case skipped:
		one.Outcome = tool.Skipped
	case !ok:
		one.Outcome = tool.Failed
		b.failed++
	}
	s.Count(string(one.Outcome), 1)
	s.Ran(one)
	if s.Break(); one.Outcome == tool.Failed {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: one.ID, Message: "failed"})
	}
}

// cutDirective takes off " # skip why". A name may have a "#" in it.
func cutDirective(name string) (rest string, skipped bool) {
	low := strings.ToLower(name)
	for _, word := range [...]string{" # skip", " # todo"} {
		if i := strings.Index(low, word); i >= 0 && (len(low) == i+len(word) || low[i+len(word)] == ' ') {
			return name[:i], true
		}
	}
	return name, false
}

// cutTiming takes off what --timing puts behind a name: " in 12ms", or " [12]" in its
// pretty form.
func cutTiming(name string) (string, int64) {
	if i := strings.LastIndex(name, " in "); i > 0 {
		if n, ok := strings.CutSuffix(strings.TrimSuffix(name[i+4:], "sec"), "ms"); ok && lex.IsDigits(n) {
			return name[:i], int64(atoi(n))
		}
	}
	name = strings.TrimSuffix(name, " []")
	if i := strings.LastIndex(name, " ["); i > 0 && lex.IsDigits(strings.TrimSuffix(name[i+2:], "]")) && strings.HasSuffix(name, "]") {
		return name[:i], int64(atoi(name[i+2 : len(name)-1]))
	}
	return name, 0
}

// below takes a line below a failed test: where it failed, which command, and
// what was printed.
func (b *bats) below(s *read.Sink, l tool.Line, t string) {
	f := s.Last()
	text := strings.TrimSpace(strings.TrimPrefix(t, "#"))
	path, line, ok := cutTestFile(text)
	switch {
	case ok && (f.At == nil || !strings.HasPrefix(text, "in test file") || read.Own(s.In, []result.Location{*f.At}) == nil): // a helper of the project, none of bats
		f.At = &result.Location{Path: path, Line: line}
	case strings.HasPrefix(text, "`") && strings.Contains(text, "' failed") && f.Message == "failed":
		f.Message = text
	case strings.HasSuffix(f.Message, "failed with status 127") && strings.HasSuffix(text, ": command not found"):
		f.Message += ": " + text[strings.LastIndex(strings.TrimSuffix(text, ": command not found"), ": ")+2:]
	case batsReason(f.Message, []string{text}) != f.Message:
		f.Message = batsReason(f.Message, []string{text})
	case strings.HasSuffix(f.Detail, "Last output:"): // of --print-output-on-failure
		f.Actual = text
	case f.Message == "failed" && strings.Contains(text, ": syntax error"):
		if d, ok := read.CutDiagnostic(text); ok {
			f.At, f.Message = &d.At, strings.TrimSpace(d.Word+" "+d.Message)
		}
	}
	s.More(l)
}

// batsReason adds what the command that failed said itself: "cp: cannot stat 'a'".
func batsReason(message string, said []string) string {
	for _, text := range said {
		command, _, ok := strings.Cut(text, ": ")
		if ok && strings.HasSuffix(message, "' failed") && (strings.HasPrefix(message, "`"+command+" ") || strings.Contains(message, " "+command+" ")) {
			return message + ": " + text
		}
	}
	return message
}

// batsMessage is what JUnit's text has below the places: the command that failed.
func batsMessage(message string, text []string) string {
	for i, line := range text {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "`") && strings.Contains(line, "' failed") {
			return batsReason(line, text[i+1:])
		}
	}
	return message
}

// cutTestFile reads "(in test file t/demo.bats, line 6)" and "(from function
// `helper' in file t/demo.bats, line 9,".
func cutTestFile(text string) (path string, line int, ok bool) {
	for _, mark := range [...]string{"in test file ", "in file "} {
		_, rest, has := strings.Cut(text, mark)
		path, number, found := strings.Cut(rest, ", line ")
		if has && found && (text[0] == '(' || strings.HasPrefix(text, mark)) {
			return path, lex.LeadingNumber(number), true
		}
	}
	return "", 0, false
}

func (b *bats) trouble(s *read.Sink, l tool.Line, t string) {
	t = strings.TrimPrefix(t, "# ")
	kind, severity := result.GenericFinding, result.SevError
	if strings.HasPrefix(t, "bats warning: ") {
		kind, severity = result.Diagnostic, result.SevWarning
	} else {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, result.Finding{Kind: kind, Severity: severity, Message: t})
	s.Break()
}

// end compares the tests with the plan: bats has no other closing line.
func (b *bats) end(s *read.Sink) {
	s.Tested, s.NoTests = b.seen > 0, b.planned == 0
	if b.planned >= 0 {
		s.Claim(b.failed)
		if b.seen > b.planned {
			s.Doubt = "a test printed what looks like a test"
		}
	}
	if b.planned >= 0 && b.seen >= b.planned || b.failed > 0 || s.Meaning != "" {
		s.EndHere()
	}
}

// cutPoint reads "not ok 3 name" and "ok 3 - name".
func cutPoint(t string) (ok bool, number int, name string, found bool) {
	rest, failed := strings.CutPrefix(t, "not ok ")
	if !failed {
		if rest, ok = strings.CutPrefix(t, "ok "); !ok {
			return false, 0, "", false
		}
	}
	digits, name, _ := strings.Cut(rest, " ")
	return !failed, atoi(digits), strings.TrimPrefix(name, "- "), lex.IsDigits(digits)
}

// atoi is a number that may be 0.
func atoi(s string) int { return lex.Atoi(strings.TrimLeft(s, "0")) }
