package report

import (
	"fmt"
	"strings"

	"cairn/result"
)

// Headline is a report in one line: how many commands failed, and how many findings are new, known, flaky, fixed and
// gone.
func Headline(r *Report) string {
	failed, latest, hidden := 0, r.Latest(), 0
	for _, run := range latest {
		if run.Failed() {
			failed++
		}
		hidden += run.Hidden
	}
	line := fmt.Sprintf("%s passed", result.Count(len(latest), "command"))
	if failed > 0 {
		line = fmt.Sprintf("%d of %s failed", failed, result.Count(len(latest), "command"))
	}
	n := r.counts()
	var words []string
	for _, part := range []struct {
		state State
		word  string
	}{{New, "new"}, {"", "not compared"}, {Known, "known"}, {Flaky, "flaky"}, {Fixed, "fixed"}, {Gone, "gone"}} {
		if n[part.state] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[part.state], part.word))
		}
	}
	if len(words) > 0 {
		line += ": " + strings.Join(words, ", ")
	}
	return line
}
