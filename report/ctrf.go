package report

import (
	"cmp"
	"io"
)

// ctrf writes Common Test Report Format 0.0.0, https://ctrf.io/docs/specification/overview. The counts are of the tests
// that are written; a finding that is no test is written as one, as in JUnit XML.
func ctrf(w io.Writer, r *Report) error {
	tests := []ctrfTest{}
	n := map[string]int{"passed": 0, "failed": 0, "skipped": 0, "pending": 0, "other": 0}
	tool := ""
	var start, stop int64
	for _, run := range r.Latest() {
		began := run.Time.UnixMilli()
		if start == 0 || began < start {
			start = began
		}
		stop = max(stop, began+run.Duration)
		if tool != "" && tool != run.Tool {
			tool = "cairn"
		} else {
			tool = run.Tool
		}
		for _, t := range run.cases() {
			one := ctrfOf(run, t)
			n[one.Status]++
			tests = append(tests, one)
		}
	}
	type summary struct {
		Tests   int   `json:"tests"`
		Passed  int   `json:"passed"`
		Failed  int   `json:"failed"`
		Skipped int   `json:"skipped"`
		Pending int   `json:"pending"`
		Other   int   `json:"other"`
		Start   int64 `json:"start"`
		Stop    int64 `json:"stop"`
	}
	type named struct {
		Name string `json:"name"`
	}
	type results struct {
		Tool    named      `json:"tool"`
		Summary summary    `json:"summary"`
		Tests   []ctrfTest `json:"tests"`
	}
	return writeJSON(w, struct {
		Format  string  `json:"reportFormat"`
		Version string  `json:"specVersion"`
		By      string  `json:"generatedBy"`
		Results results `json:"results"`
	}{"CTRF", "0.0.0", "cairn", results{named{cmp.Or(tool, "cairn")}, summary{len(tests), n["passed"], n["failed"], n["skipped"], n["pending"], n["other"], start, stop}, tests}})
}

// ctrfTest is a test in this format.
type ctrfTest struct {
	Name     string            `json:"name"`
	Status   string            `json:"status"`
	Duration int64             `json:"duration"`
	Suite    []string          `json:"suite,omitempty"`
	Message  string            `json:"message,omitempty"`
	Trace    string            `json:"trace,omitempty"`
	Line     int               `json:"line,omitempty"`
	Raw      string            `json:"rawStatus,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Type     string            `json:"type,omitempty"`
	Path     string            `json:"filePath,omitempty"`
	Flaky    bool              `json:"flaky,omitempty"`
	Extra    map[string]string `json:"extra,omitempty"`
}

// ctrfOf converts a test of a run, or a finding that is no test.
func ctrfOf(run *Run, t told) ctrfTest {
	one := ctrfTest{Name: cmp.Or(t.ID, "(no name)"), Status: "passed", Duration: max(t.Duration, 0), Raw: t.Outcome, Type: string(run.Kind), Suite: []string{run.Command}, Extra: map[string]string{"run": run.ID}}
	f := t.finding
	switch {
	case t.skipped():
		one.Status = "skipped"
	case t.failed():
		one.Status = "failed"
	case f != nil:
		one.Status = "other"
	}
	if f != nil {
		one.Message, one.Trace, one.Flaky = f.Message, f.trace(), f.State == Flaky
		if f.Fingerprint != "" {
			one.Extra["fingerprint"] = f.Fingerprint
		}
		if f.State != "" {
			one.Tags = []string{string(f.State)}
		}
		if at := f.at(); at != nil {
			one.Path, one.Line = at.Path, at.Line
		}
	}
	return one
}
