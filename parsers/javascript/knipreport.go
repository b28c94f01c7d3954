package javascript

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// knipHeads are the words for a kind of issue, as the text has them.
var knipHeads = [...][2]string{
	{"files", "Unused files"}, {"dependencies", "Unused dependencies"}, {"devDependencies", "Unused devDependencies"},
	{"optionalPeerDependencies", "Referenced optional peerDependencies"}, {"unlisted", "Unlisted dependencies"}, {"binaries", "Unlisted binaries"},
	{"unresolved", "Unresolved imports"}, {"exports", "Unused exports"}, {"types", "Unused exported types"}, {"nsExports", "Exports in used namespace"},
	{"nsTypes", "Exported types in used namespace"}, {"enumMembers", "Unused exported enum members"}, {"classMembers", "Unused exported class members"},
	{"namespaceMembers", "Unused exported namespace members"}, {"duplicates", "Duplicate exports"}, {"catalog", "Unused catalog entries"},
	{"catalogReferences", "Unresolved catalog references"},
}

func knipHead(kind string) string {
	for _, h := range knipHeads {
		if h[0] == kind {
			return h[1]
		}
	}
	return ""
}

// knipIssue is what the json reporter says of one file, by kind.
func knipIssue(s *read.Sink, issue *map[string]json.RawMessage) {
	path := ""
	if json.Unmarshal((*issue)["file"], &path) != nil {
		return
	}
	for _, kind := range slices.Sorted(maps.Keys(*issue)) {
		var all []struct {
			Name      string
			Line, Col int
		}
		if knipHead(kind) == "" || json.Unmarshal((*issue)[kind], &all) != nil {
			continue
		}
		for _, v := range all {
			s.FindHere(result.Finding{Rule: knipHead(kind), Message: v.Name, At: &result.Location{Path: path, Line: v.Line, Column: v.Col}})
		}
	}
}

// knipMarkdown reads "## Unused exports (2)" and a table below it: name, place,
// severity.
func knipMarkdown(s *read.Sink, l tool.Line) bool {
	if head, ok := strings.CutPrefix(l.Text, "## "); ok {
		s.Path, _, _ = strings.Cut(head, " (")
		s.Path = strings.Clone(s.Path)
		return s.Sign(l)
	}
	cells := strings.Split(strings.Trim(l.Text, "| "), "|")
	if s.Path == "" || len(cells) != 3 || l.Text[0] != '|' {
		return l.Text == "# Knip report"
	}
	name, where, severity := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
	if read.SeverityOf(severity) == "" {
		return true // the head of the table
	}
	at, _, _ := knipPlace(where)
	return s.Find(l, result.Finding{Severity: read.SeverityOf(severity), RawSeverity: severity, Rule: s.Path, Message: name, At: &at})
}

// knipDisclosed reads the reporter disclosure: the head of each list is a summary, and its
// rows stand in a block of code.
func knipDisclosed(s *read.Sink, l tool.Line) bool {
	head, ok := strings.CutPrefix(l.Text, "<summary>")
	if ok {
		l.Text = strings.TrimSuffix(head, "</summary>")
	}
	switch l.Text {
	case "</details>":
		s.Path = ""
		return true
	case "", "<details>", "```":
		return s.Path != ""
	}
	return knipLine(s, l)
}
