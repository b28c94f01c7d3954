package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"cairn/recall"
	"cairn/result"
)

// Letters are the outcomes of single runs in the strip of a test.
const (
	letterFailed  = 'f'
	letterNot     = '.' // no failure, and the run accounts for all of its output
	letterUnknown = '?' // the run does not show it
)

// strips makes the history of each test and each other finding over the runs of its command.
func (m *making) strips() {
	runs := make([][]int, len(m.Commands)) // by command, oldest first
	for i := len(m.Runs) - 1; i >= 0; i-- {
		runs[m.Runs[i].Command] = append(runs[m.Runs[i].Command], i)
	}
	for c, mine := range runs {
		m.trends = append(m.trends, m.trendOf(c, mine))
		w := &weaving{command: c, first: len(m.Tests), known: map[string]int{}, without: m.without(mine)}
		for at, i := range mine {
			m.weave(w, at, i)
		}
		for t, strip := range w.strips {
			test := historyTest{Name: w.names[t], Command: c, Strip: string(strip)}
			if took := w.took[t]; slices.ContainsFunc(took, func(one taken) bool { return one.ms > 0 }) {
				values := make([]int64, len(took))
				for i, one := range took {
					values[i] = one.ms
				}
				test.Plot, test.Most = path(values, plotWidth, plotHeight)
				test.Slower = sinceSlower(took)
			}
			m.Tests = append(m.Tests, test)
		}
	}
}

// weaving has the strips of one command's tests.
type weaving struct {
	command, first int
	known          map[string]int
	without        []byte
	names          []string
	strips         [][]byte
	took           [][]taken
}

// test is the index of a test among those of the command.
func (w *weaving) test(name string) int {
	t, ok := w.known[name]
	if !ok {
		t = len(w.names)
		w.known[name] = t
		w.names, w.strips, w.took = append(w.names, name), append(w.strips, slices.Clone(w.without)), append(w.took, nil)
	}
	return t
}

// weave adds a run: the outcome of each of its tests, and its findings.
func (m *making) weave(w *weaving, at, i int) {
	for _, c := range m.facts[i].Cases {
		t := w.test(c.ID)
		w.strips[t][at] = letterOf(c.Outcome)
		w.took[t] = append(w.took[t], taken{at, max(c.Duration, 0)})
	}
	for _, n := range m.Runs[i].Found {
		f := &m.Findings[n]
		t := w.test(f.Name)
		f.Test = w.first + t
		if old := w.strips[t][at]; old == letterNot || old == letterUnknown || old == letterOf("passed") {
			w.strips[t][at] = letterFailed
		}
	}
}

// without is the strip of a finding that occurs in no run.
func (m *making) without(mine []int) []byte {
	strip := make([]byte, len(mine))
	for at, i := range mine {
		if strip[at] = letterUnknown; recall.Accounts(m.records[i], m.results[i]) {
			strip[at] = letterNot
		}
	}
	return strip
}

// trend is a command over time.
type trend struct {
	command       string
	passed, runs  int
	marks         []mark
	durations     []int64
	rules         []ruleTrend
	median, worst int64
}

type mark struct{ failed bool }

type ruleTrend struct {
	rule   string
	counts []int64
}

// trendRules is how many rules of a command are plotted: those with the most findings.
const trendRules = 5

