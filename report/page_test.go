package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/recall"
	"cairn/result"
)

// historyOf is the history of n runs of a command, every other of which fails by some of so many tests, whose texts are s and a number.
func historyOf(t testing.TB, n, tests int, s string) *History {
	t.Helper()
	m := &making{History: &History{Made: "2026-11-26T00:00:00Z", Outputs: map[string]string{}, Flaky: []historyFlaky{}}, commands: map[string]int{}, findings: map[string]int{}}
	at := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	for i := range n {
		r := &result.ToolResult{Tool: "pytest", Kind: result.Test, Status: result.Passed, ParserConfidence: result.Parsed, Findings: []result.Finding{}}
		rec := &manifest.Record{ID: fmt.Sprintf("01M8AK%020d", n-i), Time: at.Add(-time.Duration(i) * time.Minute), Argv: []string{s}, Key: "k", DurationMS: int64(100 + i), Git: &manifest.Git{Commit: s, Branch: s}}
		if i%2 == 0 {
			r.Status = result.Failed
			for j := range tests {
				if (i/2)%(j+1) != 0 {
					continue
				}
				id := fmt.Sprintf("%s%d", s, j)
				r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Rule: s, Message: s, Fingerprint: fmt.Sprintf("%012x", j), At: &result.Location{Path: s, Line: j + 1}, Location: fmt.Sprintf("%s:%d", s, j+1), Expected: s})
			}
		}
		m.add(&recall.Hit{Record: rec, Result: r})
		m.Outputs[rec.ID] = s + "\n" + s
		m.Runs[i].Parts = []historyPart{{s, "failed", s}, {s, "", s}}
	}
	m.Proof = &Proof{Tree: s, Checks: []CheckProof{{s, s, "stale", m.Runs[0].ID, []string{s, s}}, {s, s, "proven", "", nil}}}
	if tests > 100 { // each of them is known of each run
		for i, run := range m.facts {
			for j := range tests {
				run.Cases = append(run.Cases, Case{fmt.Sprintf("%s%d", s, j), "passed", int64(i*j) % 5000})
			}
		}
	}
	m.strips()
	return m.History
}

