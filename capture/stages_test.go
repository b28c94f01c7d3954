//go:build unix

package capture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cairn/capture/stage/wire"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// stager builds cairn-stage, once.
var stager = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "stager")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, wire.Program)
	out, err := exec.Command("go", "build", "-o", path, "cairn/cmd/cairn-stage").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("building cairn-stage: %w\n%s", err, out)
	}
	return path, err
})

// bashLine is a line for bash, in a directory of no repository, whose commands are known one by one.
func bashLine(t *testing.T, line string) Options {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	program, err := stager()
	if err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("PATH")
	dir := nowhere(t)
	t.Setenv("PATH", path)
	o := options(dir, bash, "-c", line)
	o.Line, o.Stager = line, program
	return o
}

// bytesOf are those of a stage, from the store.
func bytesOf(t *testing.T, out *Outcome, n int) string {
	t.Helper()
	rec := out.Record.Stage(n)
	if rec == nil || rec.Raw == nil {
		t.Fatalf("stage %d has no bytes: %s", n, mustJSON(out.Record.Stages))
	}
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := out.Site().Objects.ReadAll(id)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const failedTest = `.F.                                                                      [100%]
=================================== FAILURES ===================================
__________________________________ test_seven __________________________________

    def test_seven():
>       assert 7 != 7, "boom seven"
E       AssertionError: boom seven
E       assert 7 != 7

test_a.py:3: AssertionError
=========================== short test summary info ============================
FAILED test_a.py::test_seven - AssertionError: boom seven
1 failed, 2 passed in 0.48s
`

// program writes one that prints text and exits.
func program(t *testing.T, dir, name, text string, status int) {
	t.Helper()
	script := fmt.Sprintf("#!/bin/sh\ncat <<'END'\n%sEND\nexit %d\n", text, status)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// A command with a slash in its name is known as well, and what the shell says of its end is what it says without cairn.
func TestStagesByPath(t *testing.T) {
	o := bashLine(t, "set -o pipefail; cd bin && ./pytest -q | tail -1; ./crash a  'b'; echo $?")
	if err := os.Mkdir(filepath.Join(o.Command.Dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(o.Command.Dir, "bin"), "pytest", failedTest, 1)
	if err := os.WriteFile(filepath.Join(o.Command.Dir, "bin", "crash"), []byte("#!/bin/sh\nkill -SEGV $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	bare := exec.Command(o.Command.Argv[0], o.Command.Argv[1:]...)
	bare.Dir = o.Command.Dir
	want, err := bare.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	pid := regexp.MustCompile(` [0-9]+ `)
	lines := func(text []byte) []string { // of two streams, in the order of the alphabet
		return slices.Sorted(strings.Lines(pid.ReplaceAllString(string(text), " PID ")))
	}
	if out.Trouble != nil || !slices.Equal(lines(out.Raw), lines(want)) {
		t.Fatalf("%v: %s\nwant %s", out.Trouble, out.Raw, want)
	}
	if got := bytesOf(t, out, 1); got != failedTest {
		t.Errorf("kept: %q", got)
	}
	if st := out.Record.Stage(1); st.Tool != "pytest" || st.Argv[0] != "./pytest" {
		t.Errorf("the stage is %s", mustJSON(st))
	}
	if st := out.Record.Stage(2); st == nil || st.Signal != "SIGSEGV" || out.Result.Status != result.Failed {
		t.Errorf("the stages are %s, the status %s", mustJSON(out.Record.Stages), out.Result.Status)
	}
}

// A terminal behind the pipe changes nothing of what is before it; what draws on the terminal is left alone.
func TestStagesOnTerminal(t *testing.T) {
	o := bashLine(t, "pytest -q | tail -1; test -t 1 && echo terminal")
	program(t, o.Command.Dir, "pytest", failedTest, 1)
	o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
	o.Command.TTY = true
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	if out.Trouble != nil || out.Status != 0 || string(out.Raw) != "1 failed, 2 passed in 0.48s\r\nterminal\r\n" {
		t.Fatalf("status %d, %v: %q", out.Status, out.Trouble, out.Raw)
	}
	if got := bytesOf(t, out, 1); got != failedTest {
		t.Errorf("kept: %q", got)
	}
	if !strings.Contains(out.Hidden, "boom seven") {
		t.Errorf("hidden: %q", out.Hidden)
	}
}

// What the reader of a pipe has cut off is kept, understood, and told.
func TestStages(t *testing.T) {
	o := bashLine(t, "pytest -q | tail -1")
	program(t, o.Command.Dir, "pytest", failedTest, 1)
	o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	if out.Trouble != nil || out.Status != 0 || string(out.Raw) != "1 failed, 2 passed in 0.48s\n" {
		t.Fatalf("status %d, %v: %q", out.Status, out.Trouble, out.Raw)
	}
	st := out.Record.Stage(1)
	if st == nil || st.Tool != "pytest" || st.Status != result.Failed || *st.Exit != 1 || out.Record.Stages.List[0].Before != "tail" {
		t.Fatalf("%s", mustJSON(out.Record.Stages))
	}
	if got := bytesOf(t, out, 1); got != failedTest {
		t.Errorf("kept: %q", got)
	}
	if r, err := Parse(out.Site(), st); err != nil || r.Findings[0].ID != "test_a.py::test_seven" {
		t.Errorf("parsed again: %v: %s", err, mustJSON(r))
	}
	if want := "[pytest, before tail: 1 failed, 2 passed: cairn recall object " + out.Record.ID + " --stage 1]\n"; !strings.HasPrefix(out.Hidden, want) {
		t.Errorf("hidden: %q, want %q first", out.Hidden, want)
	}
}

// An exit status that the line throws away is heeded where it is a verdict, and not where it is an answer.
func TestSwallowed(t *testing.T) {
	for line, want := range map[string]string{
		"pytest -q -s || true":    "pytest exited 3",
		"pytest -q -s; echo done": "pytest exited 3",
		"pytest -q -s & wait":     "pytest exited 3",
		"pytest -q || { sed -i 's/exit 3/exit 0/' pytest; pytest -q; }":     "",
		"pytest -q || { cp pytest.sh pytest; A=1 pytest -q; } || true":      "pytest exited 3",
		"pytest -q || { sed -i 's/exit 3/exit 0/' pytest; A=1 pytest -q; }": "pytest exited 3",
		"pytest >/dev/null | cat":          "pytest exited 3",
		"grep -q x /dev/null || true":      "",
		"false || true":                    "",
		"sh -c 'kill -SEGV $$'; :":         "sh was ended by SIGSEGV",
		"sh -c 'exit 3'; true":             "",
		"timeout 9 sh pytest.sh | tail -1": "timeout exited 4",
		"./pytest.sh | tail -1":            "pytest.sh exited 4",
		"python3.9 -m zipfile x | tail -1": "python3.9 exited 1",
		"diff /dev/null ./pytest | cat":    "",
		"sh -c 'yes' | head -1":            "",
		"npm run nope 2>/dev/null | cat":   "npm exited 254",
		"yes | head -1":                    "",
		"gcc -c a.c |& head -1":            "gcc says 1 error",
		"timeout 0.1 sleep 9 || true":      "",
	} {
		o := bashLine(t, line)
		program(t, o.Command.Dir, "pytest", "2 passed in 0.10s\n", 3)
		program(t, o.Command.Dir, "pytest.sh", "all done\n", 4)
		program(t, o.Command.Dir, "npm", "", 254)
		program(t, o.Command.Dir, "python3.9", "", 1)
		program(t, o.Command.Dir, "gcc", "a.c: In function ‘main’:\na.c:1:2: error: y undeclared\n"+strings.Repeat("a.c:1:2: note: declared here\n", 20000), 1)
		o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
		out := Run(t.Context(), o)
		if out.Swallowed() != want || (want != "") == (out.Result.Status == result.OK || out.Result.Status == result.Passed) || out.Status != 0 {
			t.Errorf("%s: got %q, %s, exit %d; want %q", line, out.Swallowed(), out.Result.Status, out.Status, want)
		}
		out.CatchUp(t.Context())
	}
}

// A script that swallows a failure is not run again by "x || x"; one that was seen to fail is, and passed if it then exits with 0.
func TestRetriedScript(t *testing.T) {
	for line, want := range map[string]result.Status{
		"sh swallows.sh || sh swallows.sh":                               result.Failed,
		"sh flaky.sh || sh flaky.sh":                                     result.Passed,
		"for f in $(echo flaky.sh swallows.sh); do sh $f && break; done": result.Failed,
	} {
		o := bashLine(t, line)
		program(t, o.Command.Dir, "swallows.sh", failedTest, 0)
		program(t, o.Command.Dir, "flaky.sh", failedTest+"END\nprintf 'cat <<E\\n3 passed in 0.10s\\nE\\n' > flaky.sh; cat <<'END'\n", 1)
		out := Run(t.Context(), o)
		again, err := Parse(out.Site(), out.Record)
		if err != nil || out.Result.Status != want || again.Status != want || out.Status != 0 {
			t.Errorf("%s: got %s, parsed again %v, %v, exit %d; want %s", line, out.Result.Status, again, err, out.Status, want)
		}
		out.CatchUp(t.Context())
	}
}

// What another program prints before a script that runs the tests was asked for as well; how a script ended is said where the line leaves it out.
func TestBesideScript(t *testing.T) {
	o := bashLine(t, "node gen.js; npm test || echo bad")
	program(t, o.Command.Dir, "node", "node made 3 files\n", 0)
	program(t, o.Command.Dir, "npm", failedTest, 1)
	o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	if !strings.HasPrefix(out.Result.Body, "node made 3 files") || out.Result.Status != result.Failed {
		t.Errorf("%s: %q", out.Result.Status, out.Result.Body)
	}
	quiet := bashLine(t, "npm run lint || echo bad")
	quiet.Command.Env = append(quiet.Command.Env, "PATH="+quiet.Command.Dir+":"+os.Getenv("PATH"))
	program(t, quiet.Command.Dir, "npm", "", 1)
	said := Run(t.Context(), quiet)
	defer said.CatchUp(t.Context())
	if said.Result.Extra["swallowed"] != "npm exited 1" {
		t.Errorf("%v", said.Result.Extra)
	}
}

// How a command ended whose reader had left is recorded as it was, nothing is made of it, and the caller knows that.
func TestReaderLeft(t *testing.T) {
	o := bashLine(t, "pytest -v | head -1; echo ${PIPESTATUS[0]}")
	script := "#!/bin/sh\ntrap '' PIPE\ncat '" + o.Command.Dir + "/out' 2>/dev/null\nexit 1\n"
	long := "============================= test session starts ==============================\n" + strings.Repeat("test_a.py::test_x PASSED [  1%]\n", 20000)
	for name, text := range map[string]string{"pytest": script, "out": long} {
		if err := os.WriteFile(filepath.Join(o.Command.Dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	st := out.Record.Stage(1)
	if !strings.HasSuffix(string(out.Raw), "\n1\n") || st == nil || st.Exit == nil || *st.Exit != 1 || st.Status != result.Unknown {
		t.Fatalf("%q: %s", out.Raw, mustJSON(out.Record.Stages))
	}
	if r, err := Parse(out.Site(), st); err != nil || r.Status != result.Unknown {
		t.Errorf("parsed again: %v: %s", err, mustJSON(r))
	}
	if want := "[pytest, before head: had not printed all when head stopped reading, so whether it passed is not known: cairn recall object "; !strings.HasPrefix(out.Hidden, want) {
		t.Errorf("hidden: %q, want %q first", out.Hidden, want)
	}
	alone := bashLine(t, "pytest -v | head -1")
	alone.Command.Dir, alone.Command.Env = o.Command.Dir, o.Command.Env
	unheard := Run(t.Context(), alone)
	defer unheard.CatchUp(t.Context())
	if unheard.Result.Status != result.Unknown {
		t.Errorf("%s, though it is not known whether it passed", unheard.Result.Status)
	}
}

func TestUnreadLine(t *testing.T) {
	o := bashLine(t, "for x in; do")
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	line, err := out.Record.Encode()
	if err != nil || out.Status != 2 || !strings.Contains(string(line), `"stages":"unread"`) || !strings.Contains(string(out.Raw), "syntax error") {
		t.Errorf("status %d, %v: %s", out.Status, err, line)
	}
	again, err := manifest.Decode(line)
	if err != nil || !again.Stages.Unread || again.Stage(1) != nil {
		t.Errorf("%v: %+v", err, again)
	}
}

// Where nothing can be kept the line does what it would have done, and that is said once.
func TestStagesOfAFullStore(t *testing.T) {
	const line = "seq 100000 | tail -1; seq 3 | cat; echo ${PIPESTATUS[@]}"
	o := bashLine(t, line)
	o.hurt = func(b *backend) {
		b.receive = func(string) (incoming, error) {
			return nil, &os.PathError{Op: "open", Path: "spool", Err: syscall.ENOSPC}
		}
	}
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	if string(out.Raw) != "100000\n1\n2\n3\n0 0\n" || out.Status != 0 {
		t.Errorf("status %d: %q", out.Status, out.Raw)
	}
	if out.Trouble == nil || strings.Count(out.Trouble.Error(), "no space left") != 1 {
		t.Errorf("trouble: %v", out.Trouble)
	}
}

// What the shell expands into the words of a stage is not in the line, and redacted all the same.
func TestStagesAreRedacted(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	o := bashLine(t, fmt.Sprintf(`X=%s; mkdir "d-${X}%s"; cd d*; flake8 "http://u:${X}%[2]s@h/" f | head -0; mkfifo f; ${X} | cat`, secret[:12], secret[12:]))
	program(t, o.Command.Dir, "flake8", "a.py:1:1: E999 token "+secret+" is wrong\n", 1)
	o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
	out := Run(t.Context(), o)
	defer out.CatchUp(t.Context())
	line, err := out.Record.Encode()
	if err != nil || out.Record.Stage(1) == nil || out.Trouble != nil {
		t.Fatalf("%v, %v: %s", err, out.Trouble, line)
	}
	if text := string(line) + out.Hidden; strings.Contains(text, secret) {
		t.Errorf("it leaks: %s", text)
	}
	if len(out.Record.Redacted) == 0 {
		t.Errorf("nothing was redacted: %s", line)
	}
}

// What a command had printed behind a pipe is kept when this process is killed.
func TestStagesAfterKill(t *testing.T) {
	program, err := stager()
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := repository(t)
	cmd := part(t, dir, "capture", []string{"STAGER=" + program}, bash, "-c", "sh -c 'echo one; echo two; exec sleep 20' | cat >got")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if got, _ := os.ReadFile(filepath.Join(dir, "got")); string(got) == "one\ntwo\n" {
			break // its reader has it, so it is kept
		}
		time.Sleep(5 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if out, err := part(t, dir, "catch-up", nil).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for rec, err := range s.Manifest.Records(t.Context(), manifest.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		st := rec.Stage(1)
		if st == nil || st.Raw == nil || !st.Partial || st.Argv[0] != "sh" || rec.Stages.List[0].Before != "cat" {
			t.Fatalf("%s", mustJSON(rec.Stages))
		}
		id, err := objects.ParseID(st.Raw.OID)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := s.Objects.ReadAll(id); err != nil || string(text) != "one\ntwo\n" {
			t.Errorf("%v: %q", err, text)
		}
		return
	}
	t.Error("nothing is recorded")
}

// Killed at any step from where the journal holds all, a line is recorded once and whole, with its stages.
func TestStagesKilledAnywhere(t *testing.T) {
	program, err := stager()
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	t.Setenv("LATER", "nobody")
	t.Setenv("STAGER", program)
	const line = "seq 3 | sort -r | tail -1"
	steps := die(t, repository(t), "capture", "", bash, "-c", line)
	from := slices.Index(steps, "sync#1:before")
	if from < 0 || len(steps)-from < 8 {
		t.Fatalf("steps: %q", steps)
	}
	for _, step := range steps[from:] {
		t.Run(step, func(t *testing.T) {
			dir := repository(t)
			die(t, dir, "capture", step, bash, "-c", line)
			for range 2 {
				caughtUp(t, dir)
			}
			s := site(t, dir)
			all := records(t, s)
			if len(all) != 1 || all[0].Stage(2) == nil || all[0].Stage(3) != nil {
				t.Fatalf("%s", mustJSON(all))
			}
			for n, want := range map[int]string{1: "1\n2\n3\n", 2: "3\n2\n1\n"} {
				id, err := objects.ParseID(all[0].Stage(n).Raw.OID)
				must(t, err)
				if text, err := s.Objects.ReadAll(id); err != nil || string(text) != want {
					t.Errorf("stage %d: %v: %q", n, err, text)
				}
			}
			if left, err := s.Objects.Abandoned(); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// A directory outside of the root is never recorded as one inside, and a root that is named by a link holds what is in it.
func TestRelTo(t *testing.T) {
	root, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{real: ".", filepath.Join(real, "sub"): "sub", filepath.Join(filepath.Dir(real), "other"): "../other"} {
		if got := relTo(link, dir); got != want {
			t.Errorf("%s below %s: %q, want %q", dir, link, got, want)
		}
	}
}

// TestShowsWhy: the end of an output that lists the names of failed tests does not say why they failed.
func TestShowsWhy(t *testing.T) {
	f := result.Finding{Name: "total_of_two", Message: "assertion `left == right` failed: sum\nleft: 1"}
	for text, want := range map[string][2]bool{
		"failures:\n    total_of_two\n":                               {true, false},
		"total_of_two\nassertion `left == right` failed: sum":         {true, true},
		"total_of_two\nassertion `left == right`\n    failed: reflow": {true, true},
		"test result: FAILED":                                         {false, false},
	} {
		if got := [2]bool{shows(text, f, 1, false), shows(text, f, 1, true)}; got != want {
			t.Errorf("%q: whole and cut %v, want %v", text, got, want)
		}
	}
	if shows("expect(received).toBe(expected)", result.Finding{Name: "case 3", Message: "expect(received).toBe(expected)"}, 2, true) {
		t.Error("two failed with the same message, and it was printed once")
	}
	if f.Message = "failed without saying why"; !shows("total_of_two", f, 1, true) {
		t.Error("of a failure without a reason, the name is all that there is")
	}
}

// TestChecks: of which commands without a parser is the status a verdict?
func TestChecks(t *testing.T) {
	for line, want := range map[string]bool{
		"npm run lint": true, "/usr/bin/rake x": true, "php -l a.php": true, "ruby -c a.rb": true, "bash -n a.sh": true,
		"php a.php": false, "node -e 1": false, "bash a.sh": false, "sh": false, "python -c 1": false, "": false,
	} {
		if got := checks(strings.Fields(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
