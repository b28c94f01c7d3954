package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/diffdriver"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const textconvLong = `Print a shard of the manifest as captures that one can read: the verdict, the
command, where and on which commit it ran, and what it found. Git calls this to
show differences, once the clone is set up for it (cairn init). A line that is no
record is printed as it is.`

func newTextconv(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "textconv FILE",
		Short:   "a shard of the manifest as git shows it in differences",
		Long:    textconvLong + exitHelp("printed", "FILE could not be read"),
		Example: `  git show cairn:manifest/2026/11/20/k3zd-1.jsonl | cairn textconv -`,
		Hidden:  true,
		Args:    takes(1, 1, "one FILE"),
		RunE:    func(_ *cobra.Command, args []string) error { return runTextconv(a, args[0]) },
	}
}

func runTextconv(a *app, name string) error {
	var in io.Reader = a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("reading a shard: %w", err)
		}
		defer f.Close()
		in = f
	}
	out := bufio.NewWriter(a.out)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		fmt.Fprint(out, shardLine(lines.Bytes()))
	}
	return errors.Join(lines.Err(), out.Flush())
}

// shardLine is one line of a shard as text for git diff.
func shardLine(line []byte) string {
	rec, err := manifest.Decode([]byte(string(line)))
	if err != nil {
		return string(line) + "\n"
	}
	if rec.Type != manifest.TypeCapture {
		return result.Clean(fmt.Sprintf("%s %s %s %s %s\n", render.ShortRun(rec.ID), rec.Time.Format("2006-01-02 15:04:05"), rec.Type, rec.Target, rec.Reason))
	}
	r, err := rec.Result()
	if err != nil {
		return string(line) + "\n"
	}
	hit := &recall.Hit{Record: rec, Result: r}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n", render.ShortRun(rec.ID), rec.Time.Format("2006-01-02 15:04:05"), screens.Verdict(hit))
	fmt.Fprintf(&b, "    $ %s\n", screens.OneLine(recall.CommandLine(rec), 400))
	if where := screens.Where(rec); where != "" {
		fmt.Fprintf(&b, "    %s\n", where)
	}
	b.WriteString(someStages(rec, r))
	b.WriteString(someFindings(r))
	return result.Clean(b.String())
}

// someStages are the stages of a line whose output other commands read: failed ones
// first, each with its findings that the line's own findings do not have.
func someStages(rec *manifest.Record, line *result.ToolResult) string {
	var failed, others strings.Builder
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		r, err := st.Result()
		if err != nil || r == nil || st.Status == "" {
			continue
		}
		before := ""
		if reader := rec.Stages.List[n-1].Before; reader != "" {
			before = ", before " + reader
		}
		head := fmt.Sprintf("    [stage %d%s: %s]\n", n, before, result.CleanLine(st.Says))
		if r.Status != result.Failed && r.Status != result.Error {
			others.WriteString(head)
			continue
		}
		if line != nil {
			r.Findings = slices.DeleteFunc(r.Findings, func(f result.Finding) bool {
				return slices.ContainsFunc(line.Findings, func(g result.Finding) bool { return f.Fingerprint == g.Fingerprint })
			})
			r.Truncated.FindingsTotal = max(r.Truncated.FindingsTotal, len(r.Findings))
		}
		failed.WriteString(head + someFindings(r))
	}
	return failed.String() + others.String()
}

// shownFindings is how many findings of a capture git diff shows.
const shownFindings = 20

func someFindings(r *result.ToolResult) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	shown := r.Findings[:min(len(r.Findings), shownFindings)]
	for _, f := range shown {
		fmt.Fprintf(&b, "    %s\n", render.Line(f))
	}
	if n := max(r.Truncated.FindingsTotal, len(r.Findings)) - len(shown); n > 0 {
		fmt.Fprintf(&b, "    [… %d more]\n", n)
	}
	return b.String()
}

// hintDiff says once, on a terminal, how to make "git log -p" readable.
func (a *app) hintDiff(cmd *cobra.Command, site *place.Site) {
	if site.Home == nil || !isTerminal(a.stderr) {
		return
	}
	told := filepath.Join(site.Dir, "manifest-local", "hint-diff")
	if _, err := os.Stat(told); err == nil {
		return
	}
	if todo, err := diffdriver.Plan(cmd.Context(), site.Home); err != nil || len(todo) == 0 {
		return
	}
	if os.WriteFile(told, nil, 0o600) == nil {
		a.warn(`"cairn init" makes "git log -p cairn" and "git diff" show captures instead of JSON (said once)`)
	}
}
