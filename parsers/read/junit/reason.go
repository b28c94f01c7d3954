package junit

import (
	"strings"

	"cairn/parsers/internal/scan"
	"cairn/parsers/internal/term"
	"cairn/result"
)

// nodeMessage: the message attribute of node's reporter has lost its line
// breaks up to version 22; the text has them.
func nodeMessage(message string, body []string) string {
	if strings.Contains(message, "\n") || len(body) == 0 {
		return message
	}
	first := body[0]
	for _, before := range [...]string{"[", "Error", " [ERR_TEST_FAILURE]", ": "} {
		first = strings.TrimPrefix(first, before)
	}
	if first == "" || len(first) >= len(message) || !strings.HasPrefix(message, first) {
		return message
	}
	lines := []string{first}
	rest := message[len(first):]
	for _, s := range body[1:] {
		if !strings.HasPrefix(rest, s) {
			break
		}
		lines, rest = append(lines, s), rest[len(s):]
	}
	return strings.Join(lines, "\n")
}

// ctestReasons is what decides in the output of a test, which ctest keeps as it
// was printed: from a place on, as GoogleTest prints it, else from the last line
// that reports something wrong, else the last one. Further places are further
// reasons.
func (t *junitCase) ctestReasons() []string {
	output := t.output.lines()
	last, eye := max(0, len(output)-1), scan.NewScanner()
	var starts []int
	for i, s := range output {
		if _, ok := junitFrame(strings.TrimSpace(s)); ok && !strings.HasPrefix(s, " ") || strings.HasPrefix(s, "unknown file: Failure") {
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

// explained asks the tool that ran the test what the test printed; false where
// none of it is a reason.
func (r *junitReader) explained(f *result.Finding, d junitDialect, body []string) bool {
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
