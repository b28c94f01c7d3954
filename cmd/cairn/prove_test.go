package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/prove"
)

// pytest prints what pytest prints, of files with a test a line: "def test_a(): pass", fail or
// skip. It knows -k, and heeds pytest.ini, conftest.py and PYTEST_ADDOPTS as far as these tests
// need it.
const pytest = `#!/bin/sh
only=
case "$(cat pytest.ini 2>/dev/null) $PYTEST_ADDOPTS" in *-k\ *) only=$(cat pytest.ini 2>/dev/null | sed -n 's/.*-k //p'); only=${only:-${PYTEST_ADDOPTS#-k }};; esac
files=
while [ $# -gt 0 ]; do
  case $1 in
  -k) only=$2; shift;;
  -v) verbose=1; echo "============================= test session starts =============================="; echo "collected $(cat test_*.py | grep -c def) items"; echo;;
  --junitxml=*) [ -e no-report ] || echo '<testsuites><testsuite name="pytest" tests="1" failures="0" errors="0" skipped="0"><testcase classname="test_a" name="test_one" time="0.1"/></testsuite></testsuites>' >"${1#--junitxml=}";;
  test_*) files="$files $1";;
  esac
  shift
done
sleep 0.3 # the tree is read meanwhile
grep -q exit conftest.py 2>/dev/null && exit 0
[ -e slow ] && sleep "$(cat slow)"
[ -e kill ] && kill -9 $$
[ -e "$FLAKY" ] && { rm -f "$FLAKY"; broken=1; }
cat ${files:-test_*.py} | grep "${only:-def}" | awk -v broken="$broken" -v verbose="$verbose" '
  verbose { printf "test_a.py::%s %s [ 33%%]\n", substr($2, 1, length($2) - 3), /skip/ ? "SKIPPED" : /fail/ ? "FAILED" : "PASSED" }
  /skip/ { s++; next }
  /fail/ || broken { f++; failed = failed "FAILED test_a.py::" substr($2, 1, length($2) - 3) " - assert 1 == 2\n"; next }
  { p++ }
  END {
    if (f) printf "=================================== FAILURES ===================================\n=========================== short test summary info ============================\n%s", failed
    text = ""
    if (f) text = f " failed"
    if (p) text = text (text ? ", " : "") p " passed"
    if (s) text = text (text ? ", " : "") s " skipped"
    if (text == "") { print "no tests ran in 0.01s"; exit 5 }
    text = text " in 0.01s"
    if (verbose) {
      fill = substr("========================================", 1, int((78 - length(text)) / 2))
      text = "\n" fill " " text " " fill (length(text) % 2 ? "=" : "")
    }
    print text
    exit f ? 1 : 0
  }'
`

// session is what somebody did before the question, and the true word for it.
type session struct {
	name string
	line string // for sh, in a repository in which the check "unit", pytest -q, passed on the branch main
	ask  string // arguments of cairn prove
	is   prove.State
	why  string // a reason that has to be given
}

