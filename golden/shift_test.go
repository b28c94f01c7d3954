package golden

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cairn/parsers"
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

// atLeast fails for registered tools of which less than a share of what could be
// changed was. Except are those that cannot have it, each reason with its tools;
// one that has it all the same is taken off. It belongs into a test whose subtests
// run in parallel: it looks once they are done.
func (y *tally) atLeast(t *testing.T, share float64, except map[string]string) {
	t.Cleanup(func() {
		if t.Failed() || t.Skipped() || oneOf() > 1 {
			return
		}
		reasons := map[string]string{}
		for why, tools := range except {
			for _, tool := range strings.Fields(tools) {
				reasons[tool] = why
			}
		}
		for _, p := range parsers.All() {
			n, why := y.of[p.Tool], reasons[p.Tool]
			few := n[0] == 0 || float64(n[0]) < share*float64(n[1])
			switch {
			case n[1] == 0 && filtered():
			case n[1] > 0 && few && why == "":
				t.Errorf("%s: changed only %d of %d", p.Tool, n[0], n[1])
			case n[1] > 0 && !few && why != "":
				t.Errorf("%s: changed %d of %d: take it off the list of those that cannot be changed so (%s)", p.Tool, n[0], n[1], why)
			}
		}
	})
}

// ofTools fails where fewer than a share of the registered tools that have
// recorded runs had anything to change. What a recorded run names is chance, so
// one tool alone may have nothing.
func (y *tally) ofTools(t *testing.T, share float64) {
	t.Cleanup(func() {
		if changed, known := y.tools(); !t.Skipped() && !filtered() && float64(changed) < share*float64(known) {
			t.Errorf("changed something for %d of %d tools", changed, known)
		}
	})
}

// inTools is ofTools for what only a few kinds of tools have, of which every tool that
// is added would be a smaller share.
func (y *tally) inTools(t *testing.T, least int) {
	t.Cleanup(func() {
		if changed, _ := y.tools(); !t.Skipped() && !filtered() && changed < least {
			t.Errorf("changed something for %d tools, want at least %d", changed, least)
		}
	})
}

// tools are those in whose runs there was anything to change, and those that have any.
func (y *tally) tools() (changed, known int) {
	for _, p := range parsers.All() {
		if cases, _ := filepath.Glob(filepath.Join(p.Tool, "*", "run")); len(cases) > 0 {
			known++
			changed += min(1, y.of[p.Tool][0])
		}
	}
	return changed, known
}

// numbers are how tools write the line of a place in one of the files; the number
// is group 2.
func numbers(files []string) (all []*regexp.Regexp) {
	const ink = `(?:\x1b\[[\d;]*m)*`
	patterns := []string{
		`(?m)(^` + ink + ` +` + ink + `)(\d+):\d+\b`, // 12:3 below the path
		`(File \\?"[^"\n]+", line )(\d+)`,
		`("(?:\w*[lL]ine|(?:file_)?row|line_start|line_end|noqa_row|\w*line_no|\w*[lL]ine_?[nN]umber)":\s*"?)(\d+)`,
		`("(?:begin|end)": ?\{?\s*(?:"line": ?)?)(\d+)`,
		`(\b(?:[Ll]ine|(?:end|begin|start)[lL]ine|(?:end)?linenumber)[= ]["']?)(\d+)`,
		`(?m)(^line +)(\d+):\r?$`, // below the file, as Vim has it
		`(?m)(^ +\()(\d+), \d+\)`, // (11, 12) below the path
		`(: line )(\d+), col`,
		`(: line +)(\d+)\) `, // (index: line    4) of sphinx's linkcheck
		`(\(at )(\d+):\d+\)`,
		`(\.R<)(\d+)--\d+>`,   // the first line of a call, and the last
		`(\w \()(\d+):\d+\)"`, // src/A.php (2:11)
		`(?m)(^[ \t]+line: "?)(\d+)`,
		`(?m)(^ \x1b\[2m)(\d+)\x1b\[0m \| `, // of the excerpts that next shows
		`(?m)(^  ✖ +)(\d+):\d+ `,            // behind a mark below the path
		`(<(?:line|LINE_NUMBER)> ?)(\d+)`,
		`(?m)(^- line *: )(\d+)$`,
		`("pos": \[\s*)(\d+),`,         // line and column
		`((?:"[\w-]+:|">))(\d+):\d+\b`, // name="colons:3:7">3:7
	}
	patterns = append(patterns,
		`( )(\d+):\d+-[\d:]+`,                   // 3:7-9
		`(?m)(^(?:ERROR|WARNING): )(\d+):\d+\b`, // 12:3 behind the severity
		`(?m)(^ERROR: 0:)(\d+): `,               // in a source of the file above
		`( in lines )(\d+)\.\.`,
		`(?m)(^> )(\d+) \|`, // the marked line of an excerpt
		`(?m)(^ +)(\d+)┆`,   // the line of an excerpt
		`(?m)(^ )(\d+): +$`, // the number of a line above marks
		`(\|nline )(\d+), `, // behind a line break of TeamCity
		`(?m)(^Line: )(\d+)$`,
		`(:L)(\d+)"`,             // name="rule:L2"
		`(?m)(^\()(\d+):\d+\): `, // (1:1): text, below the file
	)
	if len(files) > 0 {
		file := `(?:` + strings.Join(files, "|") + `)` + ink
		patterns = append(patterns,
			`(`+file+`:`+ink+`)(\d+)`,                        // a.py:12
			`(`+file+` \(\w+\):)(\d+)`,                       // Mod.rakumod (Mod):2
			`(`+file+`@)(\d+):\d+`,                           // a.py@12:3
			`(`+file+`: )(\d+):\d+: `,                        // a.yml: 12:3: text
			`(`+file+`(?: |: Zeile |: |:cd:))(\d+)(?:: | 行)`, // a.bc 4: text; shells in other languages
			`(`+file+` @ )(\d+): `,                           // a.lua @ 12: title
			`(`+file+`":)(\d+)\.\d+`,                         // "a.css":12.3
			`(`+file+`[\(\[])(\d+)\b`,                        // a.ts(12,3), a.ts[12, 3]
		)
	}
	for _, p := range patterns {
		all = append(all, compiled(p))
	}
	return all
}

