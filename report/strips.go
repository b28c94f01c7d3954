package report

import (
	"slices"
	"strconv"
	"strings"

	"cairn/recall"
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
