package parsers_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/golden"
	"cairn/internal/racing"
	"cairn/parsers"
)

// settledLate are the cases in which findings are chosen, joined or named once all are
// known, so that fewer of them are others, and those of ava, whose titles are known
// from a list that ends with the findings.
var settledLate = []string{
	"annotations/two-linters", "ansible-playbook/loop-items", "ansible-playbook/result-yaml", "artifacts/", "ava/", "cargo-test/", "composite/", "ctest/", "generic/ctest-", "doit/", "generic/ava-default", "generic/make-keep-going-parallel",
	"cucumber/", "generic/node-test-tty-color", "go/generate-crash", "gradle/names-with-arrows", "gradle/quiet-report", "jest/root-dir", "maven/crash-after-failure", "maven/parallel-modules", "maven/printed-failure", "maven/rerun-surefire2", "go-test/", "go-vet/json", "green/", "junit/", "make/parallel-keep-going", "node-test/", "phpunit/risky-", "phpunit/teamcity", "pre-commit/git-hook-pytest", "pytest/",
}

// TestLastKept: what comes behind the last finding that is kept changes nothing in it.
func TestLastKept(t *testing.T) {
	t.Parallel()
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		late := slices.ContainsFunc(settledLate, func(start string) bool { return strings.HasPrefix(c.Name, start) })
		if late || i%5 > 0 && os.Getenv("CAIRN_TEST_THOROUGH") == "" || racing.Skips(i/5, 20) {
			continue
		}
		whole := parsers.Parse(c.Input(c.Output), c.Exit)
		for _, kept := range []int{1, 2, len(whole.Findings) / 2, len(whole.Findings) - 1} {
			if kept <= 0 || kept >= len(whole.Findings) {
				continue
			}
			in := c.Input(c.Output)
			in.Limits.Findings = kept
			few := parsers.Parse(in, c.Exit)
			if len(few.Findings) != kept {
				continue
			}
			one, of := few.Findings[kept-1], whole.Findings[kept-1]
			one.Times, of.Times = 0, 0 // what comes behind may be the same test again
			got, _ := json.Marshal(one)
			want, _ := json.Marshal(of)
			if string(got) != string(want) {
				t.Errorf("%s, of which %d are kept:\n%s\nwant\n%s", c.Name, kept, got, want)
			}
		}
	}
}
