package read

import (
	"cmp"
	"io"
	"iter"
	"strings"
	"sync"

	"cairn/parsers/read/sarif"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// SARIF reads a log in SARIF 2.1.0. fit changes each finding into what the tool's other formats give; it may be
// nil.
func SARIF(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		levels, bare := map[string]string{}, map[int]string{}
		return JSON{Items: map[string]func(*Sink, []byte) error{
			sarif.Version: Item(func(s *Sink, v *string) { s.Version = *v }),
			sarif.Rule:    Item(func(_ *Sink, r *sarif.RuleRecord) { levels[r.ID] = r.DefaultConfiguration.Level }),
			sarif.Result: Item(func(s *Sink, r *sarif.Record) {
				f := sarifFinding(r)
				if s.last = -1; fit != nil {
					fit(&f)
				}
				if s.FindHere(f); r.Level == "" && r.RuleID != nil && s.kept() != nil {
					bare[s.last] = *r.RuleID
				}
			}),
		}, End: func(s *Sink) {
			for i, rule := range bare { // a result without a level has the level of its rule
				if level := levels[rule]; level != "" && i < len(s.Findings) {
					s.Findings[i].Severity, s.Findings[i].RawSeverity = (&sarif.Record{Level: level}).Severity(), level
				}
			}
		}}.Parse(in)
	}
}

func sarifFinding(r *sarif.Record) result.Finding {
	f := result.Finding{Severity: r.Severity(), RawSeverity: r.Level, Message: cmp.Or(r.Message.Text, r.Message.Markdown, r.Message.ID), Fixes: r.AllFixes()}
	if r.RuleID != nil {
		f.Rule = *r.RuleID
	}
	if len(r.Locations) > 0 {
		at := r.Locations[0].At()
		f.At = &at
	}
	return f
}

// CodeQuality reads issues in Code Climate's format, which GitLab's code quality reports follow: an array of
// issues, or one after the other. fit changes each finding into what the tool's other formats give; it may be nil.
//
//	{"check_name": "rule", "description": "text", "severity": "major",
//	 "location": {"path": "src/a.go", "lines": {"begin": 3}}}
func CodeQuality(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	take := Item(func(s *Sink, v *qualityIssue) {
		if v.CheckName == "" && v.Location.Path == "" {
			s.Doubt = "an issue has neither a name nor a path"
			return
		}
		f := v.finding()
		if fit != nil {
			fit(&f)
		}
		s.FindHere(f)
	})
	return JSON{Items: map[string]func(*Sink, []byte) error{"/*": take, "": take}}.Parse
}

type qualityIssue struct {
	CheckName   string `json:"check_name"`
	Description string
	Severity    string
	URL         string
	Content     struct{ Body string }
	Fingerprint string
	Location    struct {
		Path      string
		Lines     struct{ Begin, End int }
		Positions struct{ Begin, End struct{ Line, Column int } }
	}
}

func (v *qualityIssue) finding() result.Finding {
	at := result.Location{Path: v.Location.Path, Line: v.Location.Lines.Begin, EndLine: v.Location.Lines.End}
	if p := v.Location.Positions; p.Begin.Line > 0 {
		at.Line, at.Column, at.EndLine, at.EndColumn = p.Begin.Line, p.Begin.Column, p.End.Line, p.End.Column
	}
	rule := v.CheckName
	if rule == "" { // "no-empty-servers-#/info": the checked part follows the rule
		rule, _, _ = strings.Cut(v.Fingerprint, "-#/")
		rule = strings.TrimSuffix(rule, v.Fingerprint)
	}
	return result.Finding{
		Severity: qualitySeverity(v.Severity), RawSeverity: v.Severity, Rule: rule, RuleURL: v.URL,
		Message: v.Description, Detail: strings.TrimSpace(v.Content.Body), At: &at,
	}
}

// qualitySeverity maps the specification's info, minor, major, critical and blocker; tools use the last three for
// errors.
func qualitySeverity(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "warning: minor; info: info")), result.SevError)
}

// Checkstyle reads XML in the format of Checkstyle: an element for each file, and in it one for each problem. fit
// changes each finding into what the tool's other formats give; it may be nil.
//
//	<file name="src/a.go">
//	  <error line="3" column="7" severity="warning" message="text" source="rule"/>
//
// A tag may span several lines, and a line may hold a whole document of any length: each finding has the span of
// its own element.
func Checkstyle(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return Fresh(func(c *checkstyle) Text {
		c.fit = fit
		return Text{Closes: true, Line: c.line}
	})
}

// checkstyle is the state of reading such a document.
type checkstyle struct {
	fit  func(f *result.Finding)
	open bool
	tag  string // the beginning of a tag that continues on the next line

	graded map[string]result.Severity // the severity that fit gave for each severity in the document
}

// maxTag bounds a tag that spans several lines, in bytes.
const maxTag = 16 << 10

