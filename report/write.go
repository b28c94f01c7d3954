package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// format is one format of a report.
type format struct {
	name  string
	about string
	write func(io.Writer, *Report) error
}

// HTML is a format that is made of a History, not of a Report.
const HTML = "html"

// formats lists the formats. It is a function so that nothing is built at start-up.
func formats() []format {
	return []format{
		{"markdown", "a comment on a pull request", Markdown{Limit: CommentLimit}.Write},
		{HTML, "a page that opens from disk", nil},
		{"junit", "JUnit XML", junit},
		{"ctrf", "Common Test Report Format", ctrf},
		{"sarif", "SARIF 2.1.0, for code scanning", sarif},
		{"github", "workflow commands of GitHub Actions", GitHub{Errors: StepLimit, Warnings: StepLimit, Notices: StepLimit, All: JobLimit}.Write},
		{"gitlab", "GitLab's code quality", gitlab},
		{"teamcity", "service messages", teamcity},
		{"rdjson", "reviewdog", rdjson},
		{"vim", "the quickfix list of vim, and emacs' compilation mode", vim},
		{"csv", "a row a finding", csv},
	}
}

// Formats returns the names of the formats, and what each is for.
func Formats() (names, abouts []string) {
	for _, f := range formats() {
		names, abouts = append(names, f.name), append(abouts, f.about)
	}
	return names, abouts
}

// Check returns an error if there is no format of this name.
func Check(name string) error {
	names, _ := Formats()
	if !slices.Contains(names, name) {
		return fmt.Errorf("unknown format %q: use %s", name, strings.Join(names, ", "))
	}
	return nil
}

// Write writes a report in a format.
func Write(w io.Writer, name string, r *Report) error {
	for _, f := range formats() {
		if f.name == name && f.write != nil {
			return f.write(w, r)
		}
	}
	if err := Check(name); err != nil {
		return err
	}
	return fmt.Errorf("%s is a page of the whole record: cairn report --format %s", name, name)
}

// writeJSON writes a document without escaping characters outside of ASCII, for hosts that show it to people.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}
