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

// bats reads TAP, and bats's explanation below a failed test: a comment, YAML, or, with --pretty, indented lines:
//
//	not ok 2 fails on compare
//	# (in test file t/demo.bats, line 6)
//	#   `[ "$output" = "goodbye" ]' failed
type bats struct {
	planned, seen int
	number        int  // the number of the last test
	tap           bool // the output is TAP, in which rows with marks (" ✗ ") are output of tests
	failed        int
	untimed       bool // the first row has no duration, so no row has
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

// point reports a test. ok says whether its row passed; name may end with " # skip why" and a duration.
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
	s.Counted(one)
	if s.Break(); one.Outcome == tool.Failed {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: one.ID, Message: "failed"})
	}
}

// cutDirective cuts a directive of TAP, " # skip why", off a name. A name may contain another "#".
func cutDirective(name string) (rest string, skipped bool) {
	low := strings.ToLower(name)
	for _, word := range [...]string{" # skip", " # todo"} {
		if i := strings.Index(low, word); i >= 0 && (len(low) == i+len(word) || low[i+len(word)] == ' ') {
			return name[:i], true
		}
	}
	return name, false
}

// cutTiming cuts the duration off a name and returns it in milliseconds. --timing prints " in 12ms", or " [12]" with
// --pretty.
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

// below reads a line below a failed test: the place, the failed command, or output.
func (b *bats) below(s *read.Sink, l tool.Line, t string) {
	f := s.Last()
	text := strings.TrimSpace(strings.TrimPrefix(t, "#"))
	path, line, ok := cutTestFile(text)
	switch {
	case ok && (f.At == nil || !strings.HasPrefix(text, "in test file") || read.Own(s.In, []result.Location{*f.At}) == nil): // a helper in the project comes before the test file
		f.At = &result.Location{Path: path, Line: line}
	case strings.HasPrefix(text, "`") && strings.Contains(text, "' failed") && f.Message == "failed":
		f.Message = text
	case strings.HasSuffix(f.Message, "failed with status 127") && strings.HasSuffix(text, ": command not found"):
		f.Message += ": " + text[strings.LastIndex(strings.TrimSuffix(text, ": command not found"), ": ")+2:]
	case batsReason(f.Message, []string{text}) != f.Message:
		f.Message = batsReason(f.Message, []string{text})
	case strings.HasSuffix(f.Detail, "Last output:"): // --print-output-on-failure
		f.Actual = text
	case f.Message == "failed" && strings.Contains(text, ": syntax error"):
		if d, ok := read.CutDiagnostic(text); ok {
			f.At, f.Message = &d.At, strings.TrimSpace(d.Word+" "+d.Message)
		}
	}
	s.More(l)
}

// batsReason appends the failed command's own error, "cp: cannot stat 'a'", to the message.
func batsReason(message string, said []string) string {
	for _, text := range said {
		command, _, ok := strings.Cut(text, ": ")
		if ok && strings.HasSuffix(message, "' failed") && (strings.HasPrefix(message, "`"+command+" ") || strings.Contains(message, " "+command+" ")) {
			return message + ": " + text
		}
	}
	return message
}

// batsMessage returns the failed command in the text of a JUnit report, or message if the text has none.
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

// atoi parses decimal digits that may begin with zeros.
func atoi(s string) int { return lex.Atoi(strings.TrimLeft(s, "0")) }