func (m *making) trendOf(c int, mine []int) trend {
	t := trend{command: m.Commands[c], runs: len(mine)}
	counts, total := map[string][]int64{}, map[string]int64{}
	for at, i := range mine {
		failed := m.facts[i].Failed()
		if !failed {
			t.passed++
		}
		t.marks = append(t.marks, mark{failed})
		t.durations = append(t.durations, m.Runs[i].MS)
		for _, n := range m.Runs[i].Found {
			rule := m.Findings[n].Rule
			if rule == "" {
				continue
			}
			if counts[rule] == nil {
				counts[rule] = make([]int64, len(mine))
			}
			counts[rule][at]++
			total[rule]++
		}
	}
	sorted := slices.Sorted(slices.Values(t.durations))
	t.median, t.worst = sorted[len(sorted)/2], sorted[len(sorted)-1]
	var rules []string
	for rule := range counts {
		rules = append(rules, rule)
	}
	slices.SortFunc(rules, func(a, b string) int {
		if total[a] != total[b] {
			return int(total[b] - total[a])
		}
		return strings.Compare(a, b)
	})
	for _, rule := range rules[:min(len(rules), trendRules)] {
		t.rules = append(t.rules, ruleTrend{rule, counts[rule]})
	}
	return t
}

// path draws values from left to right as the path of an SVG of this size, with the greatest at the top.
func path(values []int64, width, height int) (d string, most int64) {
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	for i, v := range values {
		letter := "L"
		if i == 0 {
			letter = "M"
		}
		b.WriteString(letter + coordinate(i, len(values), width) + " " + strconv.FormatInt(int64(height)-v*int64(height)/max(most, 1), 10))
	}
	return b.String(), most
}

// coordinate is the position of the i-th of n values, from left to right.
func coordinate(i, n, width int) string {
	return strconv.FormatFloat(float64(width*i)/float64(max(n-1, 1)), 'f', 1, 64)
}

// clean cleans every text of a finding once, so that no format has to: texts of one line, and texts that may have
// several.
func clean(f result.Finding) result.Finding {
	line, text := result.CleanLine, result.Clean
	for _, s := range []*string{&f.ID, &f.Select, &f.Name, &f.Rule, &f.RuleName, &f.RuleURL, &f.Message, &f.Source, &f.Location, &f.Fingerprint, &f.Group} {
		*s = line(*s)
	}
	for _, s := range []*string{&f.Expected, &f.Actual, &f.Diff, &f.Detail} {
		*s = text(*s)
	}
	f.Suite = result.CleanLines(f.Suite)
	place := func(l result.Location) result.Location {
		l.Path, l.Function, l.Label = line(l.Path), line(l.Function), line(l.Label)
		return l
	}
	if f.At != nil {
		at := place(*f.At)
		f.At = &at
	}
	places := func(all []result.Location) []result.Location {
		clean := make([]result.Location, 0, len(all))
		for _, l := range all {
			clean = append(clean, place(l))
		}
		return clean
	}
	f.Locations, f.Frames = places(f.Locations), places(f.Frames)
	related := make([]result.Related, 0, len(f.Related))
	for _, r := range f.Related {
		r.Message = line(r.Message)
		if r.At != nil {
			at := place(*r.At)
			r.At = &at
		}
		related = append(related, r)
	}
	f.Related = related
	return f
}

// format is one format of a report.
type format struct {
	name  string
	about string
	write func(io.Writer, *Report) error
}

// HTML is a format that is made of a History, not of a Report.
const HTML = "html"

// formats lists the formats. It is a function so that nothing is built at start-up.
func formats() []format {
	return []format{
		{"markdown", "a comment on a pull request", Markdown{Limit: CommentLimit}.Write},
		{HTML, "a page that opens from disk", nil},
		{"junit", "JUnit XML", junit},
		{"ctrf", "Common Test Report Format", ctrf},
		{"sarif", "SARIF 2.1.0, for code scanning", sarif},
		{"github", "workflow commands of GitHub Actions", GitHub{Errors: StepLimit, Warnings: StepLimit, Notices: StepLimit, All: JobLimit}.Write},
		{"gitlab", "GitLab's code quality", gitlab},
		{"teamcity", "service messages", teamcity},
		{"rdjson", "reviewdog", rdjson},
		{"vim", "the quickfix list of vim, and emacs' compilation mode", vim},
		{"csv", "a row a finding", csv},
	}
}