func pageOf(t testing.TB, h *History) string {
	t.Helper()
	var b bytes.Buffer
	if err := h.Page(&b, ""); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageHostile: whatever the record says, the page has the elements that it has for plain words, and the data is what
// was recorded.
func TestPageHostile(t *testing.T) {
	want := strings.Count(pageOf(t, historyOf(t, 3, 2, "plain")), "<")
	for _, p := range payloads {
		h := historyOf(t, 3, 2, p)
		page := pageOf(t, h)
		if got := strings.Count(page, "<"); got != want && strings.TrimSpace(result.CleanLine(p)) != "" {
			t.Errorf("%.60q makes %d signs of an element, not %d", p, got, want)
		}
		_, data, _ := strings.Cut(page, `<script type="application/json"`)
		_, data, _ = strings.Cut(data, ">")
		data, _, _ = strings.Cut(data, "</script>")
		var back History
		if err := json.Unmarshal([]byte(data), &back); err != nil {
			t.Errorf("%.60q: %v", p, err)
		}
		if got, want := back.Outputs[h.Runs[0].ID], strings.ToValidUTF8(p+"\n"+p, "\ufffd"); got != want && !strings.Contains(p, "\xff") {
			t.Errorf("%.60q came back as %.60q", want, got)
		}
	}
}

// TestPageSize: the page itself, and one with a hundred thousand outcomes.
func TestPageSize(t *testing.T) {
	if n := len(pageTemplate); n > 300<<10 {
		t.Errorf("%d bytes before data", n)
	}
	h := historyOf(t, 200, 500, "tests/test_cart.py::test_total_")
	outcomes := 0
	for _, test := range h.Tests {
		outcomes += len(test.Strip)
	}
	if outcomes != 100_000 {
		t.Fatalf("%d outcomes", outcomes)
	}
	if n := len(pageOf(t, h)); n > 3<<20 {
		t.Errorf("%d bytes with %d outcomes", n, outcomes)
	}
}

// TestStrips: a run that does not account for its output says nothing of a test that it does not show.
func TestStrips(t *testing.T) {
	h := historyOf(t, 4, 1, "a")
	if len(h.Tests) != 1 || h.Tests[0].Strip != ".f.f" {
		t.Errorf("%+v", h.Tests)
	}
	m := &making{History: &History{}, commands: map[string]int{}, findings: map[string]int{}}
	for _, confidence := range []result.Confidence{result.Heuristic, result.Parsed} {
		r := &result.ToolResult{Tool: "pytest", Kind: result.Test, Status: result.Failed, ParserConfidence: confidence}
		if confidence == result.Parsed {
			r.Findings = []result.Finding{{ID: "a", Kind: result.TestFailure}}
		}
		m.add(&recall.Hit{Record: &manifest.Record{Key: "k"}, Result: r})
	}
	if m.strips(); m.Tests[0].Strip != "f?" {
		t.Errorf("%+v", m.Tests)
	}
}

// TestStripsOfOutcomes: where it is recorded what each test came to, that goes before what the findings tell.
func TestStripsOfOutcomes(t *testing.T) {
	m := &making{History: &History{}, commands: map[string]int{}, findings: map[string]int{}}
	for i, outcome := range []string{"passed", "skipped", "flaky", "error"} { // the newest first
		m.add(&recall.Hit{Record: &manifest.Record{Key: "k"}, Result: &result.ToolResult{Kind: result.Test, Status: result.Failed, ParserConfidence: result.Parsed,
			Findings: []result.Finding{{ID: "a", Kind: result.TestFailure, Fingerprint: "1"}}}})
		m.facts[i].Cases = []Case{{"a", outcome, int64(10 * i)}, {"b", "passed", -1}}
	}
	m.strips()
	if len(m.Tests) != 2 || m.Tests[0].Strip != "eksf" || m.Tests[1].Strip != "pppp" || m.Tests[0].Most != 30 || m.Tests[0].Plot == "" || m.Tests[1].Plot != "" || m.Findings[0].Test != 0 {
		t.Errorf("%+v", m.Tests)
	}
}

// TestCases: a test that ran is a case; one that failed has what was found, once.
func TestCases(t *testing.T) {
	run := runOf(t, []result.Finding{failedTest(1)})
	run.Cases = []Case{{"tests/test_cart.py::test_total_1", "failed", 12}, {"ok", "passed", 3}, {"no", "skipped", -1}, {"lost", "error", -1}}
	text := written(t, "junit", &Report{Runs: []*Run{run}})
	for _, want := range []string{`tests="4" failures="2" errors="0" skipped="1"`, `name="ok" classname="pytest" time="0.003"></testcase>`, `name="no" classname="pytest"><skipped/>`, `message="assert 1 == 2"`, `name="lost"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Count(text, "test_total_1\"") != 1 {
		t.Errorf("a test is there twice:\n%s", text)
	}
}

// TestCasesOfSubtests: of a test of which parts failed, the parts are the cases, as the runner counts them.
func TestCasesOfSubtests(t *testing.T) {
	run := runOf(t, []result.Finding{{Kind: result.TestFailure, ID: "a.B.test_c (n=1)", Severity: result.SevFailure, Message: "1 != 2"}, {Kind: result.TestFailure, ID: "a.B.test_c (n=2)", Severity: result.SevFailure, Message: "2 != 3"}})
	run.Cases = []Case{{"a.B.test_c", "failed", -1}, {"a.B.test_d", "failed", -1}, {"a.B.test_e", "passed", -1}}
	text := written(t, "junit", &Report{Runs: []*Run{run}})
	if !strings.Contains(text, `tests="4" failures="3"`) || strings.Contains(text, `"a.B.test_c"`) || !strings.Contains(text, `"a.B.test_d"`) {
		t.Error(text)
	}
}

// TestPageInBrowser: a stranger finds in three clicks since when a test fails and what it printed: the first page leads to
// the test and to the run, and the run shows the output with the finding marked.
func TestPageInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	h := historyOf(t, 5, 1, `<img src=x onerror="document.title='taken over'">`)
	h.Outputs[h.Runs[0].ID] = "\x1b[31mred\x1b[0m <b>\nplain " + h.Findings[0].At + "\x1b]0;title\x07\n"
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(pageOf(t, h)), 0o600); err != nil {
		t.Fatal(err)
	}
	dom := func(view string) string {
		out, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file+"#"+view).Output()
		if err != nil {
			t.Fatalf("%s: %v", browser, err)
		}
		if strings.Contains(string(out), "<title>taken over") || strings.Contains(string(out), "<img") {
			t.Errorf("%s: text became a part of the page", view)
		}
		return string(out)
	}
	run := h.Runs[0].ID
	for view, wants := range map[string][]string{
		"":           {"1 of 1 check does not pass", `href="#test/0"`, `href="#run/` + run + `"`, "✕ failed", "1 of 2 checks proven for tree", "▲ stale", "● proven"},
		"test/0":     {"fails since", "failed in 3 of 5 runs", `href="#run/` + run + `"`},
		"run/" + run: {`<span class="a31">red</span> &lt;b&gt;`, `<li id="L2" class="found">`, "<h2>Parts</h2>", `<td class="mono">&lt;img src=x`},
		"trends":     {"2 of 5 runs passed", "<path class=\"bad\""},
		"flaky":      {"No flaky tests"},
		"compare":    {"Not there any more"},
	} {
		page := dom(view)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%q has no %s", view, want)
			}
		}
	}
}
