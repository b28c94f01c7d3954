package prose

import (
	"encoding/json"
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
	return ok && both && s.Find(l, unreadFile(path, why))
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

var _ = Room.Add("vale", func(p *tool.Parser) {
	p.Is("vale", result.Lint, 1, "vale 2 and 3: CLI, line and JSON output")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"": valeFiles}}.Parse})
	p.Reads(tool.Format{Name: "line", Parse: read.Linter{Rule: read.Colon, Default: result.SevWarning, Accept: func(d *read.Diagnostic) bool {
		return strings.Contains(d.Rule, ".") && d.At.Column > 0
	}}.Parse})
	p.Reads(tool.Format{Name: "cli", Parse: read.Grouped{
		Row: read.RowForm{LastColumn: true}, Other: valeOther,
		Head: func(text string) (string, bool) {
			path := strings.TrimSpace(text)
			return path, path != "" && !strings.Contains(path, "  ") && strings.ContainsAny(path, "./")
		},
	}.Parse})
})

// valeAlert is a message of the JSON format.
type valeAlert struct {
	Check, Message, Severity, Link string
	Line                           int
	Span                           []int
}

// valeFiles reads the whole document: the alerts of each file, or, if it has a Code, the reason why vale could not run.
func valeFiles(s *read.Sink, item []byte) error {
	var trouble struct{ Code, Text, Path string }
	if json.Unmarshal(item, &trouble) == nil && trouble.Code != "" {
		s.FindHere(result.Finding{Kind: result.GenericFinding, Rule: trouble.Code, Message: trouble.Text, At: &result.Location{Path: trouble.Path}})
		s.Meaning = result.MeansUsage
		return nil
	}
	var files map[string][]valeAlert
	if err := json.Unmarshal(item, &files); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for _, a := range files[path] {
			at := result.Location{Path: path, Line: a.Line}
			if len(a.Span) == 2 {
				at.Column = a.Span[0]
			}
			s.FindHere(result.Finding{Severity: read.SeverityOf(a.Severity), RawSeverity: a.Severity, Rule: a.Check, RuleURL: a.Link, Message: a.Message, At: &at})
		}
	}
	return nil
}

// valeOther reads the rest of a wrapped message, the closing count, and the reason why vale could not run: "E100
// [.vale.ini not found] Runtime error".
func valeOther(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "✖ "), strings.HasPrefix(text, "✔ "):
		s.Found(l, read.ErrorsIn(text))
	case strings.HasPrefix(text, "E1") || strings.HasPrefix(text, "E2"):
		rule, message, ok := strings.Cut(text, " [")
		if !ok || len(rule) != 4 {
			return false
		}
		s.Refuse(l, result.Finding{Kind: result.GenericFinding, Rule: rule, Message: "[" + message})
	case text != "" && strings.HasPrefix(l.Text, "        ") && s.Last() != nil:
		message, _, _ := strings.Cut(text, "   ")
		s.Last().Message += " " + message
		s.Cover(l)
	default:
		return false
	}
	return true
}