func (c *checkstyle) line(s *Sink, l tool.Line) bool {
	if c.open = c.open || strings.Contains(l.Text, "<checkstyle"); !c.open {
		return false
	}
	s.Cover(l)
	text, before := l.Text, int64(0) // before: how many bytes of text come from earlier lines
	if c.tag != "" {
		before = int64(len(c.tag)) + 1
		text, c.tag = c.tag+" "+text, ""
	}
	if at := strings.LastIndexByte(text, '<'); at >= 0 && !l.Cut && len(text)-at < maxTag && !strings.Contains(text[at:], ">") {
		text, c.tag = text[:at], text[at:]
	}
	source := io.Reader(strings.NewReader(text))
	if l.Cut {
		pieces, stop := iter.Pull2(WholeLine(s.In, l))
		defer stop()
		source = &lineReader{next: func() (tool.Line, bool) {
			_, piece, ok := pieces()
			return tool.Line{Text: piece}, ok
		}}
	}
	several := l.Cut || strings.Count(text, "<error ") > 1
	for x := xmltext.NewScanner(source); x.Next() != xmltext.End; {
		switch {
		case x.Kind == xmltext.Open && string(x.Name) == "file":
			s.Path = x.Attr("name")
		case x.Kind == xmltext.Open && string(x.Name) == "error":
			part := l
			if several {
				part = PartOfLine(l, l.Start+max(0, x.Start-before), l.Start+x.Offset()-before)
			}
			c.problem(s, part, x)
		case x.Kind == xmltext.Close && string(x.Name) == "checkstyle":
			s.Close(l)
			c.open = false
		}
	}
	return true
}

func (c *checkstyle) problem(s *Sink, l tool.Line, x *xmltext.Scanner) {
	if severity, ok := c.graded[string(x.RawAttr("severity"))]; ok && s.Crowded() {
		s.Tell(l, severity)
		return
	}
	word := x.Attr("severity")
	f := result.Finding{
		Severity: SeverityOf(word), RawSeverity: word, Rule: x.Attr("source"), Message: x.Attr("message"),
		At: &result.Location{Path: s.Path, Line: x.Number("line"), Column: x.Number("column")},
	}
	if c.fit != nil {
		c.fit(&f)
	}
	if c.graded == nil {
		c.graded = make(map[string]result.Severity)
	}
	c.graded[word] = f.Severity
	s.Find(l, f)
}

// Workflow is a command that a linter prints for GitHub's log:
//
//	::error file=a.py,line=3,col=7,title=C0116::text
type Workflow struct {
	Diagnostic
	Level string // as written: notice, for which Word is info
	Title string
}

var workflowData = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
})

// CutWorkflow reads such a line; ok is false for a line without a file.
func CutWorkflow(line string) (w Workflow, ok bool) {
	rest, ok := strings.CutPrefix(line, "::")
	head, message, has := strings.Cut(rest, "::")
	word, list, props := strings.Cut(head, " ")
	if w.Word, w.Level = word, word; word == "notice" {
		w.Word = "info"
	}
	if !ok || !has || !props || SeverityOf(w.Word) == "" {
		return w, false
	}
	w.Message = workflowData().Replace(message)
	for p := range strings.SplitSeq(list, ",") {
		key, value, _ := strings.Cut(p, "=")
		switch value = workflowData().Replace(value); strings.ToLower(key) {
		case "file":
			w.At.Path = value
		case "line":
			w.At.Line = lex.Atoi(value)
		case "col", "column":
			w.At.Column = lex.Atoi(value)
		case "endline":
			w.At.EndLine = lex.Atoi(value)
		case "endcolumn":
			w.At.EndColumn = lex.Atoi(value)
		case "title":
			w.Title = value
		}
	}
	w.Message = cutPosition(w.Message)
	if _, rule, ok := lex.CutLast(w.Title, " ["); ok && strings.HasSuffix(rule, "]") { // "TextLint [no-todo]"
		w.Rule = strings.TrimSuffix(rule, "]")
	}
	return w, w.At.Path != ""
}

// cutPosition removes a repeated position from the end of a message: "text | 3:7".
func cutPosition(message string) string {
	text, position, _ := lex.CutLast(message, " | ")
	if line, column, ok := strings.Cut(position, ":"); ok && lex.IsDigits(line) && lex.IsDigits(column) {
		return text
	}
	return message
}

// Finding returns the command as a finding; its rule is the title, unless the linter gives another.
func (w *Workflow) Finding() result.Finding {
	return result.Finding{Severity: SeverityOf(w.Word), RawSeverity: w.Word, Rule: cmp.Or(w.Rule, w.Title), Message: w.Message, At: &w.At}
}

// WorkflowCommands reads the commands for GitHub's log that a linter prints, one per finding. fit changes a
// finding, and reports whether it is the linter's; it may be nil.
func WorkflowCommands(fit func(f *result.Finding) bool) func(in *tool.Input) *tool.Report {
	return Text{Line: func(s *Sink, l tool.Line) bool {
		w, ok := CutWorkflow(l.Text)
		if !ok {
			return strings.HasPrefix(l.Text, "::group::") || l.Text == "::endgroup::"
		}
		f := w.Finding()
		return (fit == nil || fit(&f)) && s.Find(l, f)
	}}.Parse
}
