package eslint

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"strconv"
	"strings"
	"unsafe"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/sarif"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintJSONStarts begins the single line of json and of json-with-metadata; an absolute path follows.
var eslintJSONStarts = []string{`[{"filePath":"`, `{"results":[{"filePath":"`}

// eslintFile has the problems that eslint found in one file.
type eslintFile struct {
	FilePath            string
	Messages            []eslintMessage
	Source              string
	ErrorCount          int
	WarningCount        int
	FixableErrorCount   int
	FixableWarningCount int
}

type eslintMessage struct {
	RuleID      string `json:"ruleId"`
	Severity    int
	Message     string
	Line        int
	Column      int
	EndLine     int
	EndColumn   int
	Fix         *eslintFix
	Suggestions []struct {
		Desc string
		Fix  *eslintFix
	}
}

// eslintFix replaces a range of the source, in UTF-16 units from its beginning.
type eslintFix struct {
	Range [2]int
	Text  string
}

func parseESLintJSON(in *tool.Input) *tool.Report {
	e := newESLint(in)
	e.sure = true
	return e.document(read.JSON{OneLine: true, Items: map[string]func(s *read.Sink, item []byte) error{"/*": e.file, "/results/*": e.file}}.Parse)
}

var errESLintFile = errors.New("the element is no file that eslint looked at")

// file takes an element of the list.
func (e *eslint) file(s *read.Sink, item []byte) error {
	s.Signed = s.Signed || bytes.Contains(item, []byte(`"usedDeprecatedRules":`)) || bytes.Contains(item, []byte(`"fatalErrorCount":`))
	file, ok := readESLintFile(item, s.Crowded())
	if !ok {
		return errESLintFile
	}
	s.Claim(file.ErrorCount)
	e.counts(file.ErrorCount+file.WarningCount, file.ErrorCount)
	e.fixes += file.FixableErrorCount + file.FixableWarningCount
	if file.Messages == nil {
		s.Drop(result.SevError, file.ErrorCount)
		s.Drop(result.SevWarning, file.WarningCount)
	}
	var lines []int
	for i := range file.Messages {
		m := &file.Messages[i]
		if s.Full(eslintSeverity(m.Severity != 1)) {
			continue
		}
		f := eslintProblem(m.RuleID, m.Message, m.Severity != 1, result.Location{
			Path: file.FilePath, Line: max(m.Line, 0), Column: max(m.Column, 0), EndLine: max(m.EndLine, 0), EndColumn: max(m.EndColumn, 0),
		})
		if lines == nil && file.Source != "" && (m.Fix != nil || len(m.Suggestions) > 0) {
			lines = utf16Lines(file.Source)
		}
		m.help(&f, file.FilePath, lines)
		s.FindHere(f)
	}
	return nil
}

// readESLintFile reads an element of the list, or only its counts. An element without messages is not decoded, since
// most files are clean.
func readESLintFile(item []byte, onlyCounts bool) (f eslintFile, ok bool) {
	if onlyCounts {
		if counts, ok := countESLintFile(unsafe.String(unsafe.SliceData(item), len(item))); ok {
			return counts, true
		}
	}
	if bytes.Contains(item, []byte(`"messages":[],`)) {
		return f, true
	}
	if onlyCounts {
		return f, false
	}
	ok = json.Unmarshal(item, &f) == nil && f.FilePath != ""
	return f, ok
}

// countESLintFile reads the counts of an element. It keeps no part of item.
func countESLintFile(item string) (f eslintFile, ok bool) {
	jsontext.Numbers(item, func(key string, n int) {
		switch key {
		case "errorCount":
			f.ErrorCount, ok = n, true
		case "warningCount":
			f.WarningCount = n
		case "fixableErrorCount":
			f.FixableErrorCount = n
		case "fixableWarningCount":
			f.FixableWarningCount = n
		}
	})
	return f, ok
}

// help adds eslint's proposals to a finding. --fix applies a fix. A suggestion is for an editor, since it may change
// the program's behaviour.
func (m *eslintMessage) help(f *result.Finding, path string, lines []int) {
	if m.Fix != nil {
		f.Fixable = true
		f.Fixes = append(f.Fixes, m.Fix.fix("", "safe", path, lines))
	}
	for _, s := range m.Suggestions {
		f.Suggestions = append(f.Suggestions, s.Desc)
		if s.Fix != nil {
			f.Fixes = append(f.Fixes, s.Fix.fix(s.Desc, "unsafe", path, lines))
		}
	}
}

