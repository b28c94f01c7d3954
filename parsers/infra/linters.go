package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("amtool", func(p *tool.Parser) {
	p.Is("amtool", result.Lint, 1, "amtool of Alertmanager 0.2x: check-config, and requests that fail")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "Checking '{path}'  FAILED: {}errors:", As: read.InPath}, {Form: "  line {line}: {message}"}, // one row for each error of YAML
		{Form: "Checking '{path}'  FAILED: {message}", Fit: func(f *result.Finding) { f.At.Line = yamlLine(f.Message) }}, {Form: "Checking '{}", As: read.Skip},
		{Form: "amtool: error: failed to validate {}", As: read.Close}, {Form: "amtool: error: {message}", Fit: func(f *result.Finding) { f.Kind = result.GenericFinding }},
	}}.Parse)})
})

// yamlLine returns the line in "yaml: line 3: did not find expected key", or 0.
func yamlLine(message string) int {
	_, rest, _ := strings.Cut(message, "yaml: line ")
	number, _, _ := strings.Cut(rest, ":")
	if !lex.IsDigits(number) || len(number) > 8 {
		return 0
	}
	return lex.Atoi(number)
}

// dotenv-linter prints ".env:2 LowercaseKey: The foo key should be in uppercase".
var _ = Room.Add("dotenv-linter", func(p *tool.Parser) {
	p.Is("dotenv-linter", result.Lint, 1, "dotenv-linter 2 to 4: check")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Plain: true, Usage: []string{"error: "}, Other: dotenvOther}.Parse})
})

func dotenvOther(s *read.Sink, l tool.Line) bool {
	count, found := strings.CutPrefix(l.Text, "Found ")
	if found && strings.Contains(count, " problem") {
		s.Problems(lex.LeadingNumber(count))
		return s.Close(l)
	}
	return strings.HasPrefix(l.Text, "Checking ")
}

var _ = Room.Add("hadolint", func(p *tool.Parser) {
	p.Is("hadolint", result.Lint, 1, "hadolint 2.x: tty, gnu, json, sarif, checkstyle, sonarqube, codeclimate, codacy")
	p.RuleURL = tool.RulesAt("https://github.com/hadolint/hadolint/wiki/", "DL")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "file", Line: "line", Rule: "code", Severity: "level", Message: "message", Fit: hadolintFit,
	}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(hadolintFit)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(hadolintFit)})
	p.Reads(tool.Format{Name: "codeclimate", Parse: read.IfFound(read.CodeQuality(hadolintGrade))})
	p.Reads(tool.Format{Name: "sonarqube", Parse: read.Objects{
		At: []string{"/issues/*"}, Path: "primaryLocation.filePath", Line: "primaryLocation.textRange.startLine",
		Rule: "ruleId", Severity: "severity", Message: "primaryLocation.message", Fit: hadolintGrade,
	}.Parse})
	p.Reads(tool.Format{Name: "codacy", Parse: read.IfFound(read.Objects{At: []string{""}, Path: "filename", Line: "line", Rule: "patternId", Message: "message", Fit: hadolintFit}.Parse)})
	p.Reads(tool.Format{Name: "tty", Parse: read.Linter{Program: "hadolint", Rule: read.Ahead, Severity: read.StyleIsNote, Usage: []string{"Invalid option `"}}.Parse})
})

// hadolintFit reduces the place to path and line: not every format prints a column.
func hadolintFit(f *result.Finding) {
	f.Severity = read.StyleIsNote(f.RawSeverity)
	if f.At != nil {
		f.At = &result.Location{Path: f.At.Path, Line: f.At.Line}
	}
}

// hadolintGrade reads the grades of formats for code quality, in which a warning is "major" and information "minor".
func hadolintGrade(f *result.Finding) {
	hadolintFit(f)
	switch strings.ToLower(f.RawSeverity) {
	case "major":
		f.Severity = result.SevWarning
	case "minor":
		f.Severity = result.SevInfo
	}
}

