package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/prove"
	"cairn/recall"
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