// compiled keeps what it compiled: most cases have files of the same kinds.
func compiled(pattern string) *regexp.Regexp {
	if p, ok := patterns.Load(pattern); ok {
		return p.(*regexp.Regexp)
	}
	p := regexp.MustCompile(pattern)
	patterns.Store(pattern, p)
	return p
}

var patterns sync.Map

// filesOf are the ends of the names of the files that findings are in: their
// kinds, or the whole name of one without a kind.
func filesOf(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		if f.At == nil {
			continue
		}
		end := path.Ext(f.At.Path)
		if end = regexp.QuoteMeta(end); end == "" {
			end = standsAlone(path.Base(f.At.Path))
		}
		if end != "" && !slices.Contains(all, end) {
			all = append(all, end)
		}
	}
	slices.Sort(all)
	return all
}

// standsAlone matches a name without a kind where no longer one ends in it; "" for
// "-", which stands before more than lines.
func standsAlone(name string) string {
	if strings.Trim(name, "-.") == "" {
		return ""
	}
	if strings.ContainsAny(name[:1], "<[-") { // "<stdin>", "[eval]", "-e"
		return regexp.QuoteMeta(name)
	}
	return `\b` + regexp.QuoteMeta(name)
}

// shifted moves the places that a text names by k lines down, each once.
func shifted(text []byte, k int, files []string) []byte {
	s := string(text)
	var at [][2]int
	for _, p := range numbers(files) {
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
	moved.atLeast(t, 0.9, map[string]string{
		"some of its formats give the line in words of their own":          "appstreamcli babel bandit brakeman cfn-lint checkov coffeelint coverage csslint csvkit curlylint darglint djlint dune fawltydeps flawfinder gitleaks iwyu latex lighttpd lizard markdownlint-cli2 maven phpmd pre-commit-hooks prospector puppet pydoclint radon rebar3 reek sbcl spectral sqlfluff sqruff typos",
		"the line stands beside a picture of the source, or in a table":    "ast-grep expo frictionless htmlhint interrogate jscpd lit-analyzer phpcs sass svelte-check vsg",
		"it shows a difference, whose hunks count lines":                   "autoflake autopep8 docformatter gofmt php-cs-fixer ruff-format yapf",
		"the place stands in the middle of a sentence, where times do too": "prettier remark rollup storybook vitepress webpack",
	})
	each(t, func(t *testing.T, c Case) {
		want := asRecorded(c)
		files := filesOf(want)
		k := []int{1, 9, 90, 101}[len(c.Name)%4]
		got := parsed(rewritten(c, func(text []byte) []byte { return shifted(text, k, files) }))
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
