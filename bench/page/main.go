// Command page measures the page that "cairn report --format html" makes of real records. It runs a command at the
// commits of a clone of each repository, as many times as asked, oldest first, and loads the page in headless Chromium:
// how long until it can be used, and how many clicks lead a new user from it to the run since which a test fails and
// the test's output.
//
//	go -C bench run ./page -runs 1000 -repo DIR -run 'go test ./...'
//	go -C bench run ./page -runs 1000 -projects -dir DIR -shots DIR
//	go -C bench run ./page -outcomes 100000 -shots docs/page
//
// With -projects it fetches three published projects from their registries and gives them a history of mistakes and
// repairs. With -outcomes it generates a suite of -tests tests and runs it until it has that many outcomes; the
// pictures in docs show it. Repositories are cloned, never written to. Commits at which the command cannot run are runs
// like any other.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	repo := flag.String("repo", "", "`DIRECTORY` of a git repository")
	runs := flag.Int("runs", 1000, "`NUMBER` of runs; where there are fewer commits, the newest is run again")
	line := flag.String("run", "", "the command, a shell `LINE`")
	cairn := flag.String("cairn", "cairn", "`PROGRAM` that is measured")
	record := flag.Bool("record", true, "make the runs; without, -repo has a record")
	all := flag.Bool("projects", false, "measure three published projects, which are fetched and given a history; without -repo")
	outcomes := flag.Int("outcomes", 0, "run a made-up suite until it has `NUMBER` outcomes of tests; without -repo")
	tests := flag.Int("tests", 500, "with -outcomes: `NUMBER` of tests of the suite")
	dir := flag.String("dir", "", "with -projects or -outcomes: keep what is made in this `DIRECTORY`, and take what is there as it is")
	shots := flag.String("shots", "", "take pictures of the page at 1280 and 400 pixels into this `DIRECTORY`")
	keep := flag.String("keep", "", "write the page to this `FILE`, too")
	flag.Parse()
	o := options{repo: *repo, line: *line, cairn: *cairn, keep: *keep, shots: *shots, runs: *runs, record: *record, dir: *dir, outcomes: *outcomes, tests: *tests, name: filepath.Base(strings.TrimSuffix(*repo, "/repo"))}
	do := measure
	switch {
	case *all:
		do = measureProjects
	case *outcomes > 0:
		do = measureSuite
	}
	if err := do(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

type options struct {
	repo, line, cairn, keep, shots, dir, name string
	runs, outcomes, tests                     int
	record                                    bool
}

func measure(ctx context.Context, o options) error {
	if o.repo == "" || o.record == (o.line == "") {
		return errors.New("give -repo, and -run or -record=false")
	}
	dir, err := os.MkdirTemp("", "cairn-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	clone := o.repo
	if o.record {
		clone = filepath.Join(dir, "clone")
		if err := record(ctx, o, clone); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, o.cairn, "report", "--format", "html", "--since", "1970-01-02")
	cmd.Dir = clone
	cmd.Stderr = os.Stderr
	begin := time.Now()
	page, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("making the page: %w", err)
	}
	made := time.Since(begin)
	if o.keep != "" {
		if err := os.WriteFile(o.keep, page, 0o644); err != nil {
			return err
		}
	}
	if o.shots != "" {
		prefix := o.name + "-"
		if o.outcomes > 0 {
			prefix = "" // the pictures in docs
		}
		if err := pictures(ctx, dir, o.shots, prefix, page); err != nil {
			return err
		}
	}
	found, err := load(ctx, dir, string(page))
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d runs, %d outcomes of tests, %d bytes, made in %d ms: drawn %.0f ms after the page began to load, %s at most for another view (%s); %s\n",
		o.name, found.Runs, found.Outcomes, len(page), made.Milliseconds(), found.Drawn, ms(slices.Max(slices.Collect(maps.Values(found.Views)))), views(found.Views), found.Way)
	return nil
}

