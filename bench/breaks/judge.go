package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// row is one line of the table.
type row struct {
	name, tool             string
	verdict, named, line   string // yes, no, or - if there is nothing to name
	compact                string // whether the compact text also names it
	confidence             string
	compactBytes, rawBytes int
	trouble                []string
}

func (r *row) fail(format string, args ...any) {
	r.trouble = append(r.trouble, fmt.Sprintf(format, args...))
}

// judge compares the answer about a broken run with the expected one.
func judge(k brk, line int, a answer) row {
	r := newRow(k.name, k.tool, a)
	r.verdict = yes(a.code == k.exit && a.result.Exit != nil && *a.result.Exit == k.exit &&
		(a.result.Status == "failed" || a.result.Status == "error"))
	if r.verdict == "no" {
		r.fail("status %s, exit %d: want failed or error, exit %d", a.result.Status, a.code, k.exit)
	}
	named, there := false, false
	for _, f := range a.result.Findings {
		if !strings.Contains(f.ID, k.want.id) && !strings.Contains(f.Rule, k.want.id) {
			continue
		}
		named = named || k.want.file == "" || f.At.Path == k.want.file
		there = there || f.At.Path == k.want.file && f.At.Line == line
	}
	r.named, r.compact = yes(named), yes(inCompact(k.want, line, a.compact))
	if !named {
		r.fail("no finding names %q in %q", k.want.id, k.want.file)
	}
	if line > 0 {
		r.line = yes(there)
		if !there {
			r.fail("no finding of %q points to %s:%d", k.want.id, k.want.file, line)
		}
	}
	if r.compact == "no" {
		r.fail("the compact text does not name %q at %s:%d", k.want.id, k.want.file, line)
	}
	r.counts(k.tool, a)
	return r
}

// inCompact says whether one line of the compact text has id and place, or a line below the heading with the file.
func inCompact(w want, line int, text []byte) bool {
	heading := ""
	for l := range strings.Lines(string(text)) {
		if !strings.HasPrefix(l, " ") {
			heading = l
		}
		place := line == 0 || placed(l, w.file+":"+strconv.Itoa(line)) ||
			strings.TrimRight(heading, ":\n") == w.file && strings.HasPrefix(strings.TrimSpace(l), strconv.Itoa(line)+":")
		if place && strings.Contains(l, w.id) {
			return true
		}
	}
	return false
}

// placed says whether l has the place, and not one whose line number only begins the same.
func placed(l, place string) bool {
	_, after, ok := strings.Cut(l, place)
	return ok && (after == "" || after[0] < '0' || after[0] > '9')
}

// judgeClean judges a run of the package as published.
func judgeClean(tool string, a answer) row {
	r := newRow("(as published)", tool, a)
	bad := slices.IndexFunc(a.result.Findings, finding.fails) >= 0
	good := a.code == 0 && (a.result.Status == "passed" || a.result.Status == "ok") && !bad
	if r.verdict = yes(good); !good {
		r.fail("status %s, exit %d, findings of failure %t: want passed or ok, exit 0, and none", a.result.Status, a.code, bad)
	}
	r.counts(tool, a)
	return r
}

func newRow(name, tool string, a answer) row {
	return row{name: name, tool: tool, named: "-", line: "-", compact: "-", confidence: a.result.Confidence,
		compactBytes: len(a.compact), rawBytes: len(a.raw)}
}

// tallies are patterns for the tools' own counts; they share nothing with the parsers.
var tallies = map[string]map[string]string{
	"pytest":     {"passed": `(?m)^=.* (\d+) passed`, "failed": `(?m)^=.* (\d+) failed`, "error": `(?m)^=.* (\d+) errors?\b`, "skipped": `(?m)^=.* (\d+) skipped`},
	"cargo-test": {"passed": `(?m)^test result: .* (\d+) passed;`, "failed": `(?m)^test result: .* (\d+) failed;`},
}

// counts compares cairn's counts with the tool's.
func (r *row) counts(tool string, a answer) {
	if bytes.Contains(a.raw, []byte("process didn't exit successfully: `/")) {
		return // a test binary died before it printed its counts
	}
	for _, kind := range sortedKeys(tallies[tool]) {
		own := 0
		for _, m := range regexp.MustCompile(tallies[tool][kind]).FindAllSubmatch(a.stdout, -1) {
			n, _ := strconv.Atoi(string(m[1]))
			own += n
		}
		if a.result.Counts[kind] != own {
			r.fail("%s: told %d, the tool says %d", kind, a.result.Counts[kind], own)
		}
	}
}

// printRows prints the table of a project; ok says whether all rows are good.
func printRows(out io.Writer, rows []row) (ok bool) {
	ok = true
	var trouble bytes.Buffer
	w := tabwriter.NewWriter(out, 2, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  break\ttool\tverdict\tnamed\tline\tcompact\tconfidence\tcompact B\traw B\t")
	for _, r := range rows {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t\n", r.name, r.tool, r.verdict, r.named, r.line, r.compact, r.confidence, r.compactBytes, r.rawBytes)
		for _, t := range r.trouble {
			ok = false
			fmt.Fprintf(&trouble, "  %s (%s): %s\n", r.name, r.tool, t)
		}
	}
	w.Flush()
	out.Write(trouble.Bytes())
	return ok
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
