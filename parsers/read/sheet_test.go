package read

import (
	"strings"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// TestSheetRows: a row without a line is no more of the row above it where its table breaks no rows, or where it has a
// severity of its own.
func TestSheetRows(t *testing.T) {
	for _, table := range []string{
		`| File | Line | Message |
|------|-----:|---------|
| a.js | 3 | bad thing |
| c.js |  | the file has no header |
| b.js | 9 | meh |
`, `│ File │ Line │ Severity │ Message   │
├──────┼──────┼──────────┼───────────┤
│ a.js │ 3    │ error    │ bad thing │
│ c.js │      │ error    │ the file  │
│      │      │          │ has no    │
│      │      │          │ header    │
│ b.js │ 9    │ warning  │ meh       │
`} {
		in := tool.Input{Source: term.Separate([]byte(table), nil)}
		rep := Sheet{}.Parse(&in)
		var got []string
		for _, f := range rep.Findings {
			got = append(got, f.At.String()+" "+f.Message)
		}
		if said := strings.Join(got, ", "); said != "a.js:3 bad thing, c.js the file has no header, b.js:9 meh" && said != "a.js:3 bad thing, b.js:9 meh" {
			t.Errorf("%q", said)
		}
		if len(got) == 2 && rep.Doubt == "" {
			t.Error("a row is left out, and nothing says so")
		}
	}
}

// TestSheetLocations: a column of locations has the line, and the file where none stands above the table.
func TestSheetLocations(t *testing.T) {
	for _, table := range []string{
		"## Lint: a.yaml\n\n| Severity | Location | Message |\n|---|---|---|\n| error | line 3:7 | bad thing |\n| warning | line 9:1 | meh |\n",
		"| Severity | Location | Message |\n|---|---|---|\n| error | a.yaml:3:7 | bad thing |\n| warning | a.yaml:9:1 | meh |\n",
	} {
		in := tool.Input{Source: term.Separate([]byte(table), nil)}
		var got []string
		if rep := (Sheet{}).Parse(&in); rep != nil {
			for _, f := range rep.Findings {
				got = append(got, f.At.String()+" "+f.Message)
			}
		}
		if said := strings.Join(got, ", "); said != "a.yaml:3:7 bad thing, a.yaml:9:1 meh" {
			t.Errorf("%q", said)
		}
	}
}

// TestHeadedFile: a heading names a file, with blanks where it is marked or begins at the root.
func TestHeadedFile(t *testing.T) {
	for heading, want := range map[string]string{
		"src/a.rb - (13 offenses)":         "src/a.rb",
		"[+] /w/old pages/b.js 7 problems": "/w/old pages/b.js",
		"/w/old pages/b.js":                "/w/old pages/b.js",
		"## Lint: a.yaml":                  "a.yaml",
		"see a.js for more":                "",
		"#":                                "",
	} {
		if got := headedFile(heading); got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}
