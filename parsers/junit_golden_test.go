package parsers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/golden"
	"cairn/parsers"
)

// identities are the findings of a recorded run, as far as identity goes.
func identities(t *testing.T, name string) []string {
	t.Helper()
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(cases, func(c golden.Case) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no case %s", name)
	}
	c := cases[i]
	r := parsers.Parse(c.Input(c.Output), c.Exit)
	var all []string
	for _, f := range r.Findings {
		id := f.ID
		if sub, _, ok := strings.Cut(id, " (i="); ok { // --junitxml does not say which subtest it was
			f.Fingerprint, id = "", sub
		}
		if strings.HasSuffix(id, "::test_sub") {
			f.Fingerprint = ""
		}
		all = append(all, fmt.Sprintf("%s %s %q %s", f.Location, f.Rule, id, f.Fingerprint))
	}
	slices.Sort(all)
	return all
}

// TestJUnitAgainstText: the report and the text of one run are the same
// findings.
func TestJUnitAgainstText(t *testing.T) {
	for _, pair := range [][2]string{
		{"pytest-failures", "pytest-failures-text"},
		{"pytest-7", "pytest-7-text"},
		{"pytest-subdir", "pytest-subdir-text"},
		{"go-junit-report", "go-test-text"},
		{"nextest", "nextest-text"},
	} {
		t.Run(pair[0], func(t *testing.T) {
			report, text := identities(t, "junit/"+pair[0]), identities(t, "junit/"+pair[1])
			if len(text) == 0 || !slices.Equal(report, text) {
				t.Errorf("in the report\n  %s\nin the text\n  %s", strings.Join(report, "\n  "), strings.Join(text, "\n  "))
			}
		})
	}
}

// TestGotestsumAgainstText: gotestsum's report leaves out what the compiler
// said; all else is the same.
func TestGotestsumAgainstText(t *testing.T) {
	report, text := identities(t, "junit/gotestsum"), identities(t, "junit/go-test-text")
	building := func(s string) bool { return strings.Contains(s, "broken") }
	report, text = slices.DeleteFunc(report, building), slices.DeleteFunc(text, building)
	if len(text) == 0 || !slices.Equal(report, text) {
		t.Errorf("in the report\n  %s\nin the text\n  %s", strings.Join(report, "\n  "), strings.Join(text, "\n  "))
	}
}