// sessions begin on the branch work, right after main was checked in and tested.
var sessions = []session{
	{"honest", `edit; run`, "", prove.Proven, ""},
	{"untouched", ``, "", prove.Proven, ""},
	{"never ran", `edit`, "", prove.Stale, prove.WhyChanged},
	{"another check that never ran", `printf '[[check]]\nname = "unit"\ncommand = "ruff check ."\n' >.cairn/checks.toml`, "", prove.Missing, prove.WhyNotRun},
	{"edited after the run", `edit; run; edit`, "", prove.Stale, prove.WhyChanged},
	{"edited outside of what it answers for", `edit; run; echo more >README`, "", prove.Proven, ""},
	{"a test that git does not know, after the run", `edit; run; echo 'def test_new(): fail' >test_new.py`, "", prove.Stale, prove.WhyChanged},
	{"a file removed after the run", `echo 'def test_new(): pass' >test_new.py; run; rm test_new.py; echo '#' >>lib.py`, "", prove.Stale, prove.WhyChanged},
	{"edited back to what was tested", `edit; run; cp lib.py x; edit; mv x lib.py`, "", prove.Proven, ""},
	{"it failed", `edit; break_it; run`, "", prove.Failed, prove.WhyFailed},
	{"it failed, then was repaired and not run", `edit; break_it; run; repair`, "", prove.Missing, prove.WhyChanged},
	{"it failed, then was repaired and run", `edit; break_it; run; repair; run`, "", prove.Proven, ""},
	{"red, then green on the same tree", `edit; touch ../once; FLAKY=../once run; run`, "", prove.Weakened, prove.WhyRetried},
	{"green, then red on the same tree", `edit; run; touch ../once; FLAKY=../once run`, "", prove.Failed, prove.WhyFailed},
	{"run in another worktree, with other files", `git worktree add -q ../other; (cd ../other; edit; edit; run); edit`, "", prove.Stale, prove.WhyChanged},
	{"run in another worktree, with equal files", `git worktree add -q ../other; (cd ../other; edit; run); edit`, "", prove.Proven, ""},
	{"a record from another repository", `edit; foreign; cat ../foreign.jsonl >>"$(shard)"`, "", prove.Stale, prove.WhyChanged},
	{"such a record, retouched to this tree", `edit; foreign; sed 's/"worktree":"[0-9a-f]*"/"worktree":"'$(tree)'"/' ../foreign.jsonl >>"$(shard)"`, "", prove.Weakened, prove.WhyNotKept},
	{"output of echo", `edit; cap -- echo '3 passed in 0.01s'`, "", prove.Stale, prove.WhyChanged},
	{"output that was handed in", `edit; echo '3 passed in 0.01s' | cairn capture put --exit 0 - -- pytest -q`, "", prove.Stale, prove.WhyChanged},
	{"a stand-in first on the search path", `edit; mkdir ../bin2; printf '#!/bin/sh\nsleep 0.3\necho 3 passed in 0.01s\n' >../bin2/pytest; chmod +x ../bin2/pytest; PATH=$PWD/../bin2:$PATH run`, "", prove.Weakened, prove.WhyEnvironment},
	{"another search path at the base, where it did not work", `git checkout -q -b other; git commit -q --allow-empty -m two; mkdir ../bin2; printf '#!/bin/sh\nsleep 0.3; echo usage: pytest; exit 4\n' >../bin2/pytest; chmod +x ../bin2/pytest; PATH=$PWD/../bin2:$PATH run; edit; run`, "--base HEAD", prove.Proven, ""},
	{"a function of the name", `edit; cap --shell 'pytest() { echo 3 passed in 0.01s; }; pytest -q'`, "", prove.Weakened, ""},
	{"a search path of the line's own", `edit; cap --shell 'PATH=$PWD:$PATH pytest -q'`, "", prove.Weakened, prove.WhyLine},
	{"options of the line's own", `edit; cap --shell 'PYTEST_ADDOPTS="-k test_one" pytest -q'`, "", prove.Weakened, prove.WhyLine},
	{"options of the environment", `edit; PYTEST_ADDOPTS='-k test_one' run`, "", prove.Weakened, prove.WhyEnvironment},
	{"a report that was there before", `declare 'pytest -q --junitxml=r.xml'; echo '<testsuite tests="9"><testcase name="x"/></testsuite>' >r.xml; touch no-report; cap -- pytest -q --junitxml=r.xml`, "", prove.Weakened, prove.WhyReport},
	{"a test deleted", `edit; sed -i.bak 1d test_a.py; rm test_a.py.bak; run`, "", prove.Weakened, prove.WhyGone},
	{"a test skipped", `edit; sed 's/test_two(): pass/test_two(): skip/' test_a.py >x; mv x test_a.py; run`, "", prove.Weakened, prove.WhySkipped},
	{"a test put in the place of another", `declare 'pytest -v'; git add -A; git commit -qm two; cap -- pytest -v; sed 's/test_one/test_easier/' test_a.py >x; mv x test_a.py; cap -- pytest -v`, "--base HEAD", prove.Weakened, prove.WhyGone},
	{"one test skipped and another one no longer", `declare 'pytest -v'; sed 's/test_one(): pass/test_one(): skip/' test_a.py >x; mv x test_a.py; git add -A; git commit -qm two; cap -- pytest -v; sed 's/test_one(): skip/test_one(): pass/; s/test_two(): pass/test_two(): skip/' test_a.py >x; mv x test_a.py; cap -- pytest -v`, "--base HEAD", prove.Weakened, prove.WhySkipped},
	{"all tests skipped", `edit; sed 's/pass/skip/' test_a.py >x; mv x test_a.py; run`, "", prove.Weakened, prove.WhyEarly},
	{"a selection", `edit; cap -- pytest -q -k test_one`, "", prove.Weakened, prove.WhyNarrower},
	{"one file", `edit; cap -- pytest -q test_a.py`, "", prove.Weakened, prove.WhyNarrower},
	{"a selection that failed", `edit; break_it; cap -- pytest -q -k test_two`, "", prove.Failed, prove.WhyNarrower},
	{"|| true behind a failure", `edit; break_it; cap --shell 'pytest -q || true'`, "", prove.Failed, prove.WhyFailed},
	{"|| true behind a success, whose own status is known", `edit; cap --shell 'pytest -q || true'`, "", prove.Proven, ""},
	{"|| true, where only the line's status is known", `edit; cap -- sh -c 'hash; pytest -q || true'`, "", prove.Weakened, prove.WhySwallowed},
	{"a pipe, where only the line's status is known", `edit; cap -- sh -c 'hash; pytest -q | tail -1'`, "", prove.Weakened, prove.WhySwallowed},
	{"|| true behind a failure, in a line that is handed to a shell", `edit; break_it; cap -- bash -c 'pytest -q || true'`, "", prove.Failed, prove.WhyFailed},
	{"a pipe, in a line that is handed to a shell", `edit; cap -- bash -c 'pytest -q | tail -1'`, "", prove.Proven, ""},
	{"a pipe, of which the command's own status is known", `edit; cap --shell 'pytest -q 2>&1 | tail -1'`, "", prove.Proven, ""},
	{"one of several commands that all passed", `edit; cap -- sh -c 'pytest -q && ls'`, "", prove.Proven, ""},
	{"one of several commands, in another folder", `edit; mkdir sub; cp test_a.py sub; cap -- sh -c 'cd sub && pytest -q'`, "", prove.Weakened, prove.WhyNarrower},
	{"the folder named before it", `edit; cap --shell 'cd . && pytest -q'`, "", prove.Proven, ""},
	{"the root named before it", `edit; cap --shell "cd $PWD && pytest -q"`, "", prove.Proven, ""},
	{"the root in quotes, handed to a shell", `edit; cap -- sh -c "cd '$PWD/' && pytest -q"`, "", prove.Proven, ""},
	{"the root named in another worktree with equal files", `git worktree add -q ../other; (cd ../other; edit; cap --shell "cd $PWD && pytest -q"); edit`, "", prove.Proven, ""},
	{"a folder named before it that is not the check's", `edit; mkdir sub; cp test_a.py sub; cap --shell "cd $PWD/sub && pytest -q"`, "", prove.Weakened, prove.WhyNarrower},
	{"both streams in one", `edit; cap --shell 'pytest -q 2>&1'`, "", prove.Proven, ""},
	{"both streams in one, in the root", `edit; cap --shell "cd $PWD && pytest -q 2>&1"`, "", prove.Proven, ""},
	{"both streams in one, then another command", `edit; cap --shell "cd $PWD && pytest -q 2>&1; ls"`, "", prove.Proven, ""},
	{"both streams in one, then thrown away", `edit; cap --shell 'pytest -q >/dev/null 2>&1'`, "", prove.Weakened, prove.WhyNotKept},
	{"a folder outside named before it", `edit; mkdir ../passes; cp test_a.py ../passes; cap --shell "cd ${PWD%/*}/passes && pytest -q"`, "", prove.Weakened, prove.WhyNarrower},
	{"another worktree, from one with these files", `git worktree add -q ../other; sed 's/test_two(): pass/test_two(): fail/' test_a.py >x; mv x test_a.py; d=$PWD; cp test_a.py ../other; cp test_a.py ../broken; git checkout -q test_a.py; (cd ../other; cap --shell "cd $d && pytest -q"); cp ../broken test_a.py`, "", prove.Weakened, prove.WhyNarrower},
	{"another folder, before a pipe", `edit; break_it; mkdir ../passes; git show HEAD:test_a.py >../passes/test_a.py; cap --shell 'cd ../passes && pytest -q | tail -1'`, "", prove.Weakened, prove.WhySwallowed},
	{"the folder of the check named before it", `mkdir sub; cp test_a.py sub; declare 'pytest -q'; echo 'dir = "sub"' >>.cairn/checks.toml; git add -A; git commit -qm two; cap -- sh -c 'cd ./sub && pytest -q'`, "--base HEAD", prove.Proven, ""},
	{"that folder left again", `mkdir sub; cp test_a.py sub; edit; cap --shell 'cd . && cd sub && pytest -q'`, "", prove.Weakened, prove.WhyNarrower},
	{"output that went elsewhere", `edit; cap --shell 'pytest -q >/dev/null'`, "", prove.Weakened, prove.WhyNotKept},
	{"a pipe whose reader left", `edit; printf '#!/bin/sh\ntrap "" PIPE\nsleep 0.3\nyes . 2>/dev/null | head -c 300000 2>/dev/null\nexit 1\n' >../bin/pytest; cap --shell 'pytest -q | head -1'`, "", prove.Weakened, prove.WhyEarly},
	{"such a pipe after the honest run", `edit; run; printf '#!/bin/sh\ntrap "" PIPE\nyes . 2>/dev/null | head -c 300000 2>/dev/null\nexit 1\n' >../bin/pytest; cap --shell 'pytest -q | head -1'`, "", prove.Proven, ""},
	{"another file of the name", `edit; mkdir ../bin2; cp ../bin/pytest ../bin2; cap -- ../bin2/pytest -q`, "", prove.Weakened, prove.WhyProgram},
	{"red, then green after a change of what it does not answer for", `edit; touch ../once; FLAKY=../once run; echo more >README; run`, "", prove.Weakened, prove.WhyRetried},
	{"a check that throws its status away", `declare 'pytest -q || true'; cap --shell 'pytest -q || true'`, "", prove.Weakened, prove.WhySwallowed},
	{"a check that throws another command's status away", `declare 'ls nothing; pytest -q'; cap --shell 'ls nothing; pytest -q'`, "", prove.Weakened, prove.WhySwallowed},
	{"a check that goes on by another command's status", `declare 'ls nothing || pytest -q'; git add -A; git commit -qm two; cap --shell 'ls nothing || pytest -q'`, "--base HEAD", prove.Proven, ""},
	{"a check of several tools", `declare 'ruff check . && pytest -q'; printf '#!/bin/sh\necho "All checks passed!"\n' >../bin/ruff; chmod +x ../bin/ruff; git add -A; git commit -qm two; cap --shell 'ruff check . && pytest -q'`, "--base HEAD", prove.Proven, ""},
	{"exit 0 in conftest", `edit; echo 'import os; os._exit(0) # exit' >conftest.py; run`, "", prove.Weakened, prove.WhyConfig},
	{"fewer tests by configuration", `edit; printf '[pytest]\naddopts = -k test_one\n' >pytest.ini; run`, "", prove.Weakened, prove.WhyConfig},
	{"snapshots written anew", `edit; mkdir -p __snapshots__; echo new >__snapshots__/a.snap; run`, "", prove.Weakened, prove.WhySnapshots},
	{"a timeout raised until it passed", `edit; echo 5 >../slow; ln -s ../slow slow; cap --timeout 500ms -- pytest -q; echo 0 >../slow; run`, "", prove.Weakened, prove.WhyRetried},
	{"killed", `edit; touch kill; run`, "", prove.Failed, prove.WhyFailed},
	{"the declaration narrowed in the same change", `edit; declare 'pytest -q -k test_one'; cap -- pytest -q -k test_one`, "", prove.Weakened, prove.WhyChecks},
	{"the declaration removed in the same change", `edit; printf '' >.cairn/checks.toml; run`, "", prove.Weakened, prove.WhyChecks},
	{"what it answers for narrowed in the same change", `edit; sed 's/\*.py/*.txt/' .cairn/checks.toml >x; mv x .cairn/checks.toml; run`, "", prove.Weakened, prove.WhyChecks},
	{"a record from the future", `edit; run; edit; s=$(shard); tail -1 "$s" | sed 's/"time":"20/"time":"21/; s/"id":"01/"id":"02/; s/"worktree":"[0-9a-f]*"/"worktree":"'$(tree)'"/' >>"$s"`, "", prove.Weakened, prove.WhyClock},
	{"committed after the run", `edit; run; git add -A; git commit -qm two`, "HEAD", prove.Proven, ""},
	{"amended, with the same tree", `edit; git add -A; git commit -qm two; run; git commit -q --amend -m three`, "HEAD", prove.Proven, ""},
	{"amended, with another tree", `edit; git add -A; git commit -qm two; run; edit; git commit -qa --amend -m three`, "HEAD", prove.Stale, prove.WhyChanged},
	{"amended, where the commit itself is asked for", `edit; echo 'fresh = "commit"' >>.cairn/checks.toml; git add -A; git commit -qm two; run; git commit -q --amend -m three`, "HEAD", prove.Stale, prove.WhyCommit},
	{"a commit other than the files here", `edit; git add -A; git commit -qm two; edit; run`, "HEAD", prove.Stale, prove.WhyChanged},
	{"a range whose change deletes a test", `sed 1d test_a.py >x; mv x test_a.py; git add -A; git commit -qm two; run`, "main..HEAD", prove.Weakened, prove.WhyGone},
	{"another target of make, which failed", `makes; cap -- make test; cap -- make lint`, "--base HEAD", prove.Proven, ""},
	{"the same target of make with an option, which failed", `makes; cap -- make test; cap -- make -k test`, "--base HEAD", prove.Weakened, prove.WhyRetried},
	{"another target of make, which passed", `makes; cap -- make fine`, "--base HEAD", prove.Missing, prove.WhyNotRun},
	{"a formatter that says nothing", `formats; printf '#!/bin/sh\nsleep 0.3\n' >../bin/gofmt; cap -- gofmt -l .`, "--base HEAD", prove.Proven, ""},
	{"a formatter whose output the line throws away", `formats; cap --shell 'gofmt -l . >/dev/null; true'`, "--base HEAD", prove.Unread, prove.WhyExitOnly},
	{"such a line, handed to a shell", `formats; cap -- sh -c 'gofmt -l . >/dev/null; true'`, "--base HEAD", prove.Unread, prove.WhyExitOnly},
	{"output that nothing reads", `declare ./check; printf '#!/bin/sh\necho fine\n' >check; chmod +x check; git add -A; git commit -qm two; cap -- ./check`, "--base HEAD", prove.Unread, prove.WhyExitOnly},
	{"output that nothing reads, whose exit status is declared to be enough", `declare ./check; echo 'exit_is_enough = true' >>.cairn/checks.toml; printf '#!/bin/sh\nsleep 0.3\necho fine\n' >check; chmod +x check; git add -A; git commit -qm two; cap -- ./check`, "--base HEAD", prove.Proven, prove.WhyExitOnly},
	{"the exit status declared to be enough in the same change", `declare ./check; printf '#!/bin/sh\nsleep 0.3\necho fine\n' >check; chmod +x check; git add -A; git commit -qm two; echo 'exit_is_enough = true' >>.cairn/checks.toml; cap -- ./check`, "--base HEAD", prove.Weakened, prove.WhyChecks},
	{"such a check that failed", `declare ./check; echo 'exit_is_enough = true' >>.cairn/checks.toml; printf '#!/bin/sh\nsleep 0.3\nexit 3\n' >check; chmod +x check; git add -A; git commit -qm two; cap -- ./check`, "--base HEAD", prove.Failed, prove.WhyFailed},
}

