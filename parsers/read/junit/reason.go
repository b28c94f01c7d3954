package junit

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
	"cairn/result"
)

// printedReasons are the reasons for a failure in the output of a test. Each begins with a place, as GoogleTest
// prints it. If no line begins with a place, the reason is the last line with an alarm word, or else the last line.
func (t *junitCase) printedReasons() []string {
	output := t.output.lines()
	last, eye := max(0, len(output)-1), scan.NewScanner()
	var starts []int
	for i, s := range output {
		if _, ok := frame.Cut(s); ok && !strings.HasPrefix(s, " ") || strings.HasPrefix(s, "unknown file: Failure") {
			starts = append(starts, i)
		}
		l := term.RawLine{Text: []byte(s)}
		if eye.Look(&l); l.Alarm >= 0 {
			last = i
		}
	}
	if len(starts) == 0 {
		return output[min(last, len(output)):]
	}
	starts = append(starts, len(output))
	for i := 1; i+1 < len(starts) && len(t.outcomes) < maxOutcomes; i++ {
		o := junitOutcome{what: "failure"}
		o.text.add(strings.Join(output[starts[i]:starts[i+1]], "\n"))
		t.outcomes = append(t.outcomes, o)
	}
	return output[starts[0]:starts[1]]
}

// explained lets the tool that ran the test explain the test's output; false if the output holds no reason.
func (r *junitReader) explained(f *result.Finding, d string, body []string) bool {
	explain := r.run.known(d).Explain
	if explain == nil {
		return false
	}
	g, sure := explain(f.Name, body)
	if !sure {
		return false
	}
	g.Severity, g.RawSeverity, g.Source = f.Severity, f.RawSeverity, f.Source
	g.ID, g.Suite, g.Name, g.RawSpan = f.ID, f.Suite, f.Name, f.RawSpan
	*f = g
	return true
}
