package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"
)

// figure is one line of a table.
type figure struct {
	Section  string  `json:"section"`
	Name     string  `json:"name"`
	Rounds   int     `json:"rounds"`
	MedianMS float64 `json:"median_ms"`
	MinMS    float64 `json:"min_ms"`
	CPUMS    float64 `json:"cpu_ms,omitempty"`
	PeakMB   float64 `json:"peak_mb,omitempty"`
	Ratio    float64 `json:"ratio,omitempty"` // this job's time divided by that of the table's first job
	Note     string  `json:"note,omitempty"`
}

// budget is one budget of the design, with the measured value.
type budget struct {
	What     string  `json:"what"`
	Limit    float64 `json:"limit"`
	Measured float64 `json:"measured"`
	Unit     string  `json:"unit"`
	Met      bool    `json:"met"`
	Slower   float64 `json:"slower,omitempty"` // factor by which this machine is slower than the one where Limit was set; Met allows for it
	Note     string  `json:"note,omitempty"`
}

// trueWhereSet is how long the program true took, in milliseconds, on the machine where the budgets of process times
// were set. On other machines these budgets are scaled by the time of true there.
const trueWhereSet = 0.5

type report struct {
	Machine string   `json:"machine"`
	Budgets []budget `json:"budgets"`
	Figures []figure `json:"figures"`
	Notes   []string `json:"notes,omitempty"`
	current string
}

func (b *bench) section(name string) {
	b.report.current = name
	fmt.Fprintf(b.out, "\n== %s\n", name)
}

// note prints a note at once, and keeps it for the report.
func (b *bench) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(b.report.Notes, text) {
		b.report.Notes = append(b.report.Notes, text)
		fmt.Fprintln(b.out, text)
	}
}

// table prints the times of jobs that ran in turn, and their ratios to the first job.
func (b *bench) table(title string, jobs []job, samples []sample) {
	w := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "median ms\tmin\tcpu\tpeak MB\tratio\trounds\t %s\n", title)
	for i, j := range jobs {
		s := samples[i]
		f := figure{Section: b.report.current, Name: title + ": " + j.name, Rounds: len(s), MedianMS: ms(s.median()), MinMS: ms(s.min()),
			CPUMS: ms(s.cpu()), PeakMB: float64(s.memory()) / (1 << 20), Ratio: ratio(s, samples[0])}
		b.report.Figures = append(b.report.Figures, f)
		fmt.Fprintf(w, "%.2f\t%.2f\t%.2f\t%.1f\t%.2f\t%d\t %s\n", f.MedianMS, f.MinMS, f.CPUMS, f.PeakMB, f.Ratio, f.Rounds, j.name)
	}
	w.Flush()
}

// fact reports a figure that is no comparison.
func (b *bench) fact(name string, d time.Duration, note string) {
	b.report.Figures = append(b.report.Figures, figure{Section: b.report.current, Name: name, Rounds: 1, MedianMS: ms(d), MinMS: ms(d), Note: note})
	fmt.Fprintf(b.out, "%s: %.1f ms  %s\n", name, ms(d), note)
}

// hold compares a value with a budget: less is better.
func (b *bench) hold(what string, limit, measured float64, unit, note string) {
	b.report.Budgets = append(b.report.Budgets, budget{What: what, Limit: limit, Measured: measured, Unit: unit, Met: measured <= limit, Note: note})
}

// holdStarted compares the time of a process with a budget that was set where true took trueWhereSet; bare is the time
// of true here. A faster machine does not reduce the budget.
func (b *bench) holdStarted(what string, limit, measured, bare float64, note string) {
	slower := max(1, bare/trueWhereSet)
	b.report.Budgets = append(b.report.Budgets,
		budget{What: what, Limit: limit, Measured: measured, Unit: "ms", Met: measured <= limit*slower, Slower: slower, Note: note})
}

// verdict says whether a budget was met, or met only after scaling.
func (x *budget) verdict() string {
	switch {
	case !x.Met:
		return "MISSED"
	case x.Measured > x.Limit:
		return "met, scaled"
	}
	return "met"
}

// of returns the printed budget, with its value on this machine.
func (x *budget) of() string {
	if x.Slower > 1 {
		return fmt.Sprintf("of %.4g %s, here %.4g", x.Limit, x.Unit, x.Limit*x.Slower)
	}
	return fmt.Sprintf("of %.4g %s", x.Limit, x.Unit)
}

// finish prints the budgets, missed ones first.
func (b *bench) finish() (missed bool, err error) {
	slices.SortStableFunc(b.report.Budgets, func(x, y budget) int {
		switch {
		case x.Met == y.Met:
			return 0
		case x.Met:
			return 1
		}
		return -1
	})
	missed = slices.ContainsFunc(b.report.Budgets, func(x budget) bool { return !x.Met })
	if b.json {
		enc := json.NewEncoder(b.answer)
		enc.SetIndent("", "  ")
		return missed, enc.Encode(b.report)
	}
	fmt.Fprintf(b.out, "\n== budgets (%s)\n", load())
	w := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', 0)
	for _, x := range b.report.Budgets {
		fmt.Fprintf(w, "%s\t%s\t%.4g %s\t%s\t%s\n", x.verdict(), x.What, x.Measured, x.Unit, x.of(), x.Note)
	}
	w.Flush()
	for _, n := range b.report.Notes {
		fmt.Fprintln(b.out, "note: "+n)
	}
	if b.quick {
		fmt.Fprintln(b.out, "note: -quick: these figures show that the benchmark works, nothing else")
	}
	return missed, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
