package php

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("phpunit paratest | phpunit.phar simple-phpunit", func(p *tool.Parser) {
	p.Is("phpunit", result.Test, 2, "PHPUnit 8 to 13: default, verbose, debug, testdox, teamcity")
	p.Filter = tool.Filter{Flag: "--filter", Spell: phpunitTest, Again: read.AgainExactly("--filter", "/^%s$/")}
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--log-junit"), Shared: true, Programs: []string{"phpunit"}}}
	p.JUnit = phpunitReports
	p.Reads(tool.Format{Name: "text", Prints: read.NoMarks(".FEIRSDNPW"), Starts: []string{"PHPUnit … by Sebastian Bergmann", phpunitCrash}, Parse: parsePHPUnit})
	p.Reads(tool.Format{Name: "unended", Starts: []string{"PHPUnit … by Sebastian Bergmann"}, Parse: read.Unended{
		Ends: func(text string) bool {
			return lex.HasAnyPrefix(text, "OK ", "OK, ", "Tests: ", "Time: ", "There w", "##teamcity")
		},
		Failed: read.Marks(".FEWRISDN", "FE"),
	}.Parse})
	p.Reads(tool.Format{Name: "usage", Parse: read.Text{Line: phpunitUsage}.Parse})
}, tool.WritesFiles)

// phpunitTest returns a test's name for --filter. It leaves out the namespace, whose backslashes would be escapes in
// the filter's regular expression.
func phpunitTest(f *result.Finding) string {
	class, method, ok := strings.Cut(f.ID, "::")
	if !ok {
		return ""
	}
	if name, set, ok := strings.Cut(method, " with data set "); ok {
		if method = name + set; set[0] == '"' { // "#0" stays as it is
			method = name + "@" + strings.Trim(set, `"`)
		}
	}
	return class[strings.LastIndexByte(class, '\\')+1:] + "::" + method
}

// phpunit reads the lists after a run, or the rows that testdox and teamcity print while the tests run.
type phpunit struct {
	list  result.Severity   // the severity of the list that is being read; "" if it holds no failures
	class string            // the heading above the rows of testdox
	doc   *read.Block       // the failed row of testdox that is being read
	ids   map[string]string // for each name in teamcity's messages, the test's id
	came  read.Outcome      // the outcome so far of teamcity's running test

	summary bool // testdox repeats the tests that did not pass
	runner  bool // the list holds messages of the runner itself
}

// phpunitCrash is the first line that PHPUnit prints when it fails itself.
const phpunitCrash = "An error occurred inside PHPUnit."

func parsePHPUnit(in *tool.Input) *tool.Report {
	p := &phpunit{ids: map[string]string{}}
	rep := read.Numbered{Take: p.take, Ends: phpunitEnds, Other: p.other, Closes: true, Head: p.isHead, End: p.endDoc}.Parse(in)
	if rep == nil {
		return nil
	}
	for i := range rep.Findings {
		if f := &rep.Findings[i]; f.Name != "" && p.ids[f.Name] != "" {
			f.ID = p.ids[f.Name]
		}
	}
	return rep
}

// isHead accepts a test, a class whose set-up failed, the place of a warning, and a message of the runner itself.
func (p *phpunit) isHead(title string) bool {
	return strings.Contains(title, "::") || result.IsAbsolute(title) || strings.HasSuffix(title, ".phpt") || p.list != "" && (p.runner || isPHPClass(title))
}

// phpunitSeverity returns the severity of a list by the word in "There were 2 errors:"; "" for skipped or incomplete
// tests.
func phpunitSeverity(word string) result.Severity {
	return result.Severity(lex.Means(word, "error: error, errors; failure: failure, failures; warning: risky, warning, warnings, PHPUnit"))
}

