package outcomes

import (
	"bufio"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/result"
)

// Document is a list and what Write shows beside it.
type Document struct {
	Tool  string
	Tests List
	Said  result.Outcomes
	Again func(Test) string // returns the command that runs one test, "" if unknown; may be nil
	Past  func(Test) *Past  // returns the history of a test over earlier runs; may be nil
}

// Past is the history of a test over the runs of its command, as far as it is worth showing.
type Past struct {
	Runs   int `json:"runs"`
	Failed int `json:"failed"`
	// Trees counts the trees on which the test both passed and failed; Retried counts the runs in which it passed on a
	// retry.
	Trees   int `json:"trees,omitempty"`
	Retried int `json:"retried,omitempty"`
	// Since is the first of the newest runs, all of which skipped the test; Ran is the last run before them.
	Since string `json:"skipped_since,omitempty"`
	Ran   string `json:"last_ran,omitempty"`
}

// Flaky says whether the test both passed and failed on one tree, or passed on a retry.
func (p *Past) Flaky() bool { return p.Trees > 0 || p.Retried > 0 }

// text is the history for people: "skipped since RUN, last ran at RUN".
func (p *Past) text() string {
	var words []string
	switch {
	case p.Since != "" && p.Ran != "":
		words = append(words, "skipped since "+p.Since, "last ran at "+p.Ran)
	case p.Since != "":
		words = append(words, "skipped in each of "+result.Count(p.Runs, "run")+" since "+p.Since)
	}
	if p.Flaky() {
		words = append(words, fmt.Sprintf("failed %d of %s", p.Failed, result.Count(p.Runs, "run")))
	}
	if p.Trees > 0 {
		words = append(words, "and passed on "+result.Count(p.Trees, "tree")+" on which it failed")
	}
	if p.Retried > 0 {
		words = append(words, fmt.Sprintf("passed on a retry in %d", p.Retried))
	}
	return strings.Join(words, ", ")
}

// Formats are the formats that Write takes. The first one is for people.
var Formats = []string{"table", "json", "jsonl", "junit", "ctrf", "tap", "map"}

// Write writes a document in one of Formats.
func Write(to io.Writer, format string, d Document) error {
	w := bufio.NewWriter(to)
	write := map[string]func(*bufio.Writer) error{
		"table": d.table, "json": d.json, "jsonl": d.lines, "junit": d.junit, "ctrf": d.ctrf, "tap": d.tap, "map": d.statuses,
	}[format]
	if write == nil {
		return fmt.Errorf("the form %q is not known: write one of %s", format, strings.Join(Formats, ", "))
	}
	if err := write(w); err != nil {
		return fmt.Errorf("writing the tests: %w", err)
	}
	return w.Flush()
}

// Summary says in one line how many tests had which outcome, and whether the list is complete.
func (d *Document) Summary() string {
	var parts []string
	for _, o := range slices.Backward(All) {
		if n := d.Said.Counts[string(o)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.Said.Unnamed)) {
		parts = append(parts, fmt.Sprintf("%d %s (unnamed)", d.Said.Unnamed[key], key))
	}
	line := cmp.Or(strings.Join(parts, ", "), "no tests")
	if !d.Said.Complete {
		line += "; not complete: " + cmp.Or(d.Said.Reason, "the runner does not say")
	}
	return line
}

func (d *Document) table(w *bufio.Writer) error {
	for i := range d.Tests {
		t := &d.Tests[i]
		took := ""
		if t.DurationMS > 0 {
			took = (time.Duration(t.DurationMS) * time.Millisecond).String()
		}
		fmt.Fprintf(w, "%-7s %8s  %s", t.Outcome, took, d.name(t))
		if t.Times > 1 {
			fmt.Fprintf(w, " ×%d", t.Times)
		}
		if t.Came != "" {
			fmt.Fprintf(w, " (%s)", t.Came.text())
		}
		if p := d.past(*t); p != nil {
			fmt.Fprintf(w, "  [%s]", p.text())
		}
		w.WriteByte('\n')
	}
	_, err := fmt.Fprintln(w, d.Summary())
	return err
}

// name is a test's id on one line, with its tool in front if the document has several tools.
func (d *Document) name(t *Test) string {
	id := result.CleanLine(t.ID)
	if t.Tool != "" {
		return t.Tool + " " + id
	}
	return id
}

// shown is an entry of the JSON formats, with the command that runs the test again.
type shown struct {
	Test
	Again string `json:"again,omitempty"`
	Past  *Past  `json:"past,omitempty"`
}

func (d *Document) past(t Test) *Past {
	if d.Past == nil {
		return nil
	}
	return d.Past(t)
}

