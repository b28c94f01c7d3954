package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ansible-lint", func(p *tool.Parser) {
	p.Is("ansible-lint", result.Lint, 1, "ansible-lint 5 to 26: full, brief, quiet, pep8, codeclimate and json")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansFindings, 3: result.MeansUsage, 4: result.MeansFindings, 8: result.MeansFindings, 130: result.MeansInterrupted}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{ // the codeclimate format
		At: []string{"/*"}, Clean: true, Path: "location.path", Line: "location.lines.begin location.positions.begin.line", Column: "location.positions.begin.column",
		Rule: "check_name", URL: "url", Severity: "severity", Message: "description", Detail: "content.body",
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*ansibleLint).line)})
	p.Reads(read.PythonTrouble("ansible-lint"))
})

// ansibleLint reads a rule and its message, and the place in the line below it:
//
//	fqcn[action-core]: Use FQCN for builtin module actions (shell).
//	site.yml:3:5 Use `ansible.builtin.shell` instead.
//
// and the formats of one line, "site.yml:3: fqcn[action-core]: text" and
// "site.yml:3:5: fqcn[action-core] text".
type ansibleLint struct {
	rule, message string
	head          tool.Line
	summary       bool // the list of rules with their counts follows
}

func (a *ansibleLint) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	at, rest, placed := place.Cut(text)
	name, where, _ := strings.Cut(text, " ")
	quiet := place.LastColons(where) // the format quiet: "yaml play.yml:3:7"; the column may be missing
	if path, line, ok := place.CutLineNumber(where); quiet == nil && ok {
		quiet = &result.Location{Path: path, Line: line}
	}
	switch {
	case isAnsibleRule(name) && quiet != nil:
		return s.Find(l, result.Finding{Rule: name, Message: name, At: quiet})
	case placed && a.rule != "" && l.Stream == a.head.Stream:
		s.Find(a.head, result.Finding{Rule: a.rule, Message: a.message, At: &at})
		s.Cover(l)
		s.Last().RawSpan.End, s.Last().Detail = l.End, rest
		if strings.HasPrefix(a.rule, "load-failure") && rest != "" {
			s.Last().Message += ": " + rest // the reason, which the rule's message lacks
		}
		a.rule = ""
		return true
	case placed:
		message, rule := read.First.Cut(rest)
		rule = strings.TrimSuffix(rule, "[/]") // rich, which prints the line, ends a colour with "[/]"
		if !isAnsibleRule(rule) || message == "" {
			return false
		}
		return s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
	case strings.HasPrefix(text, "Failed: ") && strings.Contains(text, " failure(s)"), strings.HasPrefix(text, "Passed: ") && strings.Contains(text, " failure(s)"):
		return s.Found(l, read.Counts(strings.ReplaceAll(text, "(s)", ""))["failure"])
	case strings.HasPrefix(text, "ERROR    "), strings.HasPrefix(text, "CRITICAL "):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimSpace(text[len("ERROR    "):])})
	case strings.HasPrefix(text, "WARNING  Listing "), strings.HasPrefix(text, "# Rule Violation Summary"):
		a.summary = true
		return true
	case text == "" && a.rule == "" || a.summary && (l.Stream == tool.Stderr || strings.Contains(text, " profile:")):
		return len(s.Findings) > 0
	}
	if l.Stream != tool.Stdout {
		return false // ansible may write to stderr between a rule and its place
	}
	a.rule = ""
	if rule, message, ok := strings.Cut(text, ": "); ok && isAnsibleRule(rule) {
		a.rule, a.message, a.head = rule, message, l
	}
	return false
}

// isAnsibleRule reports whether s is a rule: lower-case words with dashes, and perhaps a tag, "fqcn[action-core]".
func isAnsibleRule(s string) bool {
	name, tag, tagged := strings.Cut(s, "[")
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && (!tagged || strings.HasSuffix(tag, "]"))
}
