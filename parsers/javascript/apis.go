package javascript

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("spectral", func(p *tool.Parser) {
	p.Is("spectral", result.Lint, 1, "spectral 5 and 6: stylish, text, pretty, html, markdown, json, junit, code-climate, gitlab, teamcity, github-actions, sarif")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: apiTable(apiCount)})
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "source", Line: "range.start.line", Column: "range.start.character", Rule: "code", Severity: "severity", Message: "message", Fit: spectralItem}.Parse})
	p.Reads(tool.Format{Name: "markdown", Parse: read.Sheet{Drawn: true, Names: map[string]string{"path": "", "end": ""}, Fit: spectralRange}.Parse})
	p.Reads(tool.Format{Name: "html", Parse: read.Sheet{}.Parse})
	p.Reads(tool.Format{Name: "code-climate", Parse: read.CodeQuality(spectralIssue)})
	p.Reads(tool.Format{Name: "junit", Parse: read.Fitted(junit.Lints, spectralCase)})
	p.Reads(tool.Format{Name: "teamcity", Parse: read.Fitted(spectralInspections, spectralLevel)})
	p.Reads(tool.Format{Name: "pretty", Parse: spectralPretty})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error #1: ", "No files found", "No ruleset has been found", "No documents provided", "Error: ")})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Yargs})
})

// spectralRange makes a position 1-based: in the markdown and json formats, positions are 0-based.
func spectralRange(f *result.Finding) {
	if f.At != nil {
		f.At.Line, f.At.Column = f.At.Line+1, f.At.Column+1
	}
}

// spectralItem completes a finding of the json format, in which severities are numbers from 0, error, to 3, hint.
func spectralItem(f *result.Finding) {
	severities := [...]result.Severity{result.SevError, result.SevWarning, result.SevInfo, result.SevInfo}
	f.Severity, f.RawSeverity = severities[min(lex.Atoi(f.RawSeverity), 3)], ""
	spectralRange(f)
}

// spectralIssue completes an issue of Code Climate's format, in which positions are 0-based, and a warning is
// "major".
func spectralIssue(f *result.Finding) {
	if f.RawSeverity == "major" {
		f.Severity = result.SevWarning
	}
	spectralRange(f)
}

// spectralCase removes the place in the document from a rule, "path-params(#/paths/~1a)", and from a message.
func spectralCase(f *result.Finding) {
	f.Rule, _, _ = strings.Cut(f.Rule, "(#")
	f.Message, _, _ = strings.Cut(f.Message, " ("+f.Rule+") at path #")
}

func spectralInspections(in *tool.Input) *tool.Report {
	t := teamcity.Reader{}
	return read.IfFound(read.Text{Line: t.Line}.Parse)(in)
}

// spectralLevel splits the severity from an inspection, "warning -- text".
func spectralLevel(f *result.Finding) {
	if word, message, ok := strings.Cut(f.Message, " -- "); ok {
		f.Severity, f.RawSeverity, f.Message = read.SeverityOf(word), word, message
	}
}

// spectralPretty reads columns whose cells continue in the lines below:
//
//	File:   /src/api.yaml
//	6:9         WARNING      operation-descri  Operation         paths./a.get
//	                         ption             "description"
//	                                           must be present
func spectralPretty(in *tool.Input) *tool.Report {
	c := &spectralColumns{}
	return read.IfFound(read.Text{Line: c.line, Closes: true}.Parse)(in)
}

// spectralColumns is a row that is being read, line by line.
type spectralColumns struct {
	path  string
	from  []int    // offsets at which the columns begin
	cells []string // position, severity, rule, message
	last  []string // text of each cell in the last line read
	at    tool.Line
}

func (c *spectralColumns) line(s *read.Sink, l tool.Line) bool {
	position, _, _ := strings.Cut(l.Text, " ")
	line, column, _ := strings.Cut(position, ":")
	path, isFile := strings.CutPrefix(l.Text, "File: ")
	switch {
	case isFile:
		c.path = strings.TrimSpace(path)
		return true
	case c.path != "" && lex.IsDigits(line) && lex.IsDigits(column):
		c.end(s)
		c.begin(l)
		return true
	case len(c.cells) > 0 && strings.HasPrefix(l.Text, "  "):
		c.goOn(l)
		return true
	}
	c.end(s)
	return apiCount(s, l)
}

// begin opens a row. Two or more blanks separate its columns.
func (c *spectralColumns) begin(l tool.Line) {
	c.at, c.from, c.cells = l, c.from[:0], c.cells[:0]
	for i := 0; i < len(l.Text) && len(c.cells) < spectralCells; {
		end := len(l.Text)
		if n := strings.Index(l.Text[i:], "  "); n >= 0 {
			end = i + n
		}
		c.from, c.cells = append(c.from, i), append(c.cells, l.Text[i:end])
		i = end + lex.LeadingBlanks(l.Text[end:])
	}
	c.last = slices.Clone(c.cells)
}

// spectralCells is the number of columns that begin looks for: the four in cells, and the next one, which ends the
// message.
const spectralCells = 5

