package python

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// radon gives blocks of code a rank from A to F, and fails only if it is called wrongly.
// Rank C and worse is a warning, since radon's own flag "-nc" shows only these.
//
//	src/a.py
//	    M 21:4 foo.very_long - B (10)
//	    ERROR: invalid syntax (<unknown>, line 1)
var _ = Room.Add("radon", func(p *tool.Parser) {
	p.Is("radon", result.Lint, 1, "radon 4 to 6: cc as text, --json, --xml and --md, mi")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: radonLine}.Parse)})
	p.Reads(tool.Format{Name: "md", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "| {path} | {id} | {word} | {line}:{end_line} | {word} | {message} |", As: read.Info, Fit: func(f *result.Finding) { *f = radonBlock(f.At.Path, f.At.Line, f.ID, f.Message) }},
	}}.Parse)})
	p.Reads(tool.Format{Name: "xml", Parse: read.IfFound(read.Text{Line: radonXML}.Parse)})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: read.Items(radonFiles, "")}.Parse)})
	read.InPython(p)
})

func radonLine(s *read.Sink, l tool.Line) bool {
	block, ok := strings.CutPrefix(l.Text, "    ")
	if !ok {
		s.Path = ""
		path, rank, judged := strings.Cut(l.Text, " - ") // the subcommand mi ranks files
		if !strings.HasSuffix(path, ".py") && !strings.HasSuffix(path, ".ipynb") {
			return false
		}
		if rank, _, _ = strings.Cut(rank, " ("); judged && len(rank) == 1 {
			return s.Find(l, radonFile(path, rank))
		}
		s.Path = strings.Clone(path)
		return false
	}
	if message, failed := strings.CutPrefix(block, "ERROR: "); failed && s.Path != "" {
		return s.Find(l, radonError(s.Path, message))
	}
	words := strings.Fields(block)
	if s.Path == "" || len(words) < 5 || words[3] != "-" || !lex.IsOneOf(words[0], "M F C") || len(words[4]) != 1 {
		return false
	}
	line, column, placed := strings.Cut(words[1], ":")
	return placed && lex.IsDigits(line) && lex.IsDigits(column) && s.Find(l, radonBlock(s.Path, lex.Atoi(line), words[2], words[4]))
}

// radonFiles reads the JSON: each file's blocks or rank, or why the file could not be read.
func radonFiles(s *read.Sink, files *map[string]json.RawMessage) {
	for _, path := range slices.Sorted(maps.Keys(*files)) {
		var whole struct{ Error, Rank string }
		switch err := json.Unmarshal((*files)[path], &whole); {
		case err == nil && whole.Error != "":
			s.FindHere(radonError(path, whole.Error))
		case err == nil && whole.Rank != "":
			s.FindHere(radonFile(path, whole.Rank))
		}
		var blocks []struct {
			Rank, Name, Classname string
			Line                  int `json:"lineno"`
		}
		if json.Unmarshal((*files)[path], &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Classname != "" {
				b.Name = b.Classname + "." + b.Name
			}
			if b.Rank != "" {
				s.FindHere(radonBlock(path, b.Line, b.Name, b.Rank))
			}
		}
	}
}

// radonXML reads the line "<ccm><metric>…</metric></ccm>".
func radonXML(s *read.Sink, l tool.Line) bool {
	var report struct {
		Metrics []struct {
			Unit string `xml:"unit"`
			Rank string `xml:"classification"`
			File string `xml:"file"`
			Line int    `xml:"startLineNumber"`
		} `xml:"metric"`
	}
	if !strings.HasPrefix(l.Text, "<ccm>") || xml.Unmarshal([]byte(l.Text), &report) != nil {
		return false
	}
	for _, m := range report.Metrics {
		s.Find(l, radonBlock(m.File, m.Line, m.Unit, m.Rank))
	}
	return s.Break()
}

// radonFile returns the finding for a file's rank of maintainability.
func radonFile(path, rank string) result.Finding {
	f := radonBlock(path, 0, "", rank)
	f.Rule = "maintainability"
	return f
}

func radonBlock(path string, line int, name, rank string) result.Finding {
	f := result.Finding{Severity: result.SevInfo, ID: name, Rule: "cyclomatic", Message: rank, At: &result.Location{Path: path, Line: line}}
	if rank > "B" {
		f.Severity = result.SevWarning
	}
	return f
}

// radonError returns the finding of a file with "invalid syntax (<unknown>, line 1)", in that line.
func radonError(path, message string) result.Finding {
	message, at, _ := strings.Cut(strings.TrimSuffix(message, ")"), " (<unknown>, line ")
	return result.Finding{Message: message, At: &result.Location{Path: path, Line: lex.LeadingNumber(at)}}
}

var _ = Room.Add("lizard", func(p *tool.Parser) {
	p.Is("lizard", result.Lint, 1, "lizard 1.1x: default, -w, --csv, --xml, --html, --checkstyle")
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*lizard).line)})
	p.Reads(tool.Format{Name: "csv", Parse: read.Text{Line: lizardCSV}.Parse})
	p.Reads(tool.Format{Name: "xml", Parse: read.IfFound(lizardXML.Parse)})
	p.Reads(tool.Format{Name: "html", Parse: read.IfFound(read.Lines((*lizardPage).line))})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(lizardStyle)})
	read.InPython(p)
})