// Formats returns the names of the formats, and what each is for.
func Formats() (names, abouts []string) {
	for _, f := range formats() {
		names, abouts = append(names, f.name), append(abouts, f.about)
	}
	return names, abouts
}

// Check returns an error if there is no format of this name.
func Check(name string) error {
	names, _ := Formats()
	if !slices.Contains(names, name) {
		return fmt.Errorf("unknown format %q: use %s", name, strings.Join(names, ", "))
	}
	return nil
}

// Write writes a report in a format.
func Write(w io.Writer, name string, r *Report) error {
	for _, f := range formats() {
		if f.name == name && f.write != nil {
			return f.write(w, r)
		}
	}
	if err := Check(name); err != nil {
		return err
	}
	return fmt.Errorf("%s is a page of the whole record: cairn report --format %s", name, name)
}

// writeJSON writes a document without escaping characters outside of ASCII, for hosts that show it to people.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}

//go:embed page.html
var pageTemplate string

// Page writes the history as one self-contained page with styles, script and data. nonce is the one that allows its
// scripts to run; "" is for a file, which has a policy of its own for them.
//
// Text of tools is in the page as JSON, in which no character can end its element, and the script makes text nodes of
// it; plots are made here of numbers, with escaped titles.
func (h *History) Page(w io.Writer, nonce string) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	policy := ""
	if nonce == "" {
		sum := sha256.Sum256(data)
		nonce = hex.EncodeToString(sum[:16])
		policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-` + nonce + `'; base-uri 'none'; form-action 'none'">`
	}
	_, err = strings.NewReplacer("<!--POLICY-->", policy, "NONCE", nonce, "<!--TRENDS-->", h.plots(), `"DATA"`, string(data)).WriteString(w, pageTemplate)
	return err
}

// Sizes of a plot, in its own units: it is drawn as wide as there is room.
const (
	plotWidth  = 640
	plotHeight = 72
	ruleHeight = 18
	mostTrends = 40 // commands that are plotted: the most recently run ones
)

// plots are the trends of each command. Each state has a shape of its own, besides a colour.
func (h *History) plots() string {
	var b strings.Builder
	for _, t := range h.trends[:min(len(h.trends), mostTrends)] {
		name := html.EscapeString(t.command)
		fmt.Fprintf(&b, "<section class=plot><h2><code>%s</code></h2>\n<p>%d of %s passed; took %s as a rule, %s at most</p>\n", name, t.passed, result.Count(t.runs, "run"), span(t.median), span(t.worst))
		line, _ := path(t.durations, plotWidth, plotHeight)
		fmt.Fprintf(&b, `<svg viewBox="-6 -6 %d %d" role="img" aria-label="durations of %s, oldest first"><path class=line d="%s"/>`, plotWidth+12, plotHeight+12, name, line)
		for i, m := range t.marks {
			x, y := coordinate(i, len(t.marks), plotWidth), plotHeight-int(t.durations[i]*plotHeight/max(t.worst, 1))
			if m.failed {
				fmt.Fprintf(&b, `<path class=bad d="M%s %dm-4 -4l8 8m0 -8l-8 8"/>`, x, y)
			} else {
				fmt.Fprintf(&b, `<circle class=good cx="%s" cy="%d" r="2.5"/>`, x, y)
			}
		}
		b.WriteString("</svg>\n")
		for _, r := range t.rules {
			line, most := path(r.counts, plotWidth, ruleHeight)
			rule := html.EscapeString(r.rule)
			fmt.Fprintf(&b, `<div class=rule><code>%s</code> <span>%d at most, %d now</span><svg viewBox="0 -2 %d %d" role="img" aria-label="findings of %s, oldest first"><path class=line d="%s"/></svg></div>`+"\n",
				rule, most, r.counts[len(r.counts)-1], plotWidth, ruleHeight+4, rule, line)
		}
		b.WriteString("</section>\n")
	}
	return b.String()
}