// words are functions that the lines of sessions use.
const sessionWords = `
cap() { cairn prove >../seen 2>&1; cairn capture run "$@"; } # the tree is known before the command starts
run() { cap -- pytest -q; }
edit() { echo '# more' >>lib.py; }
break_it() { sed 's/test_two(): pass/test_two(): fail/' test_a.py >x; mv x test_a.py; }
repair() { sed 's/test_two(): fail/test_two(): pass/' test_a.py >x; mv x test_a.py; }
declare() { printf '[[check]]\nname = "unit"\ncommand = "%s"\n' "$1" >.cairn/checks.toml; }
makes() { printf '#!/bin/sh\nsleep 0.3\n[ "$1" = fine ] && exit 0\n[ "$1" = test ] && exec pytest -q\nexit 2\n' >../bin/make; chmod +x ../bin/make; declare 'make test'; git add -A; git commit -qm two; }
formats() { printf '#!/bin/sh\nsleep 0.3\necho a.go\n' >../bin/gofmt; chmod +x ../bin/gofmt; declare 'gofmt -l .'; git add -A; git commit -qm two; }
shard() { ls -t .git/cairn/manifest/*/*/*/*.jsonl | head -1; }
tree() { GIT_INDEX_FILE=.git/scratch git add -A; GIT_INDEX_FILE=.git/scratch git write-tree; }
foreign() { (mkdir ../foreign; cd ../foreign; git init -q; cp ../repo/test_a.py .; echo 'def test_four(): pass' >test_b.py; git add -A; git commit -qm one; run; cat "$(shard)" >../foreign.jsonl); }
`

