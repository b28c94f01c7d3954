package manifest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestVersions: the same eleven runs, recorded in every version of the line, tell the
// same facts. The files are never written anew: they are what old clones hold.
func TestVersions(t *testing.T) {
	want, err := os.ReadFile("testdata/facts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for v := 1; v <= Version; v++ {
		lines, err := os.ReadFile(fmt.Sprintf("testdata/v%d.jsonl", v))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for line := range strings.Lines(string(lines)) {
			r, err := Decode([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil || r.V != v {
				t.Fatalf("%v: %s", err, line)
			}
			got.WriteString(factsOf(t, r))
		}
		if got.String() != string(want) {
			t.Errorf("version %d tells\n%s\nwant\n%s", v, got.String(), want)
		}
	}
}

// factsOf is what a reader learns from a line, but for names, times and what git said,
// which differ from run to run.
func factsOf(t *testing.T, r *Record) string {
	tr, err := r.Result()
	if err != nil {
		t.Fatal(err)
	}
	exit := "none"
	if r.Exit != nil {
		exit = fmt.Sprint(*r.Exit)
	}
	text := fmt.Sprintf("%s %s in %s: tool %s, %s, %s, exit %s %s timed out %v, %v, %q, %s by %s\n",
		strings.Join(r.Argv, " ")+r.Shell, r.Key, r.Dir, tr.Tool, tr.Kind, tr.Status, exit, r.Signal, r.TimedOut, tr.Counts, tr.Summary, tr.ParserConfidence, tr.StatusSource)
	if subject := summarize(r); !strings.Contains(subject, string(tr.Status)) {
		t.Errorf("%s is %s", subject, tr.Status)
	}
	for _, f := range tr.Findings {
		text += fmt.Sprintf("    %s %s %s %s: %s %s, expected %q, got %q %s %s\n", f.At, f.Kind, f.Severity, f.ID, f.Rule, f.Message, f.Expected, f.Actual, f.Fingerprint, f.Group)
	}
	return text
}
