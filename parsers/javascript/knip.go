package javascript

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("knip", func(p *tool.Parser) {
	p.Is("knip", result.Lint, 1, "knip 2 to 6: symbols, compact, json, markdown, codeclimate, disclosure, github-actions")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "symbols", Starts: []string{"Unused files (", "Unused dependencies (", "Unused devDependencies (", "Unused exports (", "Unlisted dependencies (", "Unlisted binaries ("}, Parse: read.Text{Line: knipLine}.Parse})
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"issues":[{"file":"`}, Parse: read.JSON{Items: read.Items(knipIssue, "/issues/*")}.Parse})
	p.Reads(tool.Format{Name: "markdown", Starts: []string{"# Knip report"}, Parse: read.Text{Line: knipMarkdown}.Parse})
	p.Reads(tool.Format{Name: "codeclimate", Parse: read.CodeQuality(func(f *result.Finding) { _, f.Message, _ = strings.Cut(f.Message, ": ") })})
	p.Reads(tool.Format{Name: "disclosure", Starts: []string{"<summary>Unused ", "<summary>Unlisted ", "<summary>Unresolved "}, Parse: read.Text{Line: knipDisclosed}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Unable to ", "ERROR: ", "Error: ", "Unknown option ")})
})

// knipLine reads the head of a list, "Unused exports (2)", and its rows, "name  place".
func knipLine(s *read.Sink, l tool.Line) bool {
	head, count, ok := strings.Cut(l.Text, " (")
	if count = strings.TrimSuffix(count, ")"); ok && lex.IsDigits(count) && strings.HasPrefix(head, "Un") || strings.HasPrefix(head, "Duplicate ") {
		s.Path = head
		s.Sign(l)
		s.Claim(lex.Atoi(count))
		return true
	}
	if d, ok := read.CutDiagnostic(l.Text); ok && d.Word != "" || s.Path == "" || strings.TrimSpace(l.Text) == "" || strings.HasPrefix(l.Text, "Configuration hints") {
		s.Path = ""
		return false
	}
	if w, ok := read.CutWorkflow(l.Text); ok {
		return s.Find(l, knipAnnotation(s.Path, w))
	}
	name, rest, _ := strings.Cut(l.Text, "  ")
	f := result.Finding{Rule: s.Path, Message: strings.TrimSpace(name)}
	words := strings.Fields(rest)
	if path, names, ok := strings.Cut(l.Text, ": "); ok && rest == "" { // compact
		all := strings.Split(names, ", ")
		for _, name := range all[:len(all)-1] {
			s.Find(l, result.Finding{Rule: s.Path, Message: name, At: &result.Location{Path: path}})
		}
		f.Message, f.At = all[len(all)-1], &result.Location{Path: path}
	} else if len(words) > 0 {
		f.At = knipPlace(words[len(words)-1])
	} else {
		f.At = &result.Location{Path: f.Message}
	}
	return s.Find(l, f)
}

// knipAnnotation reads a row of the reporter github-actions. An issue of a whole file has the position of its first
// character, which is left out.
func knipAnnotation(rule string, w read.Workflow) result.Finding {
	at := result.Location{Path: w.At.Path}
	if w.At.Line > 1 || w.At.Column > 1 {
		at.Line, at.Column = w.At.Line, w.At.Column
	}
	return result.Finding{Rule: rule, Message: strings.TrimSuffix(w.Message, " in "+at.Path), At: &at}
}

// knipPlace reads "src/a.ts:3:7" and "package.json".
func knipPlace(text string) *result.Location {
	return cmp.Or(read.PlaceOf(text), &result.Location{Path: text})
}

// knipHeads pairs each kind of issue in the JSON with its heading in the text.
const knipHeads = "Unused files: files; Unused dependencies: dependencies; Unused devDependencies: devDependencies; " +
	"Referenced optional peerDependencies: optionalPeerDependencies; Unlisted dependencies: unlisted; Unlisted binaries: binaries; " +
	"Unresolved imports: unresolved; Unused exports: exports; Unused exported types: types; Exports in used namespace: nsExports; " +
	"Exported types in used namespace: nsTypes; Unused exported enum members: enumMembers; Unused exported class members: classMembers; " +
	"Unused exported namespace members: namespaceMembers; Duplicate exports: duplicates; Unused catalog entries: catalog; " +
	"Unresolved catalog references: catalogReferences"

// knipIssue reads the issues of one file, by kind, from the json reporter.
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
		head := lex.Means(kind, knipHeads)
		if head == "" || json.Unmarshal((*issue)[kind], &all) != nil {
			continue
		}
		for _, v := range all {
			s.FindHere(result.Finding{Rule: head, Message: v.Name, At: &result.Location{Path: path, Line: v.Line, Column: v.Col}})
		}
	}
}

// knipMarkdown reads "## Unused exports (2)" and the table below it: name, place, severity.
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
	return s.Find(l, result.Finding{Severity: read.SeverityOf(severity), RawSeverity: severity, Rule: s.Path, Message: name, At: knipPlace(where)})
}

// knipDisclosed reads the reporter disclosure: the head of each list is a <summary>, its rows are in a code block.
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
