package c

import (
	"encoding/json"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/sarif"
	"cairn/parsers/tool"
	"cairn/result"
)

// gccStarts are starts of lines. A failed build has at least one such line, whatever program ran gcc.
var gccStarts = []string{"cc1: ", "cc1plus: ", "collect2: error: ", "compilation terminated", "In file included from ", "gcc: ", "g++: ", "cc: error", "c++: error", "[…Building C", "FAILED: …"}

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("gcc", result.Build, 1, "gcc and g++ 4 to 16: text, json (to 15) and sarif; GNU as, ld, gold and mold beside them")
	p.ColumnUnit = "display"
	p.Matches = isGCC
	p.Programs, p.Exits = compilers("gcc", "g++", "cc", "c++"), map[int]result.Meaning{4: result.MeansCrashed}
	p.Reads(tool.Format{Name: "json", Starts: []string{`[{"kind": "`}, Parse: read.JSON{Items: read.Items(gccItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: parseCompilerSARIF})
	p.Reads(tool.Format{Name: "text", Starts: gccStarts, Named: true, Parse: parseGCC})
})

func parseGCC(in *tool.Input) *tool.Report { return parseCompiler(in, false) }

type gccPlace struct {
	Caret struct {
		File         string
		Line, Column int
	}
}

func (p gccPlace) at() *result.Location {
	return &result.Location{Path: p.Caret.File, Line: p.Caret.Line, Column: p.Caret.Column}
}

type gccDiagnostic struct {
	Kind, Message, Option string
	Locations             []gccPlace
	Children              []gccDiagnostic
	Metadata              struct{ CWE int }
}

// gccItem reads one diagnostic of gcc's JSON; its notes are its children.
func gccItem(s *read.Sink, v *gccDiagnostic) {
	_, rule := cutFlag("x [" + v.Option + "]")
	f := result.Finding{Kind: result.Diagnostic, Severity: read.SeverityOf(v.Kind), RawSeverity: v.Kind, Rule: rule, Message: v.Message}
	if f.Severity == result.SevError {
		f.Kind = result.BuildError
	}
	if n := v.Metadata.CWE; n > 0 { // as in the text
		f.Message += " [CWE-" + strconv.Itoa(n) + "]"
	}
	if len(v.Locations) > 0 {
		f.At = v.Locations[0].at()
	}
	for _, note := range v.Children {
		if len(note.Locations) > 0 && len(f.Related) < 8 {
			f.Related = append(f.Related, result.Related{Message: note.Message, At: note.Locations[0].at()})
		}
	}
	if f.Severity != result.SevInfo {
		s.FindHere(f)
	}
}

// parseCompilerSARIF reads a log of gcc 13 or clang; the rule is the flag.
func parseCompilerSARIF(in *tool.Input) *tool.Report {
	return read.JSON{Items: map[string]func(*read.Sink, []byte) error{sarif.Result: func(s *read.Sink, item []byte) error {
		r, ok := sarif.Read(string(item))
		if !ok {
			return json.Unmarshal(item, &r)
		}
		at := r.Locations[0].At()
		f := result.Finding{Kind: result.Diagnostic, Severity: read.SeverityOf(r.Level), RawSeverity: r.Level, Message: r.Message.Text, At: &at}
		if r.RuleID != nil && strings.HasPrefix(*r.RuleID, "-") {
			_, f.Rule = cutFlag("x [" + *r.RuleID + "]")
		}
		if f.Severity == result.SevError {
			f.Kind = result.BuildError
		}
		s.FindHere(f)
		return nil
	}}}.Parse(in)
}