var _ = Room.Add("salt-lint", func(p *tool.Parser) {
	p.Is("salt-lint", result.Lint, 1, "salt-lint 0.9: default, --severity, json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "filename", Line: "linenumber", Rule: "id", Severity: "severity", Message: "message", Fit: saltFit,
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // "[201] [INFO] Trailing whitespace", and the place below it
		{Form: "[{rule}] [{}] {message}", As: read.Error}, {Form: "[{rule}] {message}", As: read.Error}, {Form: "{path}:{line}", As: read.Fill},
	}, Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" }}.Parse})
	p.Reads(read.PythonTrouble("salt-lint"))
})

// saltFit drops the severity, which the text format prints only on request.
func saltFit(f *result.Finding) { f.Severity, f.RawSeverity = "", strings.ToLower(f.RawSeverity) }

// yamale prints the document's path, and below it each error behind its key:
//
//	Error validating data 'data.yaml' with schema 'schema.yaml'
//		b.0: '1' is not a str.
var _ = Room.Add("yamale", func(p *tool.Parser) {
	p.Is("yamale", result.Lint, 1, "yamale 3 to 6: what does not fit the schema")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error validating data …with schema "}, Named: true, Parse: read.Text{Line: yamaleLine}.Parse})
	p.Reads(read.PythonTrouble("yamale"))
})

func yamaleLine(s *read.Sink, l tool.Line) bool {
	head, ok := strings.CutPrefix(l.Text, "Error validating data '")
	row, below := strings.CutPrefix(l.Text, "\t")
	switch {
	case ok:
		path, _, _ := strings.Cut(head, "' with schema ")
		s.Path = strings.Clone(path)
		return s.Sign(l)
	case below && s.Path != "":
		return s.Find(l, result.Finding{Message: row, At: &result.Location{Path: s.Path}})
	case strings.HasPrefix(l.Text, "Error! Schema "), strings.HasPrefix(l.Text, "Path does not exist: "), strings.HasPrefix(l.Text, "Syntax error in schema "):
		return s.Misuse(l, l.Text)
	}
	s.Path = ""
	return l.Text == "Validation failed!" || l.Text == "Validation success! 👍"
}

// The programs in this file check documents against a schema.

var _ = Room.Add("check-jsonschema", func(p *tool.Parser) {
	p.Is("check-jsonschema", result.Lint, 1, "check-jsonschema 0.2x and later: text, json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/errors/*":       read.Objects{Path: "filename", ID: "path", Message: "message"}.Item,
		"/parse_errors/*": read.Objects{Path: "filename", Message: "message"}.Item,
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Schema validation errors were encountered."}, Named: true, Parse: read.Text{Line: schemaLine}.Parse})
	read.InPython(p)
})

// schemaLine reads "  js/bad.json::$.port: 'x' is not of type 'integer'", and files that do not parse, with the
// reason below:
//
//	Failed to parse js/syn.json
//	  JSONDecodeError: Expecting value: line 2 column 1 (char 6)
func schemaLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	path, rest, ok := strings.Cut(text, "::")
	id, message, told := strings.Cut(rest, ": ")
	f := s.Last()
	switch {
	case indent == 2 && ok && told && strings.HasPrefix(id, "$") && !strings.Contains(path, ": "):
		return s.Find(l, result.Finding{ID: id, Message: message, At: &result.Location{Path: path}})
	case indent == 2 && strings.HasPrefix(text, "Failed to parse "):
		return s.Find(l, result.Finding{Rule: "parse-error", Message: text, At: &result.Location{Path: strings.TrimPrefix(text, "Failed to parse ")}})
	case f != nil && f.Rule == "parse-error" && indent >= 4:
		f.Message = text
		return s.More(l)
	case f != nil && (indent >= 2 || text == ""):
		return s.More(l)
	case text == "Schema validation errors were encountered.", text == "Several files failed to parse.":
		return s.Sign(l)
	}
	return false
}
