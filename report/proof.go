package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/prove"
	"cairn/recall"
	"cairn/redact"
	"cairn/render"
	"cairn/result"
)

// Proof says which required checks are proven for a tree: the answer of package prove, for a page or a pull request.
// Its texts are clean.
type Proof struct {
	Tree   string       `json:"tree"`
	Base   string       `json:"base,omitempty"`
	Proven bool         `json:"proven"`
	Checks []CheckProof `json:"checks"`          // the worst first
	Error  string       `json:"error,omitempty"` // why the answer is missing, on a page that is served nevertheless
}

// CheckProof is the state of one check.
type CheckProof struct {
	Name    string   `json:"n"`
	Command string   `json:"c"`
	State   string   `json:"s"`
	Run     string   `json:"r,omitempty"`
	Why     []string `json:"why,omitempty"`
}

// worst are the states from the worst to the best.
var worst = []prove.State{prove.Failed, prove.Missing, prove.Stale, prove.Weakened, prove.Unread, prove.Proven}

// ProofOf returns what is proven for a commit, a range or the working tree; nil if the repository declares no checks.
func ProofOf(ctx context.Context, s *place.Site, rev string, now time.Time) (*Proof, error) {
	answer, err := prove.Ask(ctx, s, prove.Options{Rev: rev, Now: now})
	if errors.Is(err, prove.ErrNoChecks) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking which checks are proven: %w", err)
	}
	p := &Proof{Tree: answer.Tree, Base: answer.Base, Proven: answer.Proven, Checks: []CheckProof{}}
	for _, c := range answer.Checks {
		one := CheckProof{Name: result.CleanLine(c.Name), Command: result.CleanLine(c.Command), State: string(c.State), Run: c.Run}
		for _, r := range c.Reasons {
			text := r.Text
			if named := slices.Concat(r.Files, r.Tests); len(named) > 0 {
				text += ": " + strings.Join(named[:min(len(named), 3)], ", ")
				if n := len(named) - 3 + r.More; n > 0 {
					text += fmt.Sprintf(" and %d more", n)
				}
			}
			one.Why = append(one.Why, result.CleanLine(text))
		}
		p.Checks = append(p.Checks, one)
	}
	slices.SortStableFunc(p.Checks, func(a, b CheckProof) int {
		return slices.Index(worst, prove.State(a.State)) - slices.Index(worst, prove.State(b.State))
	})
	return p, nil
}

// headline counts the checks in words.
func (p *Proof) headline() string {
	n := 0
	for _, c := range p.Checks {
		if c.State == string(prove.Proven) {
			n++
		}
	}
	return fmt.Sprintf("%d of %s proven for tree %s", n, result.Count(len(p.Checks), "check"), p.Tree[:min(len(p.Tree), 12)])
}

// proof is the section of the checks, the worst first. Its headline is written even if there is no room.
func (d *document) proof(p *Proof) {
	if p == nil {
		return
	}
	d.add("\n### " + p.headline() + "\n\n")
	for _, c := range p.Checks {
		sign := "❌"
		switch prove.State(c.State) {
		case prove.Proven:
			sign = "✅"
		case prove.Weakened, prove.Unread, prove.Stale:
			sign = "⚠️"
		}
		line := fmt.Sprintf("- %s %s is **%s**: %s", sign, code(c.Name), c.State, code(cut(c.Command, 200)))
		if c.Run != "" {
			line += ", run " + code(render.ShortRun(c.Run))
		}
		for _, why := range c.Why {
			line += "\n  - " + code(cut(why, 300))
		}
		d.item(line + "\n")
	}
	d.end("more checks")
}

// historyPart is the share of one tool in a run's output, or one command of its line.
type historyPart struct {
	Name    string `json:"n"`
	Status  string `json:"s,omitempty"`
	Verdict string `json:"v"`
}

