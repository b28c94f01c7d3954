package golden

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// filter is a command that people and agents put behind a pipe.
type filter struct {
	command string
	lines   func(lines []string) []string
	least   float64 // the share of the facts in the filter's output that the answer must tell
}

var filters = []filter{
	{`grep -iE "fail|error"`, matching("(?i)fail|error", true), 0.96},
	{`grep -E "FAIL|PASS|ok|passed|failed|error"`, matching("FAIL|PASS|ok|passed|failed|error", true), 0.97},
	{`grep -v "^$"`, matching("^$", false), 0.98},
	{`sort -u`, func(l []string) []string { return slices.Compact(slices.Sorted(slices.Values(l))) }, 0.9},
	{`head -20`, func(l []string) []string { return l[:min(20, len(l))] }, 0.97},
	{`cat -n`, eachLine("%6d\t%s"), 0.96},
	{`grep -n ""`, eachLine("%d:%s"), 0.97},
	{`sed 's/^/    /'`, func(l []string) []string { return strings.Split("    "+strings.Join(l, "\n    "), "\n") }, 0.96},
}

func matching(pattern string, keep bool) func([]string) []string {
	re := regexp.MustCompile(pattern)
	return func(lines []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return re.MatchString(l) != keep })
	}
}

func eachLine(format string) func([]string) []string {
	return func(lines []string) (out []string) {
		for i, l := range lines {
			out = append(out, fmt.Sprintf(format, i+1, l))
		}
		return out
	}
}

// TestFilters: behind a filter, which hides the exit status, a run that failed is never called passed, and the answer
// has the facts that the filter shows.
func TestFilters(t *testing.T) {
	var mu sync.Mutex
	facts, told := map[string]int{}, map[string]int{}
	each(t, func(t *testing.T, c Case) {
		if !c.Failing() || strings.ContainsAny(c.Cmd, "|;&<>\n") {
			return
		}
		_, whole := answer(c.Input(c.Output), c.Exit)
		lines := strings.Split(strings.TrimSuffix(string(c.Raw()), "\n"), "\n")
		for _, f := range filters {
			text := strings.Join(f.lines(lines), "\n")
			if text == "" {
				continue
			}
			in := c.Input(parsers.Bytes{{Stream: parsers.Stdout, Data: []byte(text + "\n")}})
			in.Shell, in.Artifacts = c.Cmd+" 2>&1 | "+f.command, nil
			r, compact := answer(in, result.Exit{Observed: true})
			if r.Status == result.Passed {
				t.Errorf("%s: %s", f.command, compact)
			}
			shown, kept := 0, 0
			for _, fact := range c.Truth {
				if fact.Kind == "says" || !strings.Contains(result.Clean(text), fact.Text) || !toldIn(whole, fact) {
					continue
				}
				if shown++; toldIn(compact, fact) || fact.Kind == "at" && located(r, fact.Text) {
					kept++
				}
			}
			mu.Lock()
			facts[f.command], told[f.command] = facts[f.command]+shown, told[f.command]+kept
			mu.Unlock()
		}
	})
	t.Cleanup(func() {
		for _, f := range filters {
			if share := float64(told[f.command]) / float64(facts[f.command]); facts[f.command] > 2000 && share < f.least {
				t.Errorf("behind %s, %d of %d facts are told, less than %.0f %%", f.command, told[f.command], facts[f.command], 100*f.least)
			}
		}
	})
}

func toldIn(compact string, fact Fact) bool {
	return strings.Contains(compact, fact.Text) || strings.Contains(render.Expand(compact), fact.Told())
}