// record makes the runs.
func record(ctx context.Context, o options, clone string) error {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return string(out), nil
	}
	if _, err := git("clone", "-q", "--shared", o.repo, clone); err != nil {
		return err
	}
	list, err := git("-C", clone, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", o.runs), "HEAD")
	if err != nil {
		return err
	}
	commits := strings.Fields(list)
	for i := range o.runs {
		commit := commits[max(min(o.runs-1-i, len(commits)-1), 0)]
		if _, err := git("-C", clone, "checkout", "-q", "--force", commit); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, o.cairn, "capture", "run", "--shell", o.line)
		cmd.Dir, cmd.Stdout = clone, nil
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			return fmt.Errorf("%s: %w", o.cairn, err)
		}
	}
	return nil
}

// measured is the result of the script in the page.
type measured struct {
	Runs, Outcomes int
	Drawn          float64            // milliseconds
	Views          map[string]float64 // milliseconds until each view is drawn, and until a search shows its result
	Way            string
}

func ms(n float64) string { return fmt.Sprintf("%.0f ms", n) }

func views(all map[string]float64) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, name+" "+ms(all[name]))
	}
	return strings.Join(list, ", ")
}

// walk does what a new user would do: click on a failed test, or on "tests" and then the first one; then on the run
// since which it fails. Then it opens each view, and searches in it if possible.
const walk = `<script nonce=NONCE>
document.body.offsetHeight;
const measured = { Drawn: performance.now(), Runs: D.runs.length, Outcomes: D.tests.reduce((n, t) => n + t.s.length, 0), Way: "" };
let clicks = 0;
const click = (where) => { const a = document.querySelector(where); if (!a) return false; clicks++; location.hash = a.getAttribute("href"); draw(); return true; };
if (!click("main a[href^='#test/']") && !(click("a[href='#tests']") && click("main a[href^='#test/']"))) measured.Way = "no test ever failed";
else {
  const since = /fails? since|failed in/.test(document.body.textContent), said = /What it said/.test(document.body.textContent);
  measured.Way = clicks + " clicks to since when a test fails (" + since + ") and what it said (" + said + ")";
  if (click("main a[href^='#run/']")) measured.Way += ", " + clicks + " to the run and its output";
}
measured.Views = {};
const failing = D.runs.find((r) => r.f), worst = D.tests.findIndex((t) => failing && t === D.tests[D.findings[failing.f[0]].t]);
for (const view of ["now", "runs", "run/" + D.runs[0].id, "tests", "test/" + Math.max(worst, 0), "flaky", "trends", "compare"]) {
  const timed = (what, name) => { const begin = performance.now(); what(); document.body.offsetHeight; measured.Views[name] = performance.now() - begin; };
  const name = view.split("/")[0];
  timed(() => { location.hash = view; draw(); }, name);
  const box = document.querySelector("main input");
  if (box) timed(() => { box.value = "1"; box.dispatchEvent(new Event("input")); }, name + " searched");
}
const pre = document.createElement("pre");
pre.id = "measured";
pre.textContent = JSON.stringify(measured);
document.documentElement.append(pre);
</script></html>`

// load opens the page in a browser.
func load(ctx context.Context, dir, page string) (m measured, err error) {
	_, nonce, _ := strings.Cut(page, "'nonce-")
	nonce, _, ok := strings.Cut(nonce, "'")
	if !ok {
		return m, errors.New("the page has no script of its own")
	}
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(strings.Replace(page, "</html>", strings.Replace(walk, "NONCE", nonce, 1), 1)), 0o644); err != nil {
		return m, err
	}
	out, err := browse(ctx, dir, "--dump-dom", "file://"+file).Output()
	if err != nil {
		return m, fmt.Errorf("loading the page: %w", err)
	}
	_, text, _ := strings.Cut(string(out), `<pre id="measured">`)
	text, _, _ = strings.Cut(text, "</pre>")
	if err := json.Unmarshal([]byte(html.UnescapeString(text)), &m); err != nil {
		return m, fmt.Errorf("the page did not run: %.200s", text)
	}
	return m, nil
}

// browse returns a command that runs a headless browser with these arguments.
func browse(ctx context.Context, dir string, args ...string) *exec.Cmd {
	browser := cmp.Or(os.Getenv("CHROMIUM"), "chromium")
	return exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(dir, "profile")}, args...)...)
}
