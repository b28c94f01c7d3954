package prose

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