// TestNobodyIsFooled: each session ends in its true word.
func TestNobodyIsFooled(t *testing.T) {
	if err := installStage(); err != nil {
		t.Fatal(err)
	}
	answers := make([]chan string, len(sessions))
	slots := make(chan struct{}, 6) // stand-ins sleep most of the time
	for i, s := range sessions {
		answers[i] = make(chan string, 1)
		go func() {
			slots <- struct{}{}
			answers[i] <- s.held(t)
			<-slots
		}()
	}
	for i, s := range sessions {
		t.Run(s.name, func(t *testing.T) { s.check(t, <-answers[i]) })
	}
}

// held is what cairn prove says after the session, and what the session printed. On a busy machine the tree may be read too
// late for a run; the session is then held again.
func (s session) held(t *testing.T) (out string) {
	for range 3 {
		sh := newSessionRepo(t)
		sh("")
		did := sh(s.line)
		out = sh("cairn prove --format json "+s.ask) + "\n" + did
		if sh(`grep -rl '"worktree_unknown":"late"' .git/cairn/manifest`) == "" {
			break
		}
	}
	return out
}

// check compares what cairn prove said, in the first line, with the true word.
func (s session) check(t *testing.T, out string) {
	line, _, _ := strings.Cut(out, "\n")
	var answer prove.Answer
	if err := json.Unmarshal([]byte(line), &answer); err != nil || len(answer.Checks) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	c := answer.Checks[0]
	given := slices.ContainsFunc(c.Reasons, func(r prove.Reason) bool { return r.Why == s.why })
	if c.State != s.is || s.why != "" && !given || s.is == prove.Proven && s.why == "" && len(c.Reasons) > 0 {
		t.Errorf("it is %s, and should be %s because of %q:\n%s", c.State, s.is, s.why, out)
	}
	if answer.Proven != (s.is == prove.Proven) {
		t.Errorf("proven is %t", answer.Proven)
	}
}

