package main

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/fleet"
)

const days = 60

// maker makes the rows of all repositories. Equal arguments give equal rows, for any order of repositories.
type maker struct {
	shares []int // how many records each repository has
	end    time.Time
	needle string // the fingerprint that a question asks about
}

// newMaker divides n records among repositories. The share of the k-th repository falls with k, like sizes of teams.
func newMaker(n, repositories int) *maker {
	m := &maker{shares: make([]int, repositories), end: time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC), needle: fingerprint(3, 2, 1)}
	weight := func(k int) float64 { return 1 / math.Pow(float64(k+1), 0.8) }
	total, left := 0.0, n
	for k := range m.shares {
		total += weight(k)
	}
	for k := range m.shares {
		m.shares[k] = min(left, 1+int(float64(n)*weight(k)/total))
		left -= m.shares[k]
	}
	m.shares[0] += left
	return m
}

func (m *maker) name(k int) string { return fmt.Sprintf("github.com/example/repository-%04d", k) }

func fingerprint(repository, command, n int) string {
	return fmt.Sprintf("%06x%03x%03x", repository, command, n)
}

// kinds are kinds of commands; fail is the percentage of runs that fail.
var kinds = []struct {
	tool, kind, command string
	fail, tests         int
}{{"pytest", "test", "pytest -q", 22, 40}, {"go-test", "test", "go test ./...", 18, 40}, {"jest", "test", "npx jest", 20, 40}, {"ruff", "lint", "ruff check .", 30, 0}, {"tsc", "typecheck", "npx tsc --noEmit", 28, 0}, {"go-build", "build", "go build ./...", 12, 0}}

// repository makes the rows of the k-th repository, oldest first. A run has rows for the tests that did not pass, and
// for two that passed.
func (m *maker) repository(k int) iter.Seq[*fleet.Rows] {
	return func(yield func(*fleet.Rows) bool) {
		r := rand.New(rand.NewPCG(uint64(k), 7))
		step := days * 24 * time.Hour / time.Duration(m.shares[k]+1)
		for i := range m.shares[k] {
			if !yield(m.rows(r, k, i, m.end.Add(-days*24*time.Hour+step*time.Duration(i+1)))) {
				return
			}
		}
	}
}

func (m *maker) rows(r *rand.Rand, k, i int, at time.Time) *fleet.Rows {
	at = at.Truncate(time.Microsecond)
	id := ulid.MustNew(ulid.Timestamp(at), fixed{r})
	c := r.IntN(len(kinds))
	kind, clean := kinds[c], r.IntN(3) > 0
	code, passed, failed := int32(0), int32(kind.tests), int32(0)
	dirty := !clean
	run := fleet.Run{
		Repository: m.name(k), RunID: id.String(), Time: at, Tool: kind.tool, Kind: kind.kind, Status: "ok", ExitCode: &code, DurationMS: int64(200 + r.ExpFloat64()*8000),
		Command: fmt.Sprintf("%s pkg%02d", kind.command, i%5), CommandKey: fmt.Sprintf("%04x%02x%02x", k, c, i%5), Dir: ".", Environment: "6f1d", Branch: []string{"main", "feature/a", "feature/b"}[r.IntN(3)],
		Commit: fmt.Sprintf("%036x%04x", i/12, k), Dirty: &dirty, Accounted: true, Agent: []string{"", "claude", "codex"}[r.IntN(3)], Session: fmt.Sprintf("%04x-%x", k, i/40),
		Confidence: "parsed", RawOID: fmt.Sprintf("sha256:%064x", r.Uint64()), RawSizeBytes: int64(500 + r.ExpFloat64()*20000), ShownSizeBytes: 400,
	}
	if run.Worktree = fmt.Sprintf("%036x%04x", i/3, k); clean {
		run.EvidenceTree = run.Commit
	}
	rows := &fleet.Rows{Run: run}
	if r.IntN(100) < kind.fail {
		code, failed, rows.Run.Status = 1, int32(1+r.IntN(3)), "failed"
		for n := range int(failed) {
			rows.Findings = append(rows.Findings, m.finding(&rows.Run, r, k, c, n, kind.tests > 0))
		}
	} else if kind.tests > 0 {
		rows.Run.Status = "passed"
	}
	passed -= failed
	rows.Run.FindingCount = int32(len(rows.Findings))
	if kind.tests == 0 {
		return rows
	}
	rows.Run.PassedCount, rows.Run.FailedCount = &passed, &failed
	for n, f := range rows.Findings {
		rows.Outcomes = append(rows.Outcomes, fleet.Outcome{Repository: run.Repository, RunID: run.RunID, Time: at, Number: int32(n + 1), TestID: f.TestID, Outcome: "failed", Times: 1})
	}
	for n := range 2 {
		took := int64(1 + r.IntN(900))
		rows.Outcomes = append(rows.Outcomes, fleet.Outcome{Repository: run.Repository, RunID: run.RunID, Time: at, Number: int32(len(rows.Outcomes) + 1), TestID: fmt.Sprintf("tests/test_z.py::test_%d", n), Outcome: "passed", DurationMS: &took, Times: 1})
	}
	return rows
}

func (m *maker) finding(run *fleet.Run, r *rand.Rand, k, c, n int, test bool) fleet.Finding {
	which := int(r.ExpFloat64() * 8) // a few tests fail often
	line := int32(10 + which)
	f := fleet.Finding{
		Repository: run.Repository, RunID: run.RunID, Time: run.Time, Number: int32(n + 1), Fingerprint: fingerprint(k, c, which), GroupID: fingerprint(k, c+100, which), Kind: "diagnostic", Severity: "error",
		Tool: run.Tool, Message: fmt.Sprintf("AssertionError: expected %d to equal %d in the response of the service", which, which+1), Path: fmt.Sprintf("src/pkg%02d/file_%03d.x", c, which), LineNumber: &line, Times: 1,
	}
	if test {
		f.Kind, f.Severity, f.TestID = "test_failure", "failure", fmt.Sprintf("%s::test_%03d", f.Path, which)
	} else {
		f.Rule = fmt.Sprintf("R%03d", which)
	}
	return f
}

// fixed is a random source with a fixed seed.
type fixed struct{ r *rand.Rand }

func (f fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f.r.Uint32())
	}
	return len(p), nil
}
