package read_test

import (
	"testing"

	"cairn/parsers/read"
)

// A place in a YAML document belongs to the text above it; of two, the last is where
// the document is wrong.
func TestYAMLMark(t *testing.T) {
	for text, want := range map[string]string{
		`  in "compose.yml", line 4, column 4`:  "compose.yml:4:4",
		`  in "compose.yml", line 4, column 4:`: "compose.yml:4:4",
		`in "checker.py", line 3`:               "",
		`in "a.yml"`:                            "",
		`File "a.py", line 3, in f`:             "",
	} {
		at, ok := read.YAMLMark(text)
		if got := at.String(); ok != (want != "") || ok && got != want {
			t.Errorf("YAMLMark(%q) = %q, want %q", text, got, want)
		}
	}
}
