package report

import (
	"slices"
	"strconv"
	"strings"

	"cairn/recall"
)

// letters are what one run came to in the strip of a test.
const (
	letterFailed  = 'f'
	letterNot     = '.' // it did not fail, and the run accounts for all that it printed
	letterUnknown = '?' // the run does not say
)

// strips makes the history of each test and each other finding over the runs of its command.
func (m *making) strips() {
	runs := make([][]int, len(m.Commands)) // of each command, the oldest first
	for i := len(m.Runs) - 1; i >= 0; i-- {
		runs[m.Runs[i].Command] = append(runs[m.Runs[i].Command], i)
	}
	for c, mine := range runs {
		m.trends = append(m.trends, m.trendOf(c, mine))
		known, first, without := map[string]int{}, len(m.Tests), m.without(mine)
		var strips [][]byte
		for at, i := range mine {
			for _, n := range m.Runs[i].Found {
				f := &m.Findings[n]
				t, ok := known[f.Name]
				if !ok {
					t = len(m.Tests)
					known[f.Name] = t
					m.Tests = append(m.Tests, historyTest{Name: f.Name, Command: c})
					strips = append(strips, slices.Clone(without))
				}
				f.Test = t
				strips[t-first][at] = letterFailed
			}
		}
		for i, strip := range strips {
			m.Tests[first+i].Strip = string(strip)
		}
	}
}

// without is the strip of a finding that no run has.
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

// trendRules is how many rules of a command are plotted: those that were found most.
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

// path is values from left to right as the path of an SVG of so many units, the greatest at the top.
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

// coordinate is where the i-th of n values is, from left to right.
func coordinate(i, n, width int) string {
	return strconv.FormatFloat(float64(width*i)/float64(max(n-1, 1)), 'f', 1, 64)
}