func (d *Document) shown(t Test) shown {
	s := shown{Test: t, Past: d.past(t)}
	if d.Again != nil {
		s.Again = d.Again(t)
	}
	return s
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

func (d *Document) lines(w *bufio.Writer) error {
	e := encoder(w)
	for _, t := range d.Tests {
		if err := e.Encode(d.shown(t)); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) json(w *bufio.Writer) error {
	all := make([]shown, len(d.Tests))
	for i, t := range d.Tests {
		all[i] = d.shown(t)
	}
	return encoder(w).Encode(struct {
		Tool string `json:"tool"`
		result.Outcomes
		Tests []shown `json:"tests"`
	}{d.Tool, d.Said, all})
}

// status is the word for an outcome that benchmarks of code patches use: PASSED, FAILED, XFAIL and so on.
func (o Outcome) status() string {
	switch o {
	case XFailed:
		return "XFAIL"
	case XPassed:
		return "XPASS"
	}
	return strings.ToUpper(string(o))
}

// statuses writes one JSON object that maps each test's id to its status word.
func (d *Document) statuses(w *bufio.Writer) error {
	w.WriteByte('{')
	for i := range d.Tests {
		t := &d.Tests[i]
		id := t.ID
		if i > 0 && d.Tests[i-1].ID == id || i+1 < len(d.Tests) && d.Tests[i+1].ID == id { // the id under two tools; sorted
			id = t.Tool + " " + id
		}
		if i > 0 {
			w.WriteByte(',')
		}
		w.Write(append(appendText([]byte("\n  "), id), ": \""+t.Outcome.status()+"\""...))
	}
	_, err := w.WriteString("\n}\n")
	return err
}

func (d *Document) tap(w *bufio.Writer) error {
	tests := d.Tests.Verdicts()
	fmt.Fprintf(w, "TAP version 14\n1..%d\n", len(tests))
	for i := range tests {
		t := &tests[i]
		word, directive := "ok", ""
		switch t.Outcome {
		case Failed, Error:
			word = "not ok"
		case Skipped, NotRun:
			directive = " # SKIP"
		case XFailed:
			word, directive = "not ok", " # TODO"
		case XPassed:
			directive = " # TODO"
		}
		name := strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(d.name(t))
		fmt.Fprintf(w, "%s %d - %s%s\n", word, i+1, name, directive)
	}
	if !d.Said.Complete {
		fmt.Fprintf(w, "# not complete: %s\n", result.CleanLine(d.Said.Reason))
	}
	return nil
}

type junitCase struct {
	XMLName xml.Name   `xml:"testcase"`
	Name    string     `xml:"name,attr"`
	Class   string     `xml:"classname,attr"`
	Time    string     `xml:"time,attr,omitempty"`
	Failure *junitNote `xml:"failure"`
	Error   *junitNote `xml:"error"`
	Skipped *junitNote `xml:"skipped"`
}

type junitNote struct {
	Message string `xml:"message,attr,omitempty"`
}

func (d *Document) junit(w *bufio.Writer) error {
	tests, counts := d.Tests.Verdicts(), d.Tests.Counts()
	head := fmt.Sprintf(`tests="%d" failures="%d" errors="%d" skipped="%d"`, len(tests), counts["failed"], counts["error"], counts["skipped"]+counts["xfailed"]+counts["not_run"])
	fmt.Fprintf(w, "%s<testsuites %s>\n<testsuite name=%q %s>\n", xml.Header, head, cmp.Or(d.Tool, "tests"), head)
	e := xml.NewEncoder(w)
	for i := range tests {
		t := &tests[i]
		c := junitCase{Name: d.name(t), Class: cmp.Or(t.Tool, d.Tool)}
		if t.DurationMS > 0 {
			c.Time = strconv.FormatFloat(float64(t.DurationMS)/1000, 'f', 3, 64)
		}
		note := &junitNote{Message: string(t.Outcome)}
		switch t.Outcome {
		case Failed:
			c.Failure = note
		case Error:
			c.Error = note
		case Skipped, XFailed, NotRun:
			c.Skipped = note
		}
		if err := e.Encode(c); err != nil {
			return err
		}
		w.WriteByte('\n')
	}
	if !d.Said.Complete {
		fmt.Fprintf(w, "<!-- not complete: %s -->\n", strings.ReplaceAll(result.CleanLine(d.Said.Reason), "--", "- -"))
	}
	_, err := w.WriteString("</testsuite>\n</testsuites>\n")
	return err
}

type ctrfTest struct {
	Name     string `json:"name"`
	Status   string `json:"status"`
	Duration int64  `json:"duration"`
	Raw      string `json:"rawStatus"`
	Flaky    bool   `json:"flaky,omitempty"`
	File     string `json:"filePath,omitempty"`
}

// ctrf writes the Common Test Report Format. That format cannot say that a list is
// incomplete, so "extra" says it.
func (d *Document) ctrf(w *bufio.Writer) error {
	verdicts := d.Tests.Verdicts()
	tests := make([]ctrfTest, len(verdicts))
	summary := map[string]int64{"tests": int64(len(verdicts)), "passed": 0, "failed": 0, "skipped": 0, "pending": 0, "other": 0, "start": 0, "stop": 0}
	for i := range verdicts {
		t := &verdicts[i]
		status := "other"
		switch t.Outcome {
		case Passed, Flaky:
			status = "passed"
		case Failed, Error:
			status = "failed"
		case Skipped:
			status = "skipped"
		case NotRun:
			status = "pending"
		}
		summary[status]++
		file, _, _ := strings.Cut(t.At, ":")
		tests[i] = ctrfTest{d.name(t), status, t.DurationMS, string(t.Outcome), t.Outcome == Flaky, file}
	}
	return encoder(w).Encode(map[string]any{
		"reportFormat": "CTRF", "specVersion": "0.0.0",
		"results": map[string]any{
			"tool": map[string]string{"name": cmp.Or(d.Tool, "tests")}, "summary": summary, "tests": tests,
			"extra": map[string]any{"complete": d.Said.Complete, "reason": d.Said.Reason},
		},
	})
}
