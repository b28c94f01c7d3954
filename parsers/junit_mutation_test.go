package parsers

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/parsers/internal/casetest"
	"cairn/result"
)

// honestJUnit: a failing exit is neither a success nor parsed with nothing, and
// an exit 0 is passed only where the document was whole.
func honestJUnit(t *testing.T, what, doc string) {
	t.Helper()
	failing := casetest.ParseKnown(junitInput(doc), casetest.Exited(1))
	if failing.Status == result.Passed || failing.Status == result.OK || failing.ParserConfidence == result.Parsed && len(failing.Findings) == 0 {
		t.Errorf("%s, exit 1: %s", what, junitLines(failing))
	}
	if r := casetest.ParseKnown(junitInput(doc), casetest.Exited(0)); r.Status == result.Passed && strings.Contains(doc, "<failure") {
		t.Errorf("%s, exit 0: %s", what, junitLines(r))
	}
}

// mutated are the documents that are changed: one that is small, and one that
// is real.
func mutated(t *testing.T) map[string]string {
	real, err := os.ReadFile("../golden/junit/bats/stdout")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"small": smallJUnit, "bats": string(real)}
}

func TestJUnitCutAnywhere(t *testing.T) {
	for name, doc := range mutated(t) {
		for i := range doc {
			if racing.Skips(i, 20) {
				continue
			}
			honestJUnit(t, fmt.Sprintf("%s cut at %d", name, i), doc[:i])
		}
	}
}

func TestJUnitLines(t *testing.T) {
	for name, doc := range mutated(t) {
		lines := strings.SplitAfter(doc, "\n")
		for i := range lines {
			without := strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "")
			honestJUnit(t, fmt.Sprintf("%s without line %d", name, i+1), without)
			twice := strings.Join(lines[:i+1], "") + strings.Join(lines[i:], "")
			honestJUnit(t, fmt.Sprintf("%s with line %d twice", name, i+1), twice)
		}
	}
}

// TestJUnitLostFailure: without the tag of the failure, the counts of the suite
// still say that there was one.
func TestJUnitLostFailure(t *testing.T) {
	doc := strings.Replace(smallJUnit, "<failure", "<properties", 1)
	r := casetest.ParseKnown(junitInput(doc), casetest.Exited(0))
	if r.Status == result.Passed || r.ParserConfidence == result.Parsed {
		t.Errorf("got %s", junitLines(r))
	}
}
