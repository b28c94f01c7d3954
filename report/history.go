package report

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall"
	"cairn/redact"
	"cairn/result"
)

// Bounds of a page.
const (
	PageRuns   = 1000      // the newest ones
	pageText   = 192 << 10 // bytes of the end of one output
	pageTexts  = 1 << 20   // of all outputs together
	pageChecks = 60        // commands whose last output is in the page
	pageCases  = 100_000   // outcomes of tests: those of the newest runs
)

// History is the content of the page: runs over time, the findings of each, and the outcomes of each test.
type History struct {
	Made     string            `json:"made"` // the time of the newest run, so that equal records give equal pages
	Version  string            `json:"version"`
	Live     bool              `json:"live,omitempty"` // the page is served: outputs are fetched when opened
	More     bool              `json:"more,omitempty"` // there are older runs
	Commands []string          `json:"commands"`
	Runs     []historyRun      `json:"runs"` // the newest first
	Findings []historyFinding  `json:"findings"`
	Tests    []historyTest     `json:"tests"`
	Flaky    []historyFlaky    `json:"flaky"`
	Outputs  map[string]string `json:"outputs,omitempty"` // by run
	Proof    *Proof            `json:"proof,omitempty"`   // of the working tree if the page is served, else set by the caller
	trends   []trend
}

type historyRun struct {
	ID      string `json:"id"`
	Time    int64  `json:"t"` // seconds
	Command int    `json:"c"`
	Status  string `json:"s"`
	Verdict string `json:"v"`
	MS      int64  `json:"ms"`
	Commit  string `json:"k,omitempty"`
	Branch  string `json:"b,omitempty"`
	Tree    string `json:"w,omitempty"`
	By      string `json:"by,omitempty"`
	OID     string `json:"o,omitempty"`
	Found   []int  `json:"f,omitempty"`
	Hidden  int    `json:"h,omitempty"`

	Parts []historyPart `json:"parts,omitempty"`
}

type historyFinding struct {
	Name     string `json:"n"`
	Rule     string `json:"r,omitempty"`
	Message  string `json:"m"`
	At       string `json:"at,omitempty"`
	Severity string `json:"s"`
	Print    string `json:"p"`
	Values   string `json:"x,omitempty"`
	Test     int    `json:"t"` // index in tests
}

// historyTest is a test of a command, or another finding, over all runs of the command, oldest first.
type historyTest struct {
	Name    string `json:"n"`
	Command int    `json:"c"`
	Strip   string `json:"s"`           // one letter per run: see letters
	Plot    string `json:"d,omitempty"` // durations, as the path of an SVG
	Most    int64  `json:"most,omitempty"`

	Slower *historySlower `json:"slower,omitempty"`
}

type historyFlaky struct {
	Test   string `json:"n"`
	Failed int    `json:"failed"`
	Runs   int    `json:"runs"`
	Trees  int    `json:"trees"`
	Fail   string `json:"fail"` // a run that failed, and one on the same tree that did not
	Pass   string `json:"pass"`
}