// newSessionRepo makes a folder for a session, and gives what runs a line there; "" begins it.
func newSessionRepo(t *testing.T) func(line string) string {
	top := t.TempDir()
	repo, bin := filepath.Join(top, "repo"), filepath.Join(top, "bin")
	for _, dir := range []string{repo, bin, filepath.Join(top, "home")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "pytest"), []byte(pytest), 0o755); err != nil {
		t.Error(err)
	}
	env := append(os.Environ(), "HOME="+filepath.Join(top, "home"), "XDG_STATE_HOME="+filepath.Join(top, "state"), "CI=true", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GIT_CEILING_DIRECTORIES="+top, "SHELL=/bin/bash", "CLAUDECODE=", "CAIRN_DIR=", "PYTEST_ADDOPTS=", "FLAKY=../none")
	return func(line string) string {
		if line == "" {
			line = sessionStart
		}
		cmd := exec.Command("sh", "-c", sessionWords+line)
		cmd.Dir, cmd.Env = repo, env
		out, _ := cmd.CombinedOutput() // what has gone wrong is seen by the answer
		return string(out)
	}
}

// sessionStart makes the repository in which a session begins: the branch work, right after main
// was checked in and tested.
const sessionStart = `git init -q -b main; printf 'def test_one(): pass\ndef test_two(): pass\ndef test_three(): pass\n' >test_a.py; echo '#' >lib.py
mkdir .cairn; printf '[[check]]\nname = "unit"\ncommand = "pytest -q"\npaths = ["*.py"]\n' >.cairn/checks.toml
git add -A; git commit -qm one; run; git checkout -q -b work`
