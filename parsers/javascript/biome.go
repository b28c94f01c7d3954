package javascript

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("biome", func(p *tool.Parser) {
	p.Is("biome", result.Lint, 1, "biome 1.5 to 2.6: the default reporter, concise, summary, json, github, gitlab, rdjson, checkstyle, junit, sarif")
	p.ColumnUnit = "utf16"
	p.JUnit = &tool.Dialect{Own: true, Suite: func(tag *tool.SuiteTag) bool { return tag.All && tag.Name == "Biome" }}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/diagnostics/*": read.Item(biomeItem), "/*": biomeIssue.Item,
		"/summary": read.Item(func(s *read.Sink, v *struct{ Errors int }) { s.Claim(v.Errors) }),
	}}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "junit", Starts: []string{`<testsuites name="Biome"`}, Parse: parseBiomeJUnit})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: biomeSummary}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: annotations(nil)})
	p.Reads(tool.Format{Name: "text", Parse: biomeText})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: no such ", "Error: expected ", "Error: couldn't ")})
})

// biomeMark returns the severity for the mark before a message; "" if mark is not a mark.
func biomeMark(mark string) result.Severity {
	return result.Severity(lex.Means(mark, "error: ×, ✖; warning: !, ⚠; info: i, ℹ"))
}

func biomeText(in *tool.Input) *tool.Report { return (&biome{}).parse(in) }

// biome reads blocks. A line with a horizontal rule has the place and the category; the first line below it that
// begins with a mark is the message:
//
//	src/cart.js:1:16 lint/style/useNodejsImportProtocol  FIXABLE  ━━━━━
//
//	  × text
type biome struct {
	at       *result.Location // place of the current block
	category string
	fixable  bool
	wanted   bool
	head     tool.Line
}

func (b *biome) parse(in *tool.Input) *tool.Report { return read.Text{Line: b.line}.Parse(in) }

func (b *biome) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	mark, rest, _ := strings.Cut(text, " ")
	severity := biomeMark(mark)
	switch {
	case strings.HasSuffix(text, "━━━━"):
		s.Break()
		b.head = l
		return b.begin(strings.TrimSpace(strings.TrimRight(text, "━")))
	case b.wanted && severity != "" && strings.HasPrefix(l.Text, "  "):
		b.message(s, l, severity, strings.TrimSpace(rest))
		return true
	case severity != "" && l.Text[0] != ' ' && b.concise(s, l, severity, rest):
		return true
	case b.summary(s, l, text):
		return true
	case s.Last() != nil:
		return s.More(l)
	}
	return false
}

// begin reads the text before the dashes of the line that opens a block.
func (b *biome) begin(text string) bool {
	where, category, _ := strings.Cut(text, " ")
	b.category, b.fixable = "", strings.Contains(category, "FIXABLE")
	b.category, _, _ = strings.Cut(strings.TrimSpace(category), " ")
	b.at, b.wanted = nil, true
	if b.category == "" {
		return true // "lint ━━━": a block about the whole run
	}
	if b.at = place.LastColons(where); b.at == nil {
		b.at = &result.Location{Path: where}
	}
	return true
}

func (b *biome) message(s *read.Sink, l tool.Line, severity result.Severity, message string) {
	b.wanted = false
	if b.category == "" && (strings.HasPrefix(message, "Some ") || severity != result.SevError) {
		return
	}
	f := result.Finding{Severity: severity, Rule: b.category, Message: biomeSame(strings.TrimSuffix(message, ":")), At: b.at, Fixable: b.fixable}
	if severity == result.SevError && lex.IsOneOf(b.category, "deserialize configuration") || b.category == "" {
		s.Meaning = result.MeansUsage
	}
	s.Find(tool.Line{Start: b.head.Start, End: l.End, Stream: l.Stream}, f)
	s.Signed = true
}

// concise reads "! src/a.js:1:8: lint/x/y: text".
func (b *biome) concise(s *read.Sink, l tool.Line, severity result.Severity, rest string) bool {
	at, text, ok := place.Cut(rest)
	rule, message, has := strings.Cut(text, ": ")
	if !ok || !has || strings.Contains(rule, " ") {
		path, text, has := strings.Cut(rest, ": ")
		if rule, message, ok = strings.Cut(text, ": "); !has || !ok || strings.ContainsAny(path+rule, " ") {
			return false
		}
		at = result.Location{Path: path}
	}
	s.Find(l, result.Finding{Severity: severity, Rule: rule, Message: message, At: &at})
	return s.Break()
}

// summary reads the counts at the end: "Found 2 errors.", "Diagnostics not shown: 3".
func (b *biome) summary(s *read.Sink, l tool.Line, text string) bool {
	switch {
	case strings.HasPrefix(text, "Found ") && (strings.HasSuffix(text, " errors.") || strings.HasSuffix(text, " error.")):
		n := lex.LeadingNumber(text[len("Found "):])
		s.Claim(n)
		s.Count("error", n)
	case strings.HasPrefix(text, "Found ") && (strings.HasSuffix(text, " warnings.") || strings.HasSuffix(text, " warning.")):
		s.Count("warning", lex.LeadingNumber(text[len("Found "):]))
	case strings.HasPrefix(text, "Found ") && strings.Contains(text, " info"):
		s.Count("info", lex.LeadingNumber(text[len("Found "):]))
	case strings.HasPrefix(text, "Diagnostics not shown: "):
		s.Withheld += lex.LeadingNumber(text[len("Diagnostics not shown: "):])
	case strings.HasPrefix(text, "Checked ") && strings.Contains(text, " file"), strings.HasPrefix(text, "Formatted "):
	default:
		return false
	}
	return s.Close(l)
}

// biomeItem reads a diagnostic of json and of rdjson. Up to biome 2.3, json has the source and byte offsets into it.
func biomeItem(s *read.Sink, v *struct {
	Severity, Category string
	Message            json.RawMessage
	Code               struct{ Value string }
	Location           struct {
		Path       json.RawMessage
		Start, End struct{ Line, Column int }
		Range      struct{ Start, End struct{ Line, Column int } }
		Span       []int
		SourceCode string
	}
}) {
	at := &result.Location{Path: biomeSays(v.Location.Path), Line: v.Location.Start.Line, Column: v.Location.Start.Column, EndLine: v.Location.End.Line, EndColumn: v.Location.End.Column}
	if r := v.Location.Range; r.Start.Line > 0 {
		at.Line, at.Column, at.EndLine, at.EndColumn = r.Start.Line, r.Start.Column, r.End.Line, r.End.Column
	}
	if span := v.Location.Span; len(span) == 2 && span[0] >= 0 && span[0] <= len(v.Location.SourceCode) {
		above := v.Location.SourceCode[:span[0]]
		at.Line, at.Column = 1+strings.Count(above, "\n"), 1+utf8.RuneCountInString(above[strings.LastIndexByte(above, '\n')+1:])
	}
	rule := v.Category + v.Code.Value
	s.FindHere(result.Finding{Severity: biomeLevel(v.Severity), RawSeverity: strings.ToLower(v.Severity), Rule: rule, Message: biomeSame(biomeSays(v.Message)), At: at})
}

const biomeUnformatted = "Formatter would have printed the following content"

// biomeSame replaces the words of "biome ci" for an unformatted file by those of "biome check".
func biomeSame(message string) string {
	return strings.Replace(message, "File content differs from formatting output", biomeUnformatted, 1)
}

// biomeSays returns a path, which may be in {"file": "a.js"}, or a message, which may be a list of parts.
func biomeSays(raw json.RawMessage) string {
	var file struct{ File string }
	var parts []struct{ Content string }
	switch {
	case json.Unmarshal(raw, &file) == nil:
		return file.File
	case json.Unmarshal(raw, &parts) == nil:
		for _, p := range parts {
			file.File += p.Content
		}
		return file.File
	}
	return read.Value(raw)
}

func biomeLevel(level string) result.Severity {
	return cmp.Or(read.SeverityOf(level), result.SevError)
}

// biomeIssue is an issue of the report for GitLab.
var biomeIssue = read.Objects{Path: "location.path", Line: "location.lines.begin", Rule: "check_name", Severity: "severity", Message: "description",
	Accept: func(f *result.Finding) bool { return f.Rule != "" || f.At.Path != "" },
	Fit: func(f *result.Finding) {
		f.Severity = cmp.Or(result.Severity(lex.Means(f.RawSeverity, "info: minor; warning: major")), biomeLevel(f.RawSeverity))
	}}

// biomeSummary reads the number of violations in each file and of each rule; the summary has no places.
//
//	i The following files have violations:
//
//	- src/cart.js (8 errors, 7 warnings, 2 infos)
//
//	lint/suspicious/noFallthroughSwitchClause    1 (1 error)
//
// Files that the formatter would change are listed without counts. The totals come from the last lines only, since
// each violation is counted both in the row of its file and in the row of its rule.
func biomeSummary(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	row, isFile := strings.CutPrefix(text, "- ")
	head, counted, ok := strings.Cut(row, " (")
	counted, closed := strings.CutSuffix(counted, ")")
	counts := read.Counts(counted)
	f := result.Finding{Message: counted, Severity: result.SevInfo}
	switch {
	case lex.HasAnyPrefix(text, "i The following ", "ℹ The following ", "reporter/violations ", "reporter/format "):
		s.Path = "summary"
		if strings.Contains(text, "format") {
			s.Path = "format"
		}
		return s.Sign(l)
	case s.Path != "" && strings.HasPrefix(text, "Found "):
		for kind, n := range read.Counts(strings.TrimSuffix(text[len("Found "):], ".")) {
			s.Count(strings.TrimSuffix(kind, "s"), n)
		}
		return s.Close(l)
	case s.Path == "format" && isFile && !ok:
		f = result.Finding{Severity: result.SevError, Rule: "format", Message: biomeUnformatted, At: &result.Location{Path: row}}
		return s.Find(l, f)
	case s.Path == "" || !ok || !closed || len(counts) == 0:
		return s.Path != "" && strings.HasPrefix(text, "Rule Name ")
	case counts["error"]+counts["errors"] > 0:
		f.Severity = result.SevError
	case counts["warning"]+counts["warnings"] > 0:
		f.Severity = result.SevWarning
	}
	if isFile {
		f.At = &result.Location{Path: head}
	} else {
		f.Rule, _, _ = strings.Cut(head, " ")
	}
	return s.Find(l, f)
}

// parseBiomeJUnit reads a test case for each violation, "org.biome.lint.style.useConst", and text beside them.
func parseBiomeJUnit(in *tool.Input) *tool.Report {
	cases := read.Fitted(junit.OwnLints, func(f *result.Finding) { f.Rule = strings.ReplaceAll(f.Rule, ".", "/") })
	return read.Beside(func(in *tool.Input) *tool.Report {
		rep := cases(in)
		if rep != nil {
			rep.Doubt = "" // biome counts its errors among the failures, too
		}
		return rep
	}, read.Text{Line: (&biome{}).line})(in)
}