// partsOf are the stages of a run, or else the parts of its output.
func partsOf(hit *recall.Hit) (parts []historyPart) {
	rec := hit.Record
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		status := string(st.Status)
		if status == "" && st.Exit != nil {
			status = fmt.Sprintf("exit %d", *st.Exit)
		}
		parts = append(parts, historyPart{result.CleanLine(recall.CommandLine(st)), status, result.CleanLine(st.Says)})
	}
	if hit.Result == nil || len(parts) > 0 {
		return parts
	}
	for _, p := range hit.Result.Parts {
		_, verdict, _ := strings.Cut(render.Part(p), ": ")
		parts = append(parts, historyPart{result.CleanLine(strings.TrimSpace(p.Tool + " " + p.Name)), string(p.Status), verdict})
	}
	return parts
}

// Headline is a report in one line: how many commands failed, and how many findings are new, known, flaky, fixed and
// gone.
func Headline(r *Report) string {
	failed, latest, hidden := 0, r.Latest(), 0
	for _, run := range latest {
		if run.Failed() {
			failed++
		}
		hidden += run.Hidden
	}
	line := fmt.Sprintf("%s passed", result.Count(len(latest), "command"))
	if failed > 0 {
		line = fmt.Sprintf("%d of %s failed", failed, result.Count(len(latest), "command"))
	}
	n := r.counts()
	var words []string
	for _, part := range []struct {
		state State
		word  string
	}{{New, "new"}, {"", "not compared"}, {Known, "known"}, {Flaky, "flaky"}, {Fixed, "fixed"}, {Gone, "gone"}} {
		if n[part.state] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[part.state], part.word))
		}
	}
	if len(words) > 0 {
		line += ": " + strings.Join(words, ", ")
	}
	return line
}

// casesOf are the tests of a run, as its record names them; nil if they were not stored, or are in another clone. Then
// only the findings are known. A test with subtests is left out. Names are redacted like those of findings, since the
// stored list never leaves this clone, but a report may.
func casesOf(s *place.Site, rec *manifest.Record) (cases []Case) {
	list, err := s.Tests(rec)
	if err != nil {
		return nil
	}
	for _, t := range list {
		if t.Parent {
			continue
		}
		one := Case{ID: result.CleanLine(redact.Text(t.ID)), Outcome: string(t.Outcome), Duration: -1}
		if t.DurationMS > 0 {
			one.Duration = t.DurationMS
		}
		cases = append(cases, one)
	}
	return cases
}

// letterOf is the letter of an outcome in a strip.
func letterOf(outcome string) byte {
	switch outcome {
	case "passed":
		return 'p'
	case "failed":
		return letterFailed
	case "error":
		return 'e'
	case "skipped":
		return 's'
	case "xfailed", "xpassed":
		return 'x'
	case "flaky":
		return 'k'
	}
	return letterUnknown
}

// told is one entry in a format of test results: a test, or another finding.
type told struct {
	Case
	finding *Finding // nil if the test has no finding
	run     *Run
}

// subtests are the tests with failed parts that runners name after the test, as unittest does: "a.B.test_c (n=1)". Each
// part is a case, and the test is not counted in addition.
func (r *Run) subtests() map[string]bool {
	tests := map[string]bool{}
	for _, f := range r.Findings {
		if test, _, ok := strings.Cut(f.ID, " ("); ok && f.isTest() {
			tests[test] = true
		}
		if test, _, ok := strings.Cut(f.ID, " ["); ok && f.isTest() {
			tests[test] = true
		}
	}
	return tests
}

// skipped says whether the test has not been run or was skipped.
func (t told) skipped() bool {
	return slices.Contains([]string{"skipped", "xfailed", "not_run"}, t.Outcome)
}

func (t told) failed() bool { return t.finding != nil && t.finding.fails() }

