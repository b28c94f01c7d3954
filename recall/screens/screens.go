// Package screens draws answers of package recall for a person at a terminal: the lines that "cairn recall" and
// cairn-ui print.
//
// What it promises: it draws only facts of the answer; every text of a record is cleaned by render.Screen.
//
// What may go in: drawings that both programs show. A drawing that only one of them shows belongs to that program.
package screens

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// Verdict is the verdict of a capture in one line.
func Verdict(hit *recall.Hit) string {
	if hit.Result == nil {
		return "no result"
	}
	return result.CleanLine(render.Verdict(hit.Result))
}

// OneLine is a command in one line of at most n characters.
func OneLine(s string, n int) string {
	s = cmp.Or(strings.Join(strings.Fields(s), " "), "(no command)")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Millis is a duration in milliseconds as people read it: "1.25s", "2m3s".
func Millis(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// Bytes is a number of bytes as people read it ("1.5 MB"); n may be negative.
func Bytes(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	unit := 0
	v := float64(n)
	for v >= 1000 && unit < 4 {
		v, unit = v/1000, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%s%d B", sign, n)
	}
	return fmt.Sprintf("%s%.1f %cB", sign, v, " kMGT"[unit])
}

// Row is one capture as a row of a list.
func Row(hit *recall.Hit, fresh string) render.Row {
	row := render.Row{ID: hit.Record.ID, Time: hit.Record.Time, Dir: hit.Record.Dir, Command: OneLine(recall.CommandLine(hit.Record), 400)}
	if row.Dir == "." {
		row.Dir = ""
	}
	if hit.Record.DurationMS > 0 {
		row.Took = Millis(hit.Record.DurationMS)
	}
	if r := hit.Result; r != nil {
		row.Status, row.Summary = r.Status, r.Summary
		if r.Summary == "" && r.ExitCode != nil && *r.ExitCode != 0 {
			row.Summary = fmt.Sprintf("exit %d", *r.ExitCode)
		}
		row.Mark = strings.Join(render.Marks(r), "; ")
	}
	var notes []string
	for _, note := range []string{fresh, hit.Unsure} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	row.Note = strings.Join(notes, "; ")
	return row
}

// Ago is the time since at: "2h ago".
func Ago(s *render.Screen, at time.Time) string {
	age := render.Age(s.Now.Sub(at))
	if age == "now" {
		return age
	}
	return age + " ago"
}

// Where says in which directory, on which branch and commit, and by whom a capture was made.
func Where(rec *manifest.Record) string {
	var words []string
	if rec.Dir != "" && rec.Dir != "." {
		words = append(words, "in "+rec.Dir)
	}
	if g := rec.Git; g != nil {
		if g.Branch != "" {
			words = append(words, "on "+g.Branch)
		}
		if g.Commit != "" {
			words = append(words, "at "+g.Commit[:min(len(g.Commit), 12)])
		}
		if g.Dirty != nil && *g.Dirty {
			words = append(words, "with changes")
		}
	}
	if rec.By != nil && rec.By.Agent != "" {
		words = append(words, "by "+rec.By.Agent)
	}
	if rec.From != "" {
		words = append(words, "imported from "+rec.From)
	}
	return strings.Join(words, " ")
}

// Facts are the facts of a capture: its verdict, its command, when and where it ran and what was kept, without stages
// and findings.
func Facts(s *render.Screen, rec *manifest.Record, r *result.ToolResult) string {
	ink := render.Unsure
	if r != nil {
		ink = render.InkOf(r.Status)
	}
	rows := [][]render.Cell{
		{{Text: "run"}, {Text: rec.ID}},
		{{Text: "when"}, {Text: fmt.Sprintf("%s, %s UTC; it took %s", Ago(s, rec.Time), rec.Time.UTC().Format(time.DateTime), Millis(rec.DurationMS))}},
		{{Text: "where"}, {Text: cmp.Or(Where(rec), "-")}},
	}
	if g := rec.Git; g != nil && g.Worktree != "" {
		rows = append(rows, []render.Cell{{Text: "tree"}, {Text: g.Worktree}})
	}
	if rec.Raw != nil {
		rows = append(rows, []render.Cell{{Text: "output"}, {Text: Bytes(rec.Raw.Size) + ", " + rec.Raw.OID}})
	}
	for _, artifact := range rec.Artifacts {
		rows = append(rows, []render.Cell{{Text: "file"}, {Text: artifact.Path + ", " + Bytes(artifact.Size)}})
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		rows = append(rows, []render.Cell{{Text: fmt.Sprintf("stage %d", n)}, {Text: cmp.Or(st.Says, OneLine(recall.CommandLine(st), 400)), Ink: render.InkOf(st.Status)}})
	}
	for _, row := range rows {
		row[0].Ink = render.Faint
	}
	return s.Text(0, Verdict(&recall.Hit{Record: rec, Result: r}), ink) + s.Text(0, "$ "+OneLine(recall.CommandLine(rec), 4000), render.Strong) + "\n" + s.Columns(1, rows...)
}

// InkOfSeverity is the colour of a finding.
func InkOfSeverity(sev result.Severity) render.Ink {
	switch sev {
	case result.SevFailure, result.SevError:
		return render.Bad
	case result.SevWarning:
		return render.Unsure
	}
	return render.Faint
}

// Heads is the heading row of a table. The first left columns are aligned left, the others right.
func Heads(left int, words ...string) (row []render.Cell) {
	for i, word := range words {
		row = append(row, render.Cell{Text: word, Ink: render.Faint, Right: i >= left})
	}
	return row
}

// Letter is an outcome as one letter, as pytest writes it, so that it can be read without colours.
func Letter(o outcomes.Outcome) (string, render.Ink) {
	switch o {
	case outcomes.Passed:
		return ".", render.Good
	case outcomes.Failed:
		return "F", render.Bad
	case outcomes.Error:
		return "E", render.Bad
	case outcomes.Skipped:
		return "s", render.Faint
	case outcomes.XFailed:
		return "x", render.Faint
	case outcomes.XPassed:
		return "X", render.Unsure
	case outcomes.Flaky:
		return "~", render.Unsure
	}
	return "?", render.Unsure
}

// TestHead summarises all runs of a test: counts, a strip of outcomes and a strip of durations.
func TestHead(s *render.Screen, id string, past recall.TestPast) string {
	runs := past.Runs
	var strip strings.Builder
	var inks []render.Ink
	var took []float64
	most := max(s.Width-len("durations  "), 10)
	for i := min(len(runs), most) - 1; i >= 0; i-- { // the oldest first
		letter, ink := Letter(runs[i].Test.Outcome)
		strip.WriteString(letter)
		inks = append(inks, ink)
		took = append(took, float64(runs[i].Test.DurationMS))
	}
	strips := [][]render.Cell{{{Text: "outcomes", Ink: render.Faint}, {Text: strip.String(), Inks: inks}}}
	if slices.Max(took) > 0 {
		strips = append(strips, []render.Cell{{Text: "durations", Ink: render.Faint}, {Text: render.Spark(took, most)}})
	}
	return s.Text(0, id, render.Strong) + s.Text(0, TestCounts(past), render.Plain) + "\n" + s.Columns(1, strips...)
}

// TestRows is the runs of a test as a table with a heading.
func TestRows(s *render.Screen, runs []recall.TestRun) string {
	rows := [][]render.Cell{Heads(5, "run", "when", "outcome", "commit", "tree", "took")}
	for _, r := range runs {
		_, ink := Letter(r.Test.Outcome)
		commit, took := "", ""
		if r.Test.DurationMS > 0 {
			took = Millis(r.Test.DurationMS)
		}
		if r.Run.Git != nil {
			commit = r.Run.Git.Commit[:min(len(r.Run.Git.Commit), 8)]
		}
		rows = append(rows, []render.Cell{
			{Text: render.ShortRun(r.Run.ID)}, {Text: render.Age(s.Now.Sub(r.Run.Time)), Right: true, Ink: render.Faint}, {Text: string(r.Test.Outcome), Ink: ink},
			{Text: commit, Ink: render.Faint}, {Text: manifest.ShortTree(cmp.Or(TreeOf(r), "-")), Ink: render.Faint}, {Text: took, Right: true},
		})
	}
	return s.Columns(4, rows...)
}

// TreeOf is the tree on which a test ran; "" if it is not known.
func TreeOf(r recall.TestRun) string {
	if r.Run.Git == nil {
		return ""
	}
	return r.Run.Git.Worktree
}

// Change is the findings that changed in one way.
type Change struct {
	Word     string // new, fixed, missing, still
	Findings []result.Finding
}

// Changes are all changes of a difference, and the findings that stayed.
func Changes(d *recall.Difference) []Change { return append(Moves(d), Change{"still", d.Still}) }

// Moves are the changes of a difference, without the findings that stayed.
func Moves(d *recall.Difference) []Change {
	return []Change{{"new", d.New}, {"fixed", d.Fixed}, {"missing", d.Missing}}
}

// InkOfChange is the colour for a Change's Word.
func InkOfChange(word string) render.Ink {
	return map[string]render.Ink{"new": render.Bad, "fixed": render.Good, "missing": render.Unsure}[word]
}

// CountChanges says in one line how many findings changed in which way.
func CountChanges(d *recall.Difference) string {
	text := fmt.Sprintf("%d new, %d fixed, %d still", len(d.New), len(d.Fixed), len(d.Still))
	if len(d.Missing) > 0 {
		text += fmt.Sprintf(", %d missing: %s", len(d.Missing), d.Why)
	}
	return text + countTests(d.Tests)
}