// phpunitList reads the head of a list, "There were 2 errors:".
func phpunitList(text string) (severity result.Severity, ok bool) {
	rest, was := lex.CutAnyPrefix(text, "There was ", "There were ")
	words := strings.Fields(strings.TrimSuffix(rest, ":"))
	if was && len(words) > 1 && strings.HasSuffix(text, ":") {
		if words[1] == "PHPUnit" && strings.HasPrefix(words[len(words)-1], "error") {
			return result.SevError, true
		}
		return phpunitSeverity(words[1]), true
	}
	// "1 test triggered 1 PHP warning:", of which the counts have the number
	return result.SevWarning, strings.HasSuffix(text, ":") && strings.Contains(text, " triggered ") && text[0] >= '1' && text[0] <= '9'
}

func phpunitEnds(text string) bool {
	_, ok := phpunitList(text)
	return ok || text == "--" || isPHPUnitEnd(text)
}

// isPHPUnitEnd reports whether text is the verdict or the line of counts.
func isPHPUnitEnd(text string) bool {
	switch text {
	case "FAILURES!", "ERRORS!", "WARNINGS!", "No tests executed!":
		return true
	}
	return strings.HasPrefix(text, "OK (") || strings.HasPrefix(text, "OK, but ") || strings.HasPrefix(text, "Tests: ") && strings.Contains(text, ", Assertions: ")
}

func (p *phpunit) other(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if severity, ok := phpunitList(t); ok {
		p.endDoc(s)
		p.list, p.runner = severity, strings.Contains(t, " test runner ")
		return true
	}
	switch {
	case strings.HasPrefix(t, "PHPUnit ") && strings.Contains(t, " by Sebastian Bergmann"):
		s.Sign(l)
		s.Anew()
		s.Version = strings.Fields(t)[1]
	case isPHPUnitEnd(t):
		p.endDoc(s)
		s.Close(l)
		phpunitCounts(s, t)
	case p.debug(s, t):
	case strings.HasPrefix(t, "Summary of non-successful tests:"), strings.HasPrefix(t, "Summary of tests with "):
		p.endDoc(s)
		p.summary = true
	case strings.HasPrefix(t, "##teamcity["):
		p.teamcity(s, l)
	case lex.HasAnyPrefix(t, "Time: ", "Runtime: ", "Configuration: ", "Random Seed: "), t == "--":
	case phpunitUsage(s, l), phpunitCrashed(s, l):
	case strings.HasPrefix(t, "  phpunit [options] "): // the usage: the command named no tests
		s.Meaning = result.MeansUsage
		s.Close(l)
	case s.Meaning == result.MeansUsage:
	default:
		return p.testdox(s, l) || s.Signed && t == ""
	}
	return true
}

// phpunitCounts reads "OK (12 tests, 7 assertions)" and "Tests: 12, Assertions: 7, Errors: 2".
func phpunitCounts(s *read.Sink, t string) {
	switch {
	case strings.HasPrefix(t, "OK ("):
		n := lex.LeadingNumber(t[len("OK ("):])
		s.Total(0, map[string]int{"passed": n})
		s.Tested = s.Tested || n > 0
	case t == "No tests executed!":
		s.NoTests = true
	case strings.HasPrefix(t, "Tests: "):
		c := read.CountsBehind(t)
		bad := c["failures"] + c["errors"]
		s.Total(bad, map[string]int{
			"passed": max(c["tests"]-bad-c["skipped"]-c["incomplete"]-c["risky"], 0),
			"failed": c["failures"], "error": c["errors"], "skipped": c["skipped"],
		})
		for _, kind := range []string{"incomplete", "risky"} {
			if c[kind] > 0 {
				s.Count(kind, c[kind])
			}
		}
		s.Tested = s.Tested || c["tests"] > 0
	}
}

