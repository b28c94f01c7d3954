package prose

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("typos", func(p *tool.Parser) {
	p.Is("typos", result.Lint, 1, "typos 1.x: long, brief, json")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{64: result.MeansUsage, 78: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(typosItem, "")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*typos).line)})
})

func typosItem(s *read.Sink, v *struct {
	Type, Path, Typo string
	Line             int `json:"line_num"`
	Offset           int `json:"byte_offset"`
	Corrections      []string
}) {
	if v.Type != "typo" {
		return
	}
	for i, c := range v.Corrections {
		v.Corrections[i] = "`" + c + "`"
	}
	s.FindHere(result.Finding{
		Message: fmt.Sprintf("`%s` should be %s", v.Typo, strings.Join(v.Corrections, ", ")), At: &result.Location{Path: v.Path, Line: v.Line, Column: v.Offset + 1},
	})
}

type typos struct{ read.Framed }

// line reads a typo's frame, the brief format's "ty.txt:1:5: error: `teh` should be `the`", and errors that stop the
// program.
func (p *typos) line(s *read.Sink, l tool.Line) bool {
	if p.Line(s, l) {
		return true
	}
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.HasPrefix(d.Message, "`") {
		return s.Find(l, result.Finding{RawSeverity: d.Word, Message: d.Message, At: &d.At})
	}
	message, ok := strings.CutPrefix(l.Text, "error: ")
	if ok = ok && !strings.Contains(l.Text, "` should be `"); !ok {
		message, ok = l.Text, strings.HasPrefix(l.Text, "argument `") || strings.HasPrefix(l.Text, "TOML parse error at ")
	}
	return ok && s.Misuse(l, message)
}
