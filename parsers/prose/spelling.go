package prose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("codespell", func(p *tool.Parser) {
	p.Is("codespell", result.Lint, 1, "codespell 2.0 to 2.4: default, --enable-colors, -C, --summary, -w")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 64: result.MeansUsage, 78: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{
		Accept: func(d *read.Diagnostic) bool {
			d.Rule = "misspelling"
			return strings.Contains(d.Message, " ==> ")
		},
		Other: codespellTrouble,
	}.Parse})
	p.Reads(read.PythonTrouble("codespell"))
})

// codespellTrouble reads "ERROR: cannot find dictionary file: nope.txt".
func codespellTrouble(s *read.Sink, l tool.Line) bool {
	why, ok := strings.CutPrefix(l.Text, "ERROR: ")
	return ok && l.Stream == tool.Stderr && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why})
}

var _ = Room.Add("proselint", func(p *tool.Parser) {
	p.Is("proselint", result.Lint, 1, "proselint 0.10 to 0.16")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(proselintFiles, "/result")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: proselintRule, Other: proselintUnread}.Parse})
	p.Reads(read.PythonTrouble("proselint"))
})

func proselintRule(d *read.Diagnostic) bool {
	rule, message, ok := strings.Cut(d.Message, " ")
	if ok = ok && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789_.:") == ""; ok {
		d.Rule, d.Message = strings.TrimSuffix(rule, ":"), message
	}
	return ok
}

// proselintUnread reads the line about a file that was not checked; the exit code does not show it:
//
//	Error encountered while linting /p/a.md: [Errno 2] No such file or directory: '/p/a.md'
func proselintUnread(s *read.Sink, l tool.Line) bool {
	said, ok := strings.CutPrefix(l.Text, "Error encountered while linting ")
	path, why, both := strings.Cut(said, ": ")
	if !ok || !both {
		return false
	}
	return s.Find(l, unreadFile(path, why))
}

// unreadFile returns the finding of a file that was not checked, for the reason "[Errno 2] No such file or directory:
// '/p/a.md'".
func unreadFile(path, why string) result.Finding {
	why, _, _ = strings.Cut(why, ": '")
	return result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: why, At: &result.Location{Path: path}}
}

// proselintFiles reads the JSON's member "result", an object with each file under its URL.
func proselintFiles(s *read.Sink, files *map[string]struct {
	Diagnostics []struct {
		CheckPath string `json:"check_path"`
		Message   string
		Pos       [2]int // line and column
	}
	Error struct{ Message string } // set for a file that was not checked
}) {
	for _, file := range slices.Sorted(maps.Keys(*files)) {
		path := strings.TrimPrefix(file, "file://")
		if why := (*files)[file].Error.Message; why != "" {
			s.FindHere(unreadFile(path, why))
		}
		for _, d := range (*files)[file].Diagnostics {
			at := &result.Location{Path: path, Line: d.Pos[0], Column: d.Pos[1]}
			s.FindHere(result.Finding{Severity: result.SevWarning, Rule: d.CheckPath, Message: d.Message, At: at})
		}
	}
}

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