type lizard struct{ warnings bool } // warnings is set below the heading "!!!! Warnings"

// line reads the rows below "!!!! Warnings (…)", "20 12 80 1 20 high@5-24@src/a.py",
// and with -w "src/a.py:5: warning: high has 20 NLOC, 12 CCN, …".
func (p *lizard) line(s *read.Sink, l tool.Line) bool {
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.Contains(d.Message, " NLOC, ") {
		name, _, _ := strings.Cut(d.Message, " has ")
		return s.Find(l, result.Finding{Severity: result.SevWarning, ID: name, Rule: "complexity", Message: strings.TrimPrefix(d.Message, name+" has "), At: &d.At})
	}
	p.warnings = (p.warnings || strings.HasPrefix(l.Text, "!!!! Warnings (")) && !strings.HasPrefix(l.Text, "Total nloc")
	cells := strings.Fields(l.Text)
	if !p.warnings || len(cells) < 6 || !lex.IsDigits(cells[0]) || !lex.IsDigits(cells[4]) {
		return p.warnings
	}
	parts := strings.SplitN(strings.Join(cells[5:], " "), "@", 3)
	return len(parts) == 3 && s.Find(l, lizardFunction(result.SevWarning, cells, parts[0], parts[2], lex.LeadingNumber(parts[1])))
}

// The CSV and XML forms list every function, and do not say which are over a limit; the HTML page does.

// lizardCSV reads `12,3,50,2,12,"f@5-16@src/a.py","src/a.py","f","f( a )",5,16`.
func lizardCSV(s *read.Sink, l tool.Line) bool {
	cells, err := csv.NewReader(strings.NewReader(l.Text)).Read()
	if err != nil || len(cells) != 11 || !lex.IsDigits(cells[0]) || !lex.IsDigits(cells[9]) {
		return false
	}
	return s.Find(l, lizardFunction(result.SevInfo, cells[:5], cells[7], cells[6], lex.Atoi(cells[9])))
}

// lizardXML reads the form of CCCC, in which a function has a number, its lines of code and its complexity:
//
//	<item name="f(...) at src/a.py:5">
//		<value>1</value>
//		<value>12</value>
//		<value>3</value>
var lizardXML = read.Rows{Rows: []read.Row{
	{Form: `{}<item name="{id}(...) at {path}:{line}">`, As: read.Info, Fit: func(f *result.Finding) { f.Rule, f.Message = "complexity", "? ? NLOC, ? CCN" }},
	{Form: "{}<value>{actual}</value>", As: read.Fill, Fit: func(f *result.Finding) { f.Message, f.Actual = strings.Replace(f.Message, "?", f.Actual, 1), "" }},
}, End: func(s *read.Sink) {
	for i := range s.Findings {
		_, s.Findings[i].Message, _ = strings.Cut(s.Findings[i].Message, " ")
	}
}}

// lizardPage reads the rows of the HTML page that have a cell over a limit:
//
//	<td>src/a.py</td>
//	<td class="function-name">f</td>
//	<td class="greater-value">30</td>
type lizardPage struct {
	path, name string
	head       tool.Line
	over       bool
	values     []string
}

func (p *lizardPage) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	cell, isCell := strings.CutSuffix(text, "</td>")
	class, value, classed := strings.Cut(strings.TrimPrefix(cell, `<td class="`), `">`)
	switch {
	case text == "</tr>" && p.over && len(p.values) == 4:
		p.head.End = max(p.head.End, l.End)
		s.Find(p.head, result.Finding{
			Severity: result.SevWarning, ID: p.name, Rule: "complexity", At: &result.Location{Path: p.path},
			Message: p.values[1] + " NLOC, " + p.values[0] + " CCN, " + p.values[2] + " token, " + p.values[3] + " PARAM",
		})
		p.over = false
		return s.Break()
	case !isCell:
		return false
	case strings.HasPrefix(cell, "<td>"):
		p.path, p.head, p.over, p.values = strings.TrimPrefix(cell, "<td>"), l, false, nil
	case class == "function-name":
		p.name = value
	case classed && strings.HasSuffix(class, "value"):
		p.values, p.over = append(p.values, value), p.over || class == "greater-value"
	}
	return true
}

// lizardFunction returns the finding of a function with its five values, worded as lizard's warnings are.
func lizardFunction(severity result.Severity, values []string, name, path string, line int) result.Finding {
	return result.Finding{
		Severity: severity, ID: name, Rule: "complexity", At: &result.Location{Path: path, Line: line},
		Message: values[0] + " NLOC, " + values[1] + " CCN, " + values[2] + " token, " + values[3] + " PARAM, " + values[4] + " length",
	}
}

// lizardStyle takes the function's name from a message of the checkstyle form: "f has 12 NLOC, …".
func lizardStyle(f *result.Finding) {
	f.Rule = "complexity"
	f.ID, f.Message, _ = strings.Cut(f.Message, " has ")
}