// cases are the tests of a run, with their findings; then findings of other kinds, each a case of its own; and last the
// run itself, if it failed without a finding that says why, or if not all findings are here.
func (r *Run) cases() (all []told) {
	found := map[string][]*Finding{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.isTest() && f.ID != "" {
			found[f.ID] = append(found[f.ID], f)
		}
	}
	parts := r.subtests()
	seen := map[*Finding]bool{}
	for _, c := range r.Cases {
		t := told{Case: c, run: r}
		if of := found[c.ID]; len(of) > 0 && c.Outcome != "passed" && !t.skipped() {
			t.finding, found[c.ID] = of[0], of[1:]
			seen[of[0]] = true
		} else if parts[c.ID] {
			continue
		} else if c.Outcome == "failed" || c.Outcome == "error" {
			t.finding = &Finding{Run: r}
			t.finding.ID, t.finding.Severity, t.finding.Message = c.ID, "failure", c.Outcome
		}
		all = append(all, t)
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; !seen[f] {
			all = append(all, told{Case{ID: f.name(), Outcome: "failed", Duration: -1}, f, r})
		}
	}
	if r.Failed() && (!slices.ContainsFunc(all, told.failed) || r.Hidden > 0) {
		f := &Finding{Run: r}
		f.ID, f.Severity, f.Message, f.Rule = r.Command, "error", r.Verdict, string(r.Status)
		all = append(all, told{Case{ID: cmp.Or(r.Command, r.Tool), Outcome: "error", Duration: -1}, f, r})
	}
	return all
}

// taken is how long a test took in one run of its command.
type taken struct {
	at int // index among the runs of the command, oldest first
	ms int64
}

// historySlower is a run from which on a test takes much longer: medians before and since, in milliseconds.
type historySlower struct {
	At     int    `json:"at"` // index among the runs of the command, oldest first
	X      string `json:"x"`  // position in the plot
	Before int64  `json:"before"`
	Now    int64  `json:"now"`
}

// Conditions for marking that a test became slower. They are weaker than those of recall stats for the newest run
// alone, since the page shows many runs side by side.
const (
	slowerEnds   = 3     // runs before and since, at least
	slowerTimes  = 2     // factor between the medians
	slowerLeast  = 20    // milliseconds between them: some runners print only hundredths of a second
	slowerChance = 0.001 // probability of such a change by chance, by Pettitt's approximation
)

// sinceSlower is the change of a series after which it takes much longer, or nil. Pettitt's test finds it: the run at which
// the ranks of the values before and since differ most, so that single slow runs do not matter. From there the border
// moves to the first run whose value is nearer to the median since than to the median before.
func sinceSlower(took []taken) *historySlower {
	sorted := make([]int64, len(took))
	for i, v := range took {
		sorted[i] = v.ms
	}
	slices.Sort(sorted)
	at, sum, least := 0, 0, 0
	for i, v := range took { // a value's rank, from the middle: how many are less, minus how many are more
		if sum < least && i >= slowerEnds && i <= len(took)-slowerEnds {
			at, least = i, sum
		}
		less, _ := slices.BinarySearch(sorted, v.ms)
		upTo, _ := slices.BinarySearch(sorted, v.ms+1)
		sum += less - (len(sorted) - upTo)
	}
	if at == 0 {
		return nil
	}
	before, now := medianOf(took[:at]), medianOf(took[at:])
	for between := (before + now) / 2; took[at-1].ms > between && at > slowerEnds; {
		at--
	}
	for between := (before + now) / 2; at < len(took) && took[at].ms <= between; {
		at++
	}
	n := float64(len(took))
	chance := 2 * math.Exp(-6*float64(least)*float64(least)/(n*n*n+n*n))
	if len(took)-at < slowerEnds || now < slowerTimes*before || now-before < slowerLeast || chance > slowerChance {
		return nil
	}
	return &historySlower{took[at].at, coordinate(at, len(took), plotWidth), before, now}
}

func medianOf(took []taken) int64 {
	sorted := slices.SortedFunc(slices.Values(took), func(a, b taken) int { return cmp.Compare(a.ms, b.ms) })
	return sorted[len(sorted)/2].ms
}
