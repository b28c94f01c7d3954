package golden

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cairn/result"
)

// tally counts, tool by tool, what a test really changed, so that a change
// that changes nothing is not taken for a proof.
type tally struct {
	sync.Mutex
	of map[string][2]int // tool: changed, of so many
}

func (y *tally) add(c Case, changed, of int) {
	y.Lock()
	defer y.Unlock()
	if y.of == nil {
		y.of = map[string][2]int{}
	}
	n := y.of[path.Dir(c.Name)]
	y.of[path.Dir(c.Name)] = [2]int{n[0] + changed, n[1] + of}
}

// atLeast fails for tools of which less than a share of what could be changed
// was. It belongs into the Cleanup of a test whose subtests run in parallel.
func (y *tally) atLeast(t *testing.T, share float64, tools ...string) {
	t.Cleanup(func() {
		if t.Failed() || t.Skipped() {
			return
		}
		for _, tool := range tools {
			if n := y.of[tool]; n[1] > 0 && (n[0] == 0 || float64(n[0]) < share*float64(n[1])) {
				t.Errorf("%s: changed only %d of %d", tool, n[0], n[1])
			} else if n[1] == 0 && !filtered() {
				t.Errorf("%s: nothing to change", tool)
			}
		}
	})
}

// numbers are how tools write the line of a place; the number is group 2.
var numbers = sync.OnceValue(func() []*regexp.Regexp {
	const ink = `(?:\x1b\[[\d;]*m)*`
	const file = `[^\s:"'(\x1b]\.(?:py|go|rs|tsx?|[cm]?js|vue|json|kt)` + ink
	var all []*regexp.Regexp
	for _, p := range []string{
		`(` + file + `:` + ink + `)(\d+)`,            // a.py:12
		`(` + file + `\()(\d+)(?:,\d+)`,              // a.ts(12,3)
		`(?m)(^` + ink + ` +` + ink + `)(\d+):\d+\b`, // 12:3 below the path
		`(File \\?"[^"\n]+", line )(\d+)`,
		`("(?:line|row|startLine|endLine|endline|line_start|line_end|noqa_row)": ?)(\d+)`,
		`("(?:begin|end)": ?\{?\s*(?:"line": ?)?)(\d+)`,
		`(\b(?:[Ll]ine|endLine|linenumber|endlinenumber)[= ]["']?)(\d+)`,
		`(: line )(\d+), col`,
		`(?m)(^ +line: )(\d+)`,
	} {
		all = append(all, regexp.MustCompile(p))
	}
	return all
})

// shifted moves the places that a text names by k lines down, each once.
func shifted(text []byte, k int) []byte {
	s := string(text)
	var at [][2]int
	for _, p := range numbers() {
		for _, m := range p.FindAllStringSubmatchIndex(s, -1) {
			at = append(at, [2]int{m[4], m[5]})
		}
	}
	slices.SortFunc(at, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	done := 0
	for _, m := range at {
		if n, err := strconv.Atoi(s[m[0]:m[1]]); err == nil && m[0] >= done && n > 0 {
			b.WriteString(s[done:m[0]] + strconv.Itoa(n+k))
			done = m[1]
		}
	}
	return []byte(b.String() + s[done:])
}

// TestShift: lines that are put in above move every finding and change none.
func TestShift(t *testing.T) {
	moved := new(tally)
	moved.atLeast(t, 0.9, "pytest", "go-test", "cargo-test", "cargo-check", "tsc", "eslint", "ruff", "mypy")
	each(t, func(t *testing.T, c Case) {
		want := asRecorded(c)
		k := []int{1, 9, 90, 101}[len(c.Name)%4]
		got := parsed(rewritten(c, func(text []byte) []byte { return shifted(text, k) }))
		if fingerprints(got) != fingerprints(want) {
			t.Errorf("%d lines below:\n%s", k, diff(identities(want), identities(got)))
			return
		}
		moved.add(c, inCommon(places(want, k), places(got, 0)), len(places(want, 0)))
	})
}

// places are the lines of the findings in the workspace, k below.
func places(r *result.ToolResult, k int) (all []string) {
	for _, f := range r.Findings {
		if f.At != nil && f.At.Line > 0 && !f.At.External {
			all = append(all, fmt.Sprintf("%s:%d %s", f.At.Path, f.At.Line+k, f.Fingerprint))
		}
	}
	return all
}

func inCommon(a, b []string) (n int) {
	b = slices.Clone(b)
	for _, s := range a {
		if i := slices.Index(b, s); i >= 0 {
			b, n = slices.Delete(b, i, i+1), n+1
		}
	}
	return n
}
