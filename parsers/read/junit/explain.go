package junit

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Explain completes a finding with what the text of a failed test says, as printed by runners and as stored in
// reports: the class of the exception, the message, values, and the innermost frame in the workspace. So a finding
// is the same from a report and from printed output. dir is the directory of the test sources, without the part for
// their language; only the test's own class is looked up there.
func Explain(in *tool.Input, f *result.Finding, text []string, class, dir string) {
	text = withoutShown(text)
	thrown(f, "", nil, text)
	f.Message = junitMessage(f, nil, text)
	fillJUnitValues(f, nil, text)
	r := &junitReader{run: &junitRun{in: in, files: place.NewFiles(in.Workspace)}}
	r.test.class = append(r.test.class, class...)
	r.locate(f, "", nil, text)
	r.causes(f, text)
	r.parts(f, "", text)
	inSources(f.At, class, dir)
	for i := range f.Frames {
		inSources(&f.Frames[i], class, dir)
	}
	for i := range f.Related {
		inSources(f.Related[i].At, class, dir)
	}
	detail := lex.Bounded{Max: lex.MaxRest}
	room := lex.MaxRest
	for _, s := range text {
		detail.Add(s, &room)
	}
	f.Detail = strings.Join(detail.Lines(), "\n")
}

// Shown is the line above the trace of a throwable, which is a part of AssertJ's message.
const Shown = "Throwable that failed the check:"

// withoutShown leaves out such a throwable, whose frames are not those of the assertion.
func withoutShown(text []string) []string {
	i := slices.IndexFunc(text, func(s string) bool { return strings.TrimSpace(s) == Shown })
	for j := len(text) - 2; i >= 0 && j > i+1; j-- {
		if strings.TrimSpace(text[j]) == "" && strings.HasPrefix(strings.TrimSpace(text[j+1]), "at ") {
			return slices.Concat(text[:i], text[j:])
		}
	}
	return text
}

// inSources adds the directory of the test sources to a place in the test's class.
func inSources(at *result.Location, class, dir string) {
	if at != nil && class != "" && dir != "" && isInClass(at, class) {
		at.Path = path.Join(dir, sourceSet(at.Path), at.Path)
	}
}

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