func (x *eslintFix) fix(what, applicability, path string, lines []int) result.Fix {
	fix := result.Fix{Description: what, Applicability: applicability}
	if len(lines) > 0 && x.Range[0] >= 0 && x.Range[0] <= x.Range[1] {
		fix.Edits = []result.Edit{{Path: path, Start: utf16Position(lines, x.Range[0]), End: utf16Position(lines, x.Range[1]), Text: x.Text}}
	}
	return fix
}

// utf16Lines returns the offsets at which the lines of a source begin, in UTF-16 units. Lines end with the line
// terminators of ECMAScript.
func utf16Lines(source string) []int {
	lines, n := []int{0}, 0
	for i, c := range source {
		n++
		if c > 0xffff {
			n++
		}
		if c == '\n' || c == '\u2028' || c == '\u2029' || c == '\r' && (i+1 == len(source) || source[i+1] != '\n') {
			lines = append(lines, n)
		}
	}
	return lines
}

// utf16Position returns an offset as "line:column", both 1-based.
func utf16Position(lines []int, offset int) string {
	line := len(lines) - 1
	for low := 0; low < line; {
		if mid := (low + line + 1) / 2; lines[mid] <= offset {
			low = mid
		} else {
			line = mid - 1
		}
	}
	return strconv.Itoa(line+1) + ":" + strconv.Itoa(offset-lines[line]+1)
}

// parseESLintSARIF reads the output of the sarif formatter. Problems with a rule are results; those without, such as
// files that do not parse, are notifications about the configuration.
func parseESLintSARIF(in *tool.Input) *tool.Report {
	e, urls, named := newESLint(in), map[string]string{}, false
	e.sure = true
	problem := func(s *read.Sink, item []byte) error {
		r, ok := sarif.Read(string(item))
		if !ok {
			return errESLintFile
		}
		var silenced struct{ Suppressions []json.RawMessage } // suppressed by a comment in the source
		if !bytes.Contains(item, []byte(`"suppressions"`)) || json.Unmarshal(item, &silenced) != nil || len(silenced.Suppressions) == 0 {
			f := eslintProblem(lex.Deref(r.RuleID), r.Message.Text, r.Severity() == result.SevError, r.Locations[0].At())
			f.RuleURL = urls[f.Rule]
			s.FindHere(f)
		}
		return nil
	}
	rep := read.JSON{Items: map[string]func(s *read.Sink, item []byte) error{
		sarif.Result: problem,
		"/runs/*/invocations/*/toolConfigurationNotifications/*": problem,
		sarif.Name:                    read.Item(func(_ *read.Sink, name *string) { named = *name == "ESLint" }),
		sarif.Version:                 read.Item(func(s *read.Sink, version *string) { s.Version = *version }),
		"/runs/*/tool/driver/rules/*": read.Item(func(_ *read.Sink, rule *struct{ ID, HelpURI string }) { urls[rule.ID] = rule.HelpURI }),
	}}.Parse
	return e.document(func(in *tool.Input) *tool.Report {
		if rep := rep(in); named {
			return rep
		}
		return nil
	})
}

// checkstyleRule begins the attribute source of a problem.
const checkstyleRule = "eslint.rules."

// sniffESLintCheckstyle reports whether a checkstyle document, which many tools write, may be eslint's. If the first
// line has no rule, the command has to name eslint.
func sniffESLintCheckstyle(line string) bool {
	return strings.Contains(line, ` source="`+checkstyleRule) || strings.Contains(line, ` source=""`) || !strings.Contains(line, "<error ")
}

func parseESLintCheckstyle(in *tool.Input) *tool.Report {
	e := newESLint(in)
	ours := e.named
	parse := read.Checkstyle(func(f *result.Finding) {
		rule, its := strings.CutPrefix(f.Rule, checkstyleRule)
		ours = ours || its
		eslintFit(f, rule)
	})
	return e.document(func(in *tool.Input) *tool.Report {
		if rep := parse(in); ours {
			return rep
		}
		return nil
	})
}

func parseESLintJUnit(in *tool.Input) *tool.Report {
	return newESLint(in).document(read.Fitted(junit.OwnLints, junitProblem))
}

// junitProblem gives a JUnit case the form of other formats' findings: the case is named after the rule, and its
// text, "line 3, col 7, Warning - message (rule)", is escaped twice.
func junitProblem(f *result.Finding) {
	if f.Rule == "unknown" {
		f.Rule = ""
	}
	f.Message = html.UnescapeString(f.Message)
	eslintFit(f, f.Rule)
}

// eslintFit gives a finding the same form as in other formats.
func eslintFit(f *result.Finding, rule string) {
	kind, span := f.Kind, f.RawSpan
	*f = eslintProblem(rule, strings.TrimSuffix(f.Message, " ("+rule+")"), f.Severity == result.SevError, *f.At)
	f.Kind, f.RawSpan = kind, span
}
