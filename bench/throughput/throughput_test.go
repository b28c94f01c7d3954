package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"

	"cairn/bench/formats"
	"cairn/parsers"
	"cairn/result"
)

// What is measured must be read as what it is, and to its last finding.
func TestFormatsAreRead(t *testing.T) {
	for _, f := range formats.All {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "output")
			made, err := f.Write(file, 300<<10)
			if err != nil {
				t.Fatal(err)
			}
			r := parsers.Parse(parsers.Input{Argv: f.Argv, Source: fileSource(file)}, result.Exit{Observed: true, Code: f.Exit})
			if got := failures(r); got != made.Failures {
				t.Errorf("%d findings of %d", got, made.Failures)
			}
			if known := f.Tool != "generic"; known != (r.ParserConfidence == result.Parsed) {
				t.Errorf("read as %s of %q: %v", r.ParserConfidence, r.Tool, r.Extra)
			}
		})
	}
}

func TestChosen(t *testing.T) {
	for only, want := range map[string]int{"": len(formats.All), "mypy": 3, "mypy/json": 1, "tsc/plain,tsc/pretty": 2, "pytest/text": 3, "pytest/text flood": 1, "nothing": 0} {
		chosenOf := slices.DeleteFunc(slices.Clone(formats.All), func(f formats.Format) bool { return !chosen(only, f) })
		if got := len(chosenOf); got != want {
			t.Errorf("-only %q chooses %d, want %d", only, got, want)
		}
	}
}

func TestNamesTellFormatsApart(t *testing.T) {
	names := slices.SortedFunc(slices.Values(formats.All), func(a, b formats.Format) int { return cmp.Compare(a.Name(), b.Name()) })
	for i := range names[1:] {
		if names[i].Name() == names[i+1].Name() {
			t.Errorf("two are called %s", names[i].Name())
		}
	}
}
