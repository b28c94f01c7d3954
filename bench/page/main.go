// Command page measures the page that "cairn report --format html" makes of real records. It runs a command at
// the commits of a clone of each repository, as many times as asked, the oldest first, and loads the page in
// headless Chromium: how long until it can be used, and how many clicks a stranger needs from it to
// since when a test fails and what it printed.
//
//	go -C bench run ./page -runs 1000 -repo DIR -run 'go test ./...'
//	go -C bench run ./page -runs 1000 -projects -dir DIR -shots DIR
//
// With -projects it fetches three published projects from their registries and gives them a history of mistakes and repairs.
// Each repository is cloned, and nothing is written to it. Commits at which the command cannot run are runs like any other.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	repo := flag.String("repo", "", "`DIRECTORY` of a git repository")
	runs := flag.Int("runs", 1000, "`NUMBER` of runs; where there are fewer commits, the newest is run again")
	line := flag.String("run", "", "the command, a shell `LINE`")
	cairn := flag.String("cairn", "cairn", "`PROGRAM` that is measured")
	record := flag.Bool("record", true, "make the runs; without, -repo has a record")
	all := flag.Bool("projects", false, "measure three published projects, which are fetched and given a history; without -repo")
	dir := flag.String("dir", "", "with -projects: keep them in this `DIRECTORY`, and take those that are there as they are")
	shots := flag.String("shots", "", "take pictures of the page at 1280 and 400 pixels into this `DIRECTORY`")
	keep := flag.String("keep", "", "write the page to this `FILE`, too")
	flag.Parse()
	o := options{repo: *repo, line: *line, cairn: *cairn, keep: *keep, shots: *shots, runs: *runs, record: *record, dir: *dir, name: filepath.Base(strings.TrimSuffix(*repo, "/repo"))}
	do := measure
	if *all {
		do = measureProjects
	}
	if err := do(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

type options struct {
	repo, line, cairn, keep, shots, dir, name string
	runs                                      int
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
	page, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("making the page: %w", err)
	}
	if o.keep != "" {
		if err := os.WriteFile(o.keep, page, 0o644); err != nil {
			return err
		}
	}
	if o.shots != "" {
		if err := pictures(ctx, dir, o.shots, o.name, page); err != nil {
			return err
		}
	}
	found, err := load(ctx, dir, string(page))
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d runs, %d outcomes of tests, %d bytes: drawn %.0f ms after the page began to load; %s\n", o.name, found.Runs, found.Outcomes, len(page), found.Drawn, found.Way)
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

// measured is what the script in the page finds.
type measured struct {
	Runs, Outcomes int
	Drawn          float64 // milliseconds
	Way            string
}

// walk is what a stranger does: a click on a test that fails, or on "tests" and then the first one; then on the run since
// which it fails.
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

// widths are those of a desk and of a telephone.
var widths = []int{1280, 400}

// pictures takes the views that a person comes to first.
func pictures(ctx context.Context, dir, to, name string, page []byte) error {
	file := filepath.Join(dir, "shown.html")
	if err := errors.Join(os.MkdirAll(to, 0o755), os.WriteFile(file, page, 0o644)); err != nil {
		return err
	}
	for _, view := range []string{"now", "tests", "test/0", "trends"} {
		for _, width := range widths {
			picture := filepath.Join(to, fmt.Sprintf("%s-%s-%d.png", name, strings.ReplaceAll(view, "/", ""), width))
			cmd := browse(ctx, dir, fmt.Sprintf("--window-size=%d,900", width), "--hide-scrollbars", "--screenshot="+picture, "file://"+file+"#"+view)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("taking %s: %w\n%s", picture, err, out)
			}
		}
	}
	return nil
}

// browse is a browser without a window.
func browse(ctx context.Context, dir string, args ...string) *exec.Cmd {
	browser := cmp.Or(os.Getenv("CHROMIUM"), "chromium")
	return exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(dir, "profile")}, args...)...)
}
