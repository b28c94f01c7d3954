package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// What is measured must be read as what it is, and to its last finding.
func TestFormatsAreRead(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "output")
			made, err := f.make(file, 300<<10)
			if err != nil {
				t.Fatal(err)
			}
			r := parsers.Parse(parsers.Input{Argv: f.argv, Source: fileSource(file)}, result.Exit{Observed: true, Code: f.exit})
			if got := failures(r); got != made.failures {
				t.Errorf("%d findings of %d", got, made.failures)
			}
			if known := f.tool != "generic"; known != (r.ParserConfidence == result.Parsed) {
				t.Errorf("read as %s of %q: %v", r.ParserConfidence, r.Tool, r.Extra)
			}
		})
	}
}

func TestChosen(t *testing.T) {
	for only, want := range map[string]int{"": len(formats), "mypy": 3, "mypy/json": 1, "tsc/plain,tsc/pretty": 2, "pytest/text": 3, "pytest/text flood": 1, "nothing": 0} {
		chosenOf := slices.DeleteFunc(slices.Clone(formats), func(f format) bool { return !chosen(only, f) })
		if got := len(chosenOf); got != want {
			t.Errorf("-only %q chooses %d, want %d", only, got, want)
		}
	}
}

func TestNamesTellFormatsApart(t *testing.T) {
	names := slices.SortedFunc(slices.Values(formats), func(a, b format) int { return cmp.Compare(a.name(), b.name()) })
	for i := range names[1:] {
		if names[i].name() == names[i+1].name() {
			t.Errorf("two are called %s", names[i].name())
		}
	}
}