// GatherHistory makes the history of the newest runs that the filters select. live says that the page will be served.
func GatherHistory(ctx context.Context, s *place.Site, filters recall.Filters, live bool) (*History, error) {
	if filters.Limit == 0 || filters.Limit > PageRuns {
		filters.Limit = PageRuns
	}
	var hits []*recall.Hit
	for hit, err := range recall.Objects(ctx, s, recall.Query{Filters: filters}) {
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	flaky, err := recall.Flaky(ctx, s, recall.Filters{Limit: 200})
	if err != nil {
		return nil, err
	}
	h := &History{Version: build.Version(), Live: live, More: len(hits) == filters.Limit, Commands: []string{}, Runs: []historyRun{}, Findings: []historyFinding{}, Tests: []historyTest{}, Flaky: []historyFlaky{}}
	if len(hits) > 0 {
		h.Made = hits[0].Record.Time.UTC().Format(time.RFC3339)
	}
	m := &making{History: h, site: s, commands: map[string]int{}, findings: map[string]int{}, left: pageCases}
	for _, hit := range hits {
		m.add(hit)
	}
	m.strips()
	for _, t := range flaky.Tests {
		f := clean(t.Finding)
		h.Flaky = append(h.Flaky, historyFlaky{cmp.Or(f.ID, f.Message), t.Failed, t.Runs, t.Trees, t.LastFailed, t.LastPassed})
	}
	if live {
		if h.Proof, err = ProofOf(ctx, s, "", time.Now()); err != nil {
			h.Proof = &Proof{Checks: []CheckProof{}, Error: result.CleanLine(err.Error())}
		}
		return h, nil
	}
	m.outputs(hits)
	return h, nil
}

// making is the state while a history is made.
type making struct {
	*History
	site     *place.Site
	commands map[string]int
	findings map[string]int
	facts    []*Run
	left     int // how many of pageCases are left
	results  []*result.ToolResult
	records  []*manifest.Record
}

func (m *making) add(hit *recall.Hit) {
	run := factsOf(hit.Record, hit.Result)
	key := cmp.Or(hit.Record.Key, run.Command)
	c, ok := m.commands[key]
	if !ok {
		c = len(m.Commands)
		m.commands[key] = c
		name := run.Command
		if run.Dir != "" && run.Dir != "." {
			name = run.Dir + ": " + name
		}
		m.Commands = append(m.Commands, name)
	}
	one := historyRun{ID: run.ID, Time: run.Time.Unix(), Command: c, Status: string(run.Status), Verdict: run.Verdict, MS: run.Duration,
		Commit: run.Commit[:min(len(run.Commit), 12)], Branch: run.Branch, Tree: run.Worktree[:min(len(run.Worktree), 12)], By: run.By, OID: run.OID, Parts: partsOf(hit)}
	if hit.Result != nil {
		for _, f := range hit.Result.Findings {
			one.Found = append(one.Found, m.finding(c, f))
		}
		one.Hidden = max(hit.Result.Truncated.FindingsTotal-len(hit.Result.Findings), 0)
	}
	if m.left > 0 && run.Kind == result.Test {
		run.Cases = casesOf(m.site, hit.Record)
		m.left -= len(run.Cases)
	}
	m.Runs, m.facts, m.results, m.records = append(m.Runs, one), append(m.facts, run), append(m.results, hit.Result), append(m.records, hit.Record)
}

// finding is the index of a finding; equal findings share one.
func (m *making) finding(command int, f result.Finding) int {
	f = clean(f)
	key := f.Fingerprint + "\x00" + f.Location
	if n, ok := m.findings[key]; ok {
		return n
	}
	n := len(m.Findings)
	m.findings[key] = n
	values := ""
	if f.Expected != "" || f.Actual != "" {
		values = "expected " + cut(f.Expected, 300) + ", got " + cut(f.Actual, 300)
	}
	m.Findings = append(m.Findings, historyFinding{Name: Finding{Finding: f}.name(), Rule: f.Rule, Message: cut(f.Message, 600), At: f.Location,
		Severity: levelOf(f.Severity).word, Print: f.Fingerprint, Values: values, Test: -1})
	return n
}

// outputs keeps the end of the output of each command's newest run, failed ones first. Outputs are redacted, since a
// page is a file that is passed on.
func (m *making) outputs(hits []*recall.Hit) {
	m.Outputs = map[string]string{}
	seen, left := map[int]bool{}, pageTexts
	var order []int
	for i, run := range m.Runs {
		if !seen[run.Command] && len(order) < pageChecks {
			seen[run.Command] = true
			order = append(order, i)
		}
	}
	failed := func(i int) int {
		if m.facts[i].Failed() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return failed(a) - failed(b) })
	for _, i := range order {
		text, err := endOf(m.site, m.Runs[i].OID, min(pageText, left))
		if err != nil || text == "" {
			continue // another clone has the output, or it was collected: the page names the command that reports it
		}
		m.Outputs[m.Runs[i].ID] = text
		left -= len(text)
	}
}

// endOf is the end of an output, at most most bytes, redacted.
func endOf(s *place.Site, oid string, most int) (string, error) {
	id, err := objects.ParseID(oid)
	if err != nil || most <= 0 {
		return "", err
	}
	obj, err := s.Objects.OpenObject(id)
	if err != nil {
		return "", err
	}
	defer obj.Close()
	text, err := io.ReadAll(io.NewSectionReader(obj, max(obj.Size()-int64(most), 0), int64(most)))
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if obj.Size() > int64(most) {
		_, after, _ := strings.Cut(string(text), "\n")
		text = []byte("… the beginning is left out\n" + after)
	}
	return strings.ToValidUTF8(redact.Text(string(text)), "\ufffd"), nil
}
