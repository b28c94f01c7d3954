package python

import (
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
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: radonLine}.Parse)})
	p.Reads(tool.Format{Name: "md", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "| {path} | {id} | {word} | {line}:{end_line} | {word} | {message} |", As: read.Info, Fit: func(f *result.Finding) { *f = radonBlock(f.At.Path, f.At.Line, f.ID, f.Message) }},
	}}.Parse)})
	p.Reads(tool.Format{Name: "xml", Parse: read.IfFound(read.Text{Line: radonXML}.Parse)})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: read.Items(radonFiles, "")}.Parse)})
	p.Reads(read.PythonTrouble("radon"))
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
	if !placed || !lex.IsDigits(line) || !lex.IsDigits(column) {
		return false
	}
	return s.Find(l, radonBlock(s.Path, lex.Atoi(line), words[2], words[4]))
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
