package prose

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("proselint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "proselint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "proselint 0.10 to 0.16",
		Formats: []tool.Format{{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(proselintFiles, "/result")}.Parse}, {Name: "text", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: func(d *read.Diagnostic) bool {
			rule, message, ok := strings.Cut(d.Message, " ")
			if ok = ok && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789_.:") == ""; ok {
				d.Rule, d.Message = strings.TrimSuffix(rule, ":"), message
			}
			return ok
		}}.Parse}, read.PythonTrouble("proselint")},
	}
})

// proselintFiles reads the member result, in which each file stands by its URL.
func proselintFiles(s *read.Sink, files *map[string]struct {
	Diagnostics []struct {
		CheckPath string `json:"check_path"`
		Message   string
		Pos       [2]int // line and column
	}
}) {
	for _, file := range slices.Sorted(maps.Keys(*files)) {
		for _, d := range (*files)[file].Diagnostics {
			at := &result.Location{Path: strings.TrimPrefix(file, "file://"), Line: d.Pos[0], Column: d.Pos[1]}
			s.FindHere(result.Finding{Severity: result.SevWarning, Rule: d.CheckPath, Message: d.Message, At: at})
		}
	}
}