// take reads a failure in a list: the test, the message, a diff, the frames.
func (p *phpunit) take(s *read.Sink, b *read.Block) {
	if p.list == "" {
		return
	}
	f := phpSaid(s.In, b.Body)
	f.Kind, f.Severity, f.ID = result.TestFailure, p.list, phpTestID(b.Title)
	if at, rest, ok := place.CutPlace(b.Title); ok && rest == "" {
		f = result.Finding{Severity: p.list, At: &at, Detail: f.Detail}
		f.Message, _, _ = strings.Cut(f.Detail, "\n")
	} else if p.runner {
		f = result.Finding{Severity: p.list, Message: b.Title}
	}
	s.FindBlock(b, f)
}

// phpTestID returns a test's name without a data set's arguments, which PHPUnit shortens.
func phpTestID(title string) string {
	if i := strings.Index(title, " with data ("); i > 0 {
		return title[:i]
	}
	if i := strings.Index(title, ` with data set `); i > 0 {
		rest := title[i+len(` with data set `):]
		if !strings.HasPrefix(rest, `"`) {
			rest, _, _ = strings.Cut(rest, " (")
			return title[:i] + ` with data set ` + rest
		}
		for j := len(title); ; { // both the name and an argument may contain `" (`
			if j = strings.LastIndex(title[:j], `" (`); j < i {
				break
			}
			if strings.Count(title[j:], "'")%2 == 0 {
				return title[:j+1]
			}
		}
	}
	return title
}

// phpSaid makes a finding from the lines below a test.
func phpSaid(in *tool.Input, body []string) result.Finding {
	f := result.Finding{Detail: strings.Join(body, "\n")}
	var frames []result.Location
	var said []string
	for i, line := range body {
		if at, rest, ok := place.CutPlace(line); ok && rest == "" && strings.HasSuffix(at.Path, ".php") {
			frames = append(frames, at)
			continue
		}
		if line == "Caused by" && len(frames) > 0 && i+1 < len(body) {
			f.Related = append(f.Related, result.Related{Message: result.CausedBy + body[i+1]})
			break
		}
		if strings.HasPrefix(line, "--- Expected") && f.Diff == "" {
			f.Diff = strings.Join(diffOf(body[i:]), "\n")
		}
		if f.Diff == "" && len(frames) == 0 && line != "" && len(said) < 4 {
			said = append(said, line)
		}
	}
	read.Locate(in, &f, frames)
	f.Message = strings.Join(said, " ")
	if class, _, ok := strings.Cut(f.Message, ": "); ok && isPHPClass(class) {
		f.Rule = class
	}
	f.Expected, f.Actual = phpValues(f.Message)
	return f
}

// diffOf returns the lines up to the blank line that ends a diff.
func diffOf(lines []string) []string {
	for i, line := range lines {
		if line == "" {
			return lines[:i]
		}
	}
	return lines
}

func isPHPClass(word string) bool {
	return word != "" && word[0] >= 'A' && word[0] <= 'Z' &&
		strings.Trim(word, `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_\`) == ""
}

// phpValues returns the values in "Failed asserting that 4 is identical to 5."
func phpValues(message string) (expected, actual string) {
	_, rest, ok := strings.Cut(message, "Failed asserting that ")
	for _, verb := range [...]string{" is identical to ", " matches expected "} {
		if left, right, has := strings.Cut(rest, verb); ok && has {
			return strings.TrimSuffix(right, "."), left
		}
	}
	return "", ""
}

// phpunitUsage reads PHPUnit's messages when it cannot begin.
func phpunitUsage(s *read.Sink, l tool.Line) bool {
	return s.MisuseIf(l, "Could not read \"", "Unknown option \"", "Cannot open file \"", "Test file \"", "Test directory \"", "Could not use \"", "Could not load \"", "option requires an argument", "Class \"") && s.Close(l)
}

var phpunitReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && tag.Has("assertions") && tag.Has("warnings") == tag.Has("skipped")
	},
	Wrote:  func(c *tool.Case, _ *tool.Outcome) bool { return c.Owner != "" && c.Class != "" },
	Passes: func(class string) bool { return strings.HasSuffix(class, `\RiskyTestError`) },
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		return cmp.Or(n.Owner, n.Class) + "::" + n.Name, nil
	},
}