// goOn adds to every cell its text in the next line. A word that fills its column continues there without a blank.
func (c *spectralColumns) goOn(l tool.Line) {
	c.at.End = max(c.at.End, l.End)
	for i, from := range c.from {
		to := len(l.Text)
		if i+1 < len(c.from) {
			to = min(to, c.from[i+1])
		}
		more := strings.TrimSpace(l.Text[min(from, to):to])
		if word := c.last[i]; i+1 < len(c.from) && len(word) == c.from[i+1]-from-len("  ") && !strings.Contains(word, " ") {
			c.cells[i] += more
		} else if more != "" {
			c.cells[i] += " " + more
		}
		c.last[i] = more
	}
}

func (c *spectralColumns) end(s *read.Sink) {
	if len(c.cells) >= spectralCells-1 {
		line, column, _ := strings.Cut(c.cells[0], ":")
		at := &result.Location{Path: c.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
		s.Find(c.at, result.Finding{Severity: read.SeverityOf(c.cells[1]), RawSeverity: strings.ToLower(c.cells[1]), Rule: c.cells[2], Message: c.cells[3], At: at})
	}
	c.cells = c.cells[:0]
}

var _ = Room.Add("redocly | openapi", func(p *tool.Parser) {
	p.Is("redocly", result.Lint, 1, "redocly 1 and 2: codeframe, stylish, checkstyle, json, junit, codeclimate, markdown, summary, github-actions")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "codeframe", Starts: []string{"Error was generated by the …", "Warning was generated by the …"}, Named: true, Parse: parseRedocly})
	p.Reads(tool.Format{Name: "stylish", Parse: apiTable(apiCount)})
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/problems/*"}, Path: "location.source.ref", Line: "location.start.line", Column: "location.start.col", Rule: "ruleId", Severity: "severity", Message: "message",
	}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "codeclimate", Parse: read.CodeQuality(nil)})
	p.Reads(tool.Format{Name: "junit", Parse: junit.Lints})
	p.Reads(tool.Format{Name: "markdown", Parse: read.Sheet{Drawn: true, Names: map[string]string{"problem": "rule"}}.Parse})
	p.Reads(tool.Format{Name: "summary", Parse: read.Text{Line: redoclyRule}.Parse})
	p.Reads(tool.Format{Name: "github-actions", Parse: annotations(nil)})
	p.Reads(tool.Format{Name: "messages", Parse: redoclyTrouble})
})

// parseRedocly reads the default form:
//
//	[1] api.yaml:8:20 at #/paths/~1a/get
//
//	Operation should not have …
//
//	Error was generated by the operation-id rule.
func parseRedocly(in *tool.Input) *tool.Report {
	waits := false // the next line that is not empty is the message
	return read.IfFound(read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		number, rest, numbered := strings.Cut(l.Text, "] ")
		where, _, at := strings.Cut(rest, " at #")
		f := s.Last()
		_, rule, told := strings.Cut(l.Text, " was generated by the ")
		switch {
		case numbered && at && strings.HasPrefix(number, "[") && lex.IsDigits(number[1:]):
			s.Find(l, result.Finding{Message: "?", At: read.PlaceOf(where + ":")})
			waits = true
			return true
		case f != nil && waits && l.Text != "":
			f.Message, waits = strings.Clone(l.Text), false
			return s.More(l)
		case f != nil && told:
			s.More(l)
			f.Rule = strings.TrimSuffix(rule, " rule.")
			if strings.HasPrefix(l.Text, "Warning") {
				f.Severity = result.SevWarning
			}
			s.Sign(l)
			return s.Break()
		case f != nil:
			return s.More(l)
		}
		return apiCount(s, l)
	}}.Parse)(in)
}

// redoclyRule reads a row of the summary, "error   struct: 2": the number of violations of a rule. The summary has no
// places.
func redoclyRule(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, " ")
	rule, count, ok := strings.Cut(strings.TrimSpace(rest), ": ")
	severity := read.SeverityOf(word)
	if !ok || severity == "" || !lex.IsDigits(count) || strings.Contains(rule, " ") {
		return apiCount(s, l)
	}
	s.Count(word, lex.Atoi(count))
	return s.Find(l, result.Finding{Severity: severity, RawSeverity: word, Rule: rule, Message: rule + ": " + count})
}

// redoclyTrouble reads "nothere.yaml does not exist or is invalid.", and files that cannot be parsed:
//
//	Failed to parse API description at api.yaml:
//	  - bad indentation of a mapping entry in "/src/api.yaml" (2:7)
func redoclyTrouble(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if path, ok := strings.CutPrefix(l.Text, "Failed to parse API description at "); ok {
			return s.Find(l, result.Finding{Message: strings.TrimSuffix(l.Text, ":"), At: &result.Location{Path: strings.TrimSuffix(path, ":")}})
		}
		if reason, ok := strings.CutPrefix(l.Text, "  - "); ok && s.Last() != nil && s.Last().At != nil && s.Last().At.Line == 0 {
			message, where, _ := strings.Cut(reason, " in \"")
			if line, column, _, ok := place.CutAtEnd(where); ok {
				s.Last().At.Line, s.Last().At.Column = line, column
			}
			s.Last().Message = strings.Clone(message)
			return true
		}
		if strings.HasSuffix(l.Text, " does not exist or is invalid.") {
			return s.Misuse(l, l.Text)
		}
		return s.Last() != nil
	}}.Parse(in)
}
