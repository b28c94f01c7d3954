//go:build unix

package stage

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/capture/stage/wire"
	"cairn/internal/racing"
)

var program string // cairn-stage

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "stage")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, wire.Program)
	if out, err := exec.Command("go", "build", "-o", program, "cairn/cmd/cairn-stage").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("building cairn-stage: %v\n%s", err, out))
	}
	patience = time.Second
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// kept is a Sink.
type kept struct {
	buf  [70_000]byte
	data []byte
}

func (k *kept) Room() []byte                    { return k.buf[:] }
func (k *kept) Chunk(_ time.Duration, p []byte) { k.data = append(k.data, p...) }

// outcome is all that a line shows.
type outcome struct {
	stdout, stderr string
	status         int
	runs           []*Run
}

// run runs a line by a shell, tapped or not. stdout and stderr are pipes.
func run(t *testing.T, by, line string, tapped bool) (o outcome) {
	t.Helper()
	shell, err := exec.LookPath(by)
	if err != nil {
		t.Skip("no " + by)
	}
	kind, ok := ShellOf(shell)
	if !ok {
		t.Fatalf("%s is not known", shell)
	}
	script, dir := line, t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		// A process that a parallel test forks just now would hold the file open for writing,
		// and the system runs no such file ("Text file busy").
		syscall.ForkLock.RLock()
		err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755)
		syscall.ForkLock.RUnlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	var s *Server
	if tapped {
		plan := Read(line, kind)
		plan.Locate(dir, append(os.Environ(), settings(dir)...))
		s, err = Listen(Options{Plan: plan, Program: program, Shell: shell, Begin: func(*Run) Sink { return new(kept) }})
		if err != nil {
			t.Fatal(err)
		}
		script = s.Line(line)
	}
	cmd := exec.Command(by, "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), settings(dir)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Stdin = strings.NewReader("stdin 1\nstdin 2\nstdin 3\n")
	ended := make(chan error, 1)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		t.Fatalf("%s: it hangs", line)
	}
	if s != nil {
		o.runs = s.Finish()
	}
	said := func(b *bytes.Buffer) string {
		text := strings.ReplaceAll(b.String(), dir, "DIR")
		if s != nil && s.Unsaid() != nil {
			text = strings.ReplaceAll(text, string(s.Unsaid()), "")
		}
		return text
	}
	o.stdout, o.stderr = said(&out), numbers.ReplaceAllString(said(&errs), "PID")
	o.status = cmd.ProcessState.ExitCode()
	return o
}

// settings are variables of the environment that name commands.
func settings(dir string) []string {
	return []string{"HOME=" + dir, "BIN=bin", "HERE=" + dir + "/bin", "TWO=bin/t x", "BLANK=a b", "NONE=", "PWD=" + dir}
}

// numbers are those of processes in what bash says of one that was killed.
var numbers = regexp.MustCompile(` *\b[0-9]{2,7}\b`)

func (o outcome) String() string {
	return fmt.Sprintf("exit %d\nstdout: %.300q\nstderr: %.300q", o.status, o.stdout, o.stderr)
}

// files are there when a line starts, executable.
var files = map[string]string{
	"bin/t":     "#!/bin/sh\necho $0 $# $1\necho err >&2\nexit 3\n",
	"bin/env":   "#! /usr/bin/env -S python3 -u\nimport sys; print(sys.argv)\n",
	"bin/crash": "#!/bin/sh\nkill -SEGV $$\n",
	"bin/slow":  "#!/bin/sh\nsleep 0.3\nkill -SEGV $$\n",
	"bin/ps":    "#!/bin/sh\nps -o args= -p $$; ps -o comm= -p $$; echo $_ $SHLVL; env | grep -c CAIRN\n",
	"bin/child": "#!/bin/sh\necho $PPID\n",
	"bin/plain": "echo run by the shell: $0\n",
	"bin/lost":  "#!/nonexistent/interpreter\n",
	"bin/empty": "",
	"bin/wrong": "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 100),
	"a b/t'x":   "#!/bin/sh\necho \"$0\"\n",
}

// shape is a line, and what each of its tapped or watched commands printed and how it ended: "NAME STATUS
// SIZE", or "NAME STATUS" where it is watched; in the order of their names. "-": it is not the same each time.
type shape struct{ line, runs string }

var shapes = []shape{
	{"seq 3 | cat", "seq 0 6"},
	{"seq 100000 | head -1", "-"},
	{"seq 100000 | head -1; echo ${PIPESTATUS[@]}", "-"},
	{"seq 20000 | head -1; echo ${PIPESTATUS[@]}", "-"},
	{"seq 1000 | head -1; echo ${PIPESTATUS[@]}", "seq 0 3893"},
	{"yes | head -1", "-"},
	{"yes | head -1; echo ${PIPESTATUS[@]} $?", "-"},
	{"yes | head -c 3000000 | wc -c", "-"},
	{"set -o pipefail; yes | head -1; echo $?", "-"},
	{"set -o pipefail; ls /nonexistent | cat; echo $?", "ls 2 0"},
	{"ls /nonexistent 2>&1 | cat", "ls 2 60"},
	{"ls /nonexistent |& cat", "ls 2 60"},
	{"ls /nonexistent | cat; echo $?", "ls 2 0"},
	{"ls /nonexistent 2>/dev/null | cat", "ls 2 0"},
	{"ls /nonexistent 2>&1 >/dev/null | cat", "ls 2"},
	{"seq 5 > f | cat; cat f", "seq 0"},
	{"seq 5 | tee f | tail -1; cat f", "seq 0 10, tee 0 10"},
	{"seq 5 | tee >(wc -l > g) | tail -1; sleep 0.1; cat g", "seq 0 10, sleep 0, tee 0 10"},
	{"cat <(seq 3) | tail -1", "cat 0 6"},
	{"cat <<X | tr a-z A-Z\nabc\nX\n", "cat 0 4"},
	{"cat <<< hello | rev", "cat 0 6"},
	{"cat | tail -1", "cat 0 24"},
	{"head -1 | cat; cat", "head 0 8"},
	{"(seq 2; seq 3) | tail -2", "seq 0 4, seq 0 6"},
	{"(seq 2; echo x; seq 3) | cat", "seq 0 4, seq 0 6"},
	{"{ seq 2; echo x; seq 3; } | cat", "seq 0 4, seq 0 6"},
	{"(seq 2; echo x >&2; seq 3) 2>&1 | cat", "seq 0 4, seq 0 6"},
	{"(ls /nonexistent; echo x; ls /nonexistent) 2>&1 | cat", "ls 2 60, ls 2 60"},
	{"(seq 3 | tac; echo x) | cat", "seq 0 6, tac 0 6"},
	{"for i in 1 2 3; do seq $i; done | cat", "seq 0 2, seq 0 4, seq 0 6"},
	{"for i in 1 2 3; do seq $i | tail -1; done", "seq 0 2, seq 0 4, seq 0 6"},
	{"while read a; do seq 2 | head -1; done", "seq 0 4, seq 0 4, seq 0 4"},
	{"seq 3 | while read a; do echo \"<$a>\"; done", "seq 0 6"},
	{"seq 3 | { read a; echo $a; cat; }", "seq 0 6"},
	{"seq 3 | (read a; echo $a; cat)", "seq 0 6"},
	{"seq 3 | xargs -n1 echo", "seq 0 6"},
	{"x=$(seq 3 | tail -1); echo $x", "seq 0 6"},
	{"x=$(seq 3); echo $x $?", "seq 0 6"},
	{"x=\"a $(seq 3 | tail -1) b\"; echo \"$x\"", "seq 0 6"},
	{"x=$(ls /nonexistent 2>&1); echo $? $x", "ls 2 60"},
	{"x=$(ls /nonexistent 2>&1); echo \"$x\" | wc -c", "ls 2 60"},
	{"x=$(sh -c 'exit 3') || echo $?", "sh 3 0"},
	{"set -e; x=$(sh -c 'exit 3'); echo not reached", "sh 3 0"},
	{"set -e; echo $(sh -c 'exit 3'); echo reached", "sh 3 0"},
	{"echo $(seq 2; seq 3 | tac)", "seq 0 4, seq 0 6, tac 0 6"},
	{"echo $(sh -c 'kill -SEGV $$') x", "sh SIGSEGV 0"},
	{"echo $(bin/t a 2>/dev/null) x", "bin/t 3 10"},
	{"echo $(cd bin && ./t a 2>/dev/null) x; bin/t | cat", "./t 3 8, bin/t 3 8"},
	{"[ \"$(sh -c 'echo $PPID')\" = $$ ] && echo child of the shell", "-"},
	{"echo \"$(sleep 0.2 & echo started)\"", "sleep 0 0"},
	{"echo $(seq 3 > f) x; cat f", "seq 0"},
	{"echo `seq 3 | tail -1`", ""},
	{"echo $(echo $(seq 3 | tac) | rev)", "rev 0 6, seq 0 6, tac 0 6"},
	{"echo $(yes | head -1)", "-"},
	{"echo $(seq 3 | tail -1", ""},
	{"echo $(sh -c 'echo out; echo err >&2' 2>&1 | cat)", "sh 0 8"},
	{"f() { seq 3 | tail -1; }; echo $(f)", ""},
	{"while [ $((i=i+1)) -lt 3 ]; do echo $(seq $i); done", "seq 0 2, seq 0 4"},
	{"echo $(type seq; seq 3 | tac)", ""},
	{"echo $(PATH=/nonexistent; seq 3) 2>&1", ""},
	{"if seq 3 | grep -q 2; then echo yes; else echo no; fi", "seq 0 6"},
	{"if seq 3 | grep -q 7; then echo yes; else echo no; fi", "seq 0 6"},
	{"! seq 3 | grep -q 7; echo $?", "seq 0 6"},
	{"seq 3 | grep 2 && echo yes", "seq 0 6"},
	{"seq 3 | grep 7 || echo no", "seq 0 6"},
	{"grep 7 /dev/null || echo no", "grep 1"},
	{"ls /nonexistent || true", "ls 2"},
	{"ls /nonexistent; echo done", "ls 2"},
	{"sh -c 'exit 3' || true", "sh 3"},
	{"sh -c 'exit 3'; echo done", "sh 3"},
	{"sh -c 'exit 3'; echo $?", "sh 3"},
	{"sh -c 'kill -9 $$'; echo $?", "sh SIGKILL"},
	{"sh -c 'kill -SEGV $$'; echo done", "sh SIGSEGV"},
	{"sh -c 'kill -SEGV $$' || true", "sh SIGSEGV"},
	{"sh -c 'kill -SEGV $$' | cat; echo ${PIPESTATUS[@]}", "sh SIGSEGV 0"},
	{"set -o pipefail; sh -c 'kill -SEGV $$' | cat; echo ${PIPESTATUS[@]}", "sh SIGSEGV 0"},
	{"sh -c 'kill -TERM $$' | cat; echo ${PIPESTATUS[@]}", "sh SIGTERM 0"},
	{"sh -c 'exit 3' & wait; echo $?", "sh 3"},
	{"sh -c 'exit 3' & wait $!; echo $?", "sh 3"},
	{"sleep 0.2 & wait -n; echo $?", "sleep 0"},
	{"(sleep 30 & sleep 0.1; kill $!; wait $!) 2>/dev/null; echo $?", "sleep 0, sleep SIGTERM"},
	{"sleep 30 & sleep 0.1; kill -9 $!; wait $! 2>/dev/null; echo $?", "sleep 0, sleep SIGKILL"},
	{"sleep 3 | cat & kill %1; wait; echo $?", "-"},
	{"sh -c 'echo $$ > f' & wait; [ $(cat f) = $! ] && echo same pid", "sh 0"},
	{"sh -c 'echo $PPID' | { read p; [ $p = $$ ] && echo child of the shell; }", "-"},
	{"sh -c 'ps -o args= -p $$; echo $0' | cat", "-"},
	{"seq 1 & wait; seq 2 & wait", "seq 0, seq 0"},
	{"(sleep 0.1; seq 2) & seq 3 | tail -1; wait", "seq 0, seq 0 6, sleep 0"},
	{"nosuchcommand | cat", ""},
	{"nosuchcommand 2>&1 | cat", ""},
	{"nosuchcommand || echo $?", ""},
	{"cd / && ls -d tmp | cat", "ls 0 4"},
	{"cd /nonexistent && ls | cat", ""},
	{"export A=1; env | grep ^A=", "-"},
	{"A=1 env | grep ^A=", "-"},
	{"A=1 B=2 sh -c 'echo $A$B' | cat", "sh 0 3"},
	{"PATH=/nonexistent seq 3 | cat", ""},
	{"export PATH=$PATH:/x; seq 3 | tail -1", "seq 0 6"},
	{"env | grep -c CAIRN", "-"},
	{"env -i /usr/bin/env | cat", "-"},
	{"sh -c 'echo $_' | cat", "sh 0 12"},
	{"env | grep ^_=", "-"},
	{"f() { seq 3; }; f | tail -1", ""},
	{"seq() { echo mine; }; seq 3 | cat", ""},
	{"shopt -s expand_aliases", ""},
	{"alias seq='echo aliased'; shopt -s expand_aliases; seq 3 | cat", "seq 0 6"},
	{"eval 'seq 3 | tail -1'", ""},
	{". /dev/null; seq 3 | tail -1", "seq 0 6"},
	{"trap 'echo bye' EXIT; seq 3 | tail -1", "seq 0 6"},
	{"trap 'echo usr' USR1; sh -c 'kill -USR1 $PPID' | cat; echo", "-"},
	{"trap '' TERM; sh -c 'kill -TERM $$; echo survived' | cat", ""},
	{"trap '' QUIT USR1; sh -c 'kill -USR1 $$; echo survived' | cat", ""},
	{"sh -c 'trap \"\" INT; grep SigIgn /proc/self/status' | cat", "sh 0 25"},
	{"sh -c 'grep -c \"SigIgn:.*[67ef]$\" /proc/$$/status' & wait", "sh 0"},
	{"(sh -c 'kill -SEGV $$'; sh -c 'kill -9 $$'; echo x) | cat", "sh SIGKILL 0, sh SIGSEGV 0"},
	{"set -e; sh -c 'exit 3' | cat; echo on", "sh 3 0"},
	{"set -e; sh -c 'exit 3' || echo on", "sh 3"},
	{"set -e; ls /nonexistent; echo not reached", "ls 2"},
	{"set -e; ls /nonexistent && echo x; echo reached", "ls 2"},
	{"set -eo pipefail; sh -c 'exit 3' | cat; echo not reached", "sh 3 0"},
	{"set -v; seq 3 | tail -1", ""},
	{"type seq; seq 3 | tail -1", ""},
	{"seq 3 | tail -1; hash", ""},
	{"command seq 3 | tail -1", ""},
	{"command -v seq; seq 3 | tail -1", ""},
	{"exec seq 3 | cat", ""},
	{"time -p true; seq 3 | tail -1", "seq 0 6"},
	{"{ time seq 3 | tail -1; } 2>/dev/null", "seq 0 6"},
	{"timeout 1 sleep 5 | cat; echo ${PIPESTATUS[@]}", "timeout 124 0"},
	{"nice seq 3 | tail -1", "nice 0 6"},
	{"stdbuf -oL seq 3 | tail -1", "stdbuf 0 6"},
	{"sh -c '[ -p /dev/stdout ] && echo pipe || echo no pipe' | cat", "sh 0 5"},
	{"sh -c '[ -t 1 ] || echo no terminal' | cat", "sh 0 12"},
	{"python3 -c 'import sys; print(sys.stdout.isatty(), sys.stdout.line_buffering)' | cat", "python3 0 12"},
	{"python3 -c 'import os; os.write(1, b\"x\"*9000)' | python3 -c 'import os; print(len(os.read(0, 65536)))'", "python3 0 9000"},
	{"python3 -c 'import os; os.set_blocking(1, False); print(os.write(1, b\"x\"*9000), file=__import__(\"sys\").stderr)' | wc -c", "python3 0 9000"},
	{"python3 -c 'print(\"x\"*200000)' | wc -c", "-"},
	{"python3 -c 'print(\"x\"*200000)' | head -c 10", "-"},
	{"seq 5000 | (sleep 0.2; head -1)", "seq 0 23893, sleep 0"},
	{"printf 'a\\0b\\n' | cat -v", ""},
	{"head -c 100000 /dev/zero | wc -c", "-"},
	{"/usr/bin/printf '\\377\\376' | od -c", "/usr/bin/printf 0 2"},
	{"sh -c 'echo out; echo err >&2' | cat", "sh 0 4"},
	{"sh -c 'echo out; echo err >&2' 2>&1 | cat", "sh 0 8"},
	{"sh -c 'echo out; echo err >&2' 2>&1 | cat 1>&2", "sh 0 8"},
	{"sh -c 'exec >&-; sleep 0.1' | cat; echo ${PIPESTATUS[@]}", "sh 0 0"},
	{"sh -c 'sleep 0.3; echo late' & seq 3 | tail -1; wait", "seq 0 6, sh 0"},
	{"sh -c 'echo x >&3' 3>&1 | cat", "sh 0 0"},
	{"sh -c 'cat <&3' 3<<<here | cat", "sh 0 5"},
	{"seq 3 | tail -1 > f; cat f", "seq 0 6"},
	{"seq 3 > f; tail -1 f | cat", "seq 0, tail 0 2"},
	{"seq 3 | cat | cat | cat | cat", "cat 0 6, cat 0 6, cat 0 6, cat 0 6, seq 0 6"},
	{"seq 9 | grep 1 | grep 1 | cat", "grep 0 2, grep 0 2, seq 0 18"},
	{"case x in x) seq 3 | tail -1;; esac", "seq 0 6"},
	{"[[ -n x ]] && seq 3 | tail -1", "seq 0 6"},
	{"(( 1 )) && seq 3 | tail -1", "seq 0 6"},
	{"a=(1 2); seq ${a[1]} | tail -1", "seq 0 4"},
	{"seq {1..3} | tail -1", "seq 0 4"},
	{"seq 3 | mapfile -t x; echo ${#x[@]}", "seq 0 6"},
	{"shopt -s lastpipe; seq 3 | mapfile -t x; echo ${#x[@]}", "seq 0 6"},
	{"seq 3 | tail -1 | tee /dev/stderr", "seq 0 6, tail 0 2"},
	{"echo a | sed s/a/b/ | cat", "sed 0 2"},
	{"echo a | ( cat; exit 4 ); echo $?", "cat 0"},
	{"echo $(seq 3 | tail -1) | cat", "seq 0 6"},
	{"seq 3 | tail -1; exit 7", "seq 0 6"},
	{"sh -c 'exit 7' | sh -c 'exit 8'", "sh 7 0"},
	{"sh -c 'exit 7' | true; echo ${PIPESTATUS[0]}", "sh 7 0"},
	{"(exit 3); seq 2 | tail -1", "seq 0 4"},
	{"until seq 3 | grep -q 3; do echo x; done", "seq 0 6"},
	{"find . -name x | xargs ls | cat", "find 0 0, xargs 0 8"},
	{"coproc cat; seq 3 | tail -1", ""},
	{"jobs; sleep 0.3 & jobs; wait", "sleep 0"},
	{"seq 3 | tail -1 # comment", "seq 0 6"},
	{"seq 3 | # comment\ntail -1", "seq 0 6"},
	{"seq 3 |\ntail -1", "seq 0 6"},
	{"ulimit -n 64; seq 3 | tail -1", ""},
	{"umask 077; sh -c umask | cat", "sh 0 5"},
	{"sh -c 'echo \"$@\"' - a 'b c' \"d'e\" | cat", "sh 0 10"},
	{"sh -c 'echo $BASHPID x' | cat", "sh 0 2"},
	{"bash -c 'seq 3 | tail -1' | cat", "bash 0 2"},
	{"sh <<< 'seq 3 | tail -1' | cat", "sh 0 2"},
	{"cat /proc/self/fd/0 <<< x | cat", "cat 0 2"},
	{"ls /proc/self/fd | wc -l", "-"},
	{"setsid sh -c 'echo x' | cat", "setsid 0 2"},
	{"sh -c 'sleep 0.5 & echo started' | head -1", "-"},
	{"sh -c 'sleep 0.3; echo x' | (exit 0); echo ${PIPESTATUS[@]}", "-"},
	{"echo 'unclosed", ""},
	{"seq 3 | tail -1 )", ""},
	{"./nosuch | cat", ""},
	{"bin/t a | cat", "bin/t 3 10"},
	{"./bin/t a 'b  c' | tail -1; echo ${PIPESTATUS[@]} $?", "./bin/t 3 12"},
	{"$PWD/bin/t a 'b c' | wc -l", "-"},
	{"~/bin/t a | wc -l", "-"},
	{"$HOME/bin/t a || echo $?", "-"},
	{"\"$HOME/bin/t\" a | wc -l", "-"},
	{"${HOME}/bin/t a | wc -l", "-"},
	{"$BIN/t a | cat", "bin/t 3 10"},
	{"$BIN/t\"\" a | cat", "bin/t 3 10"},
	{"cd bin; $BIN/t a | cat", ""},
	{"cd bin; cd ..; $BIN/t a | cat", "bin/t 3 10"},
	{"$HERE/../bin/t | wc -l", "-"},
	{"$TWO y | cat", ""},
	{"\"$TWO\" y | cat; echo $?", ""},
	{"$NONE/bin/true | cat; $NONE bin/t | cat", ""},
	{"$UNSET/bin/true | cat", ""},
	{"B=bin; $B/t a | cat", "bin/t 3 10"},
	{"export B=bin; $B/t a | cat", "bin/t 3 10"},
	{"B=nosuch; B=bin; $B/t a | cat", ""},
	{"B=bin $BIN/t a | cat", "bin/t 3 10"},
	{"BIN=nosuch; $BIN/t | cat; echo $?", ""},
	{"[ -d nosuch ] && BIN=nosuch; $BIN/t | cat", ""},
	{"for BIN in bin bin/../bin; do $BIN/t | cat; done", ""},
	{"read BIN <<X; $BIN/t | cat\nbin\nX", ""},
	{"$BIN/crash | cat; echo ${PIPESTATUS[@]}", "bin/crash SIGSEGV 0"},
	{"$BIN/crash; echo x", "bin/crash SIGSEGV"},
	{"(~/bin/t a; $BIN/t b) 2>/dev/null | wc -l", "-"},
	{"$BIN/plain | cat; $BIN/lost | cat", ""},
	{"$BIN/{t,x} | cat", ""},
	{"$BIN/* | wc -l", ""},
	{"~root/t | cat", ""},
	{"$(echo bin)/t | cat", ""},
	{"${BIN%n}n/t | cat", ""},
	{"./bin/env 'x y' \"$HOME\"x | cat", "-"},
	{"\"./a b/t'x\" | cat", "./a b/t'x 0 10"},
	{"./a\\ b/t\\'x | cat", ""},
	{"cd bin && ./t a | cat", "./t 3 8"},
	{"cd bin; ./t a | cat", "./t 3 8"},
	{"cd bin && cd .. && bin/t | cat", "bin/t 3 8"},
	{"cd nosuch; bin/t | cat; cd bin && ./t | cat", ""},
	{"cd bin || exit 1; ./t | cat", "./t 3 6"},
	{"(cd bin; ./t | cat); bin/t | cat", "./t 3 6, bin/t 3 8"},
	{"cd $PWD/bin; ./t | cat", ""},
	{"for d in bin bin/..; do cd $d; ./t | cat; cd ..; done", ""},
	{"if cd bin; then ./t | cat; fi; bin/t | cat", "./t 3 6"},
	{"bin/ps | cat", "-"},
	{"bin/child | { read p; [ $p = $$ ] && echo child of the shell; }", "-"},
	{"bin/child > f & wait $!; [ $(cat f) = $$ ] && echo child of the shell", "bin/child 0"},
	{"A=1 B=$HOME bin/t | cat", "bin/t 3 8"},
	{"2>/dev/null bin/t | cat", "bin/t 3 8"},
	{"bin/t 2>&1 | tail -1", "bin/t 3 12"},
	{"bin/t |& cat", "bin/t 3 12"},
	{"bin/t || true", "bin/t 3"},
	{"bin/t; echo $?", "bin/t 3"},
	{"bin/t & wait; echo $?", "bin/t 3"},
	{"! bin/t | grep -q 7; echo $?", "bin/t 3 8"},
	{"set -e; bin/t | cat; echo on", "bin/t 3 8"},
	{"set -eo pipefail; bin/t | cat; echo not reached", "bin/t 3 8"},
	{"set -e; bin/t; echo not reached", "bin/t 3"},
	{"if bin/t | grep -q 7; then echo; else echo no; fi", "bin/t 3 8"},
	{"for i in 1 2; do bin/t $i | cat; done", "bin/t 3 10, bin/t 3 10"},
	{"(bin/t 1; bin/t 2) | tail -1", "bin/t 3 10, bin/t 3 10"},
	{"(bin/t 1; bin/t 2) 2>&1 | tail -1", ""},
	{"time -p bin/t 2>/dev/null | cat", "bin/t 3 8"},
	{"bin/crash; echo $?", "bin/crash SIGSEGV"},
	{"bin/crash a  'b' || true", "bin/crash SIGSEGV"},
	{"bin/crash | cat; echo ${PIPESTATUS[@]}", "bin/crash SIGSEGV 0"},
	{"set -o pipefail; bin/crash | cat; echo ${PIPESTATUS[@]}", "bin/crash SIGSEGV 0"},
	{"set -o pipefail; (bin/crash | cat); bin/crash | bin/t | cat", "bin/crash SIGSEGV 0, bin/crash SIGSEGV 0, bin/t 3 8"},
	{"{ bin/crash; echo x; } 2>f; tr -d 0-9 < f", ""},
	{"(bin/crash; echo x) |& tr -d 0-9", ""},
	{"exec 2>f; bin/crash; tr -d 0-9 < f", ""},
	{"bin/slow & jobs; wait", ""},
	{"bin/slow & wait; echo $?", "bin/slow SIGSEGV"},
	{"bin/slow & bin/t | cat; wait", "bin/slow SIGSEGV, bin/t 3 8"},
	{"bin/plain | cat", ""},
	{"bin/plain || true", ""},
	{"bin/lost | cat; echo ${PIPESTATUS[@]}", ""},
	{"bin/lost 2>&1 | cat", ""},
	{"bin/lost || echo $?", ""},
	{"bin/empty | cat; echo ${PIPESTATUS[@]}", ""},
	{"bin/wrong | cat; echo ${PIPESTATUS[@]}", ""},
	{"chmod -x bin/t; bin/t | cat; bin/t || echo $?", "-"},
	{"rm bin/t; bin/t | cat; bin/t || echo $?", "-"},
	{"bin | cat; ./bin | cat; ./bin || echo $?", ""},
	{"bin/t() { echo mine; }; bin/t | cat", ""},
	{"/bin/sh -c 'kill -TERM $$' | cat; echo ${PIPESTATUS[@]}", "/bin/sh SIGTERM 0"},
	{"/usr/bin/env | grep ^_=", "-"},
	{"/usr/bin/yes | head -1; echo ${PIPESTATUS[@]}", "-"},
	{"seq 3 | /usr/bin/tail -1", "seq 0 6"},
	{"seq 3 | /usr/bin/rev | /bin/cat", "/usr/bin/rev 0 6, seq 0 6"},
	{"/bin/cat <<X | bin/t $?\nx\nX\n", "-"},
	{"bin/t \\\n  a | cat", "bin/t 3 10"},
	{"f() { bin/t | cat; }; f", ""},
	{"x=$(bin/t | cat); echo $x", "bin/t 3 8"},
	{"eval 'bin/t | cat'", ""},
	{"set -r; bin/t | cat", ""},
	{"printf '#!/bin/sh\\necho $0 $1\\n' > s; chmod +x s; ./s a | cat", "chmod 0"},
	{"printf 'echo script $1\\n' > s; chmod +x s; PATH=.:$PATH; s a | cat", "chmod 0, s 0 9"},
}

// dashShapes are lines whose commands are known under dash.
var dashShapes = []shape{
	{"seq 3 | cat", "seq 0 6"},
	{"yes | head -1", "-"},
	{"set -e; seq 1000 | head -1; echo $?", "seq 0 3893"},
	{"ls /nonexistent 2>&1 | cat", "ls 2 60"},
	{"ls /nonexistent |& cat", ""},
	{"ls /nonexistent &> f; cat f", "-"},
	{"(seq 2; seq 3) | tail -2", "seq 0 4, seq 0 6"},
	{"{ seq 2; echo x; seq 3; } | grep 2", "seq 0 4, seq 0 6"},
	{"for i in 1 2; do seq $i | tail -1; done", "seq 0 2, seq 0 4"},
	{"seq 3 | while read a; do echo \"<$a>\"; done", "seq 0 6"},
	{"ls /nonexistent || true", "ls 2"},
	{"sh -c 'kill -SEGV $$' || true", "sh SIGSEGV"},
	{"sh -c 'kill -SEGV $$'; echo $?", "sh SIGSEGV"},
	{"sh -c 'exit 3' & wait $!; echo $?", "sh 3"},
	{"(sleep 30 & sleep 0.1; kill $!; wait $!) 2>/dev/null; echo $?", "-"},
	{"sh -c 'echo $PPID' | { read p; [ $p = $$ ] && echo child of the shell; }", "-"},
	{"sh -c 'ps -o args= -p $$; echo $0' | cat", "-"},
	{"x=$(seq 3 | tail -1); echo $x $?", "seq 0 6"},
	{"x=$(ls /nonexistent 2>&1); echo $? $x", "ls 2 60"},
	{"echo \"$(seq 2; seq 3 | tac)\"", "seq 0 4, seq 0 6, tac 0 6"},
	{"[ \"$(sh -c 'echo $PPID')\" = $$ ] && echo child of the shell", "-"},
	{"bin/t a | cat; bin/t b || true", "bin/t 3, bin/t 3 10"},
	{"cd bin && ./t a 2>&1 | cat", "./t 3 12"},
	{"$BIN/t a | cat; ~/bin/t | wc -l", "-"},
	{"bin/crash; echo $?", "bin/crash SIGSEGV"},
	{"bin/plain | cat; plain | cat; nosuchcommand 2>&1 | cat", ""},
	{"PATH=bin:$PATH; seq 3 | cat", ""},
	{"PATH=/nonexistent seq 3 | cat", ""},
	{"export PATH=/nonexistent; seq 3 2>/dev/null | cat", ""},
	{"seq() { echo mine; }; seq 3 | cat", ""},
	{"alias seq='echo aliased'\nseq 3 | cat", ""},
	{"eval 'seq() { echo mine; }'; seq 3 | cat", ""},
	{"echo 'seq() { echo mine; }' > f; . ./f; seq 3 | cat", ""},
	{"{ set -x; seq 3 | cat; } 2>/dev/null", ""},
	{"sleep 0.2 & jobs; wait", ""},
	{"type seq; seq 3 | cat", ""},
	{"command -v seq; seq 3 | cat", ""},
	{"exec seq 3 | cat", ""},
	{"env | grep -c CAIRN; env | grep ^_=", "-"},
	{"A=1 sh -c 'echo $A' | cat", "sh 0 2"},
	{"time -p true; seq 3 | tail -1", "-"},
	{"[[ -n x ]] && seq 3 | tail -1; echo on", ""},
	{"a=(1 2); seq 3 | cat", ""},
	{"cat <<< x | cat", ""},
	{"cat <<X | tr a-z A-Z\nabc\nX\n", "cat 0 4"},
	{"set -o pipefail; seq 3 | cat", "-"},
	{"trap 'echo bye' EXIT; seq 3 | tail -1", "seq 0 6"},
	{"chdir bin; ./t | cat", "-"},
	{"function f { seq 3; }; f | cat", "-"},
	{"! seq 3 | grep -q 7; echo $?", "seq 0 6"},
	{"python3 -c 'import os; print(os.environ.get(\"_\"))' | cat", "-"},
}

// TestShapes is the promise of this package: whatever a line does, it does the same when it is
// tapped, and what was printed behind each pipe is kept.
func TestShapes(t *testing.T) {
	for _, sh := range shapes {
		t.Run(sh.line, func(t *testing.T) {
			t.Parallel()
			sh.check(t, "bash", sh.runs)
		})
	}
}

// TestFinishHeld: stages that run on in the background are not waited for, however many there are.
func TestFinishHeld(t *testing.T) {
	defer func(long time.Duration) { patience = long }(patience)
	patience = 50 * time.Millisecond
	got := run(t, "bash", "for i in 1 2 3; do sleep 4 2>/dev/null | cat >/dev/null 2>&1 & done; read -t 0.5 x <><(:); echo on", true)
	for _, r := range got.runs {
		if r.End().Known {
			t.Errorf("%s ended before what was run was told", r.Argv)
		}
	}
	if len(got.runs) == 0 || got.stdout != "on\n" {
		t.Errorf("%v", got)
	}
}

// TestShapesOfDash: the same lines under dash, whose lines name cairn-stage in front of each command.
func TestShapesOfDash(t *testing.T) {
	for _, sh := range slices.Concat(shapes, dashShapes) {
		runs, known := "-", false
		for _, d := range dashShapes {
			if d.line == sh.line {
				runs, known = d.runs, true
			}
		}
		if racing.Enabled && !known {
			continue // they run without it
		}
		t.Run(sh.line, func(t *testing.T) {
			t.Parallel()
			sh.check(t, "dash", runs)
		})
	}
}

// check compares a line that is tapped with the line as it is.
func (sh shape) check(t *testing.T, by, runs string) {
	want, got := run(t, by, sh.line, false), run(t, by, sh.line, true)
	if got.stdout != want.stdout || got.stderr != want.stderr || got.status != want.status {
		kind, _ := ShellOf(by)
		t.Errorf("tapped:\n%v\n%s:\n%v\nas: %s", got, by, want, Read(sh.line, kind).Rewrite(sh.line, "X"))
	}
	var all []string
	for _, r := range got.runs {
		all = append(all, told(r))
	}
	slices.Sort(all)
	if is := strings.Join(all, ", "); is != runs && runs != "-" {
		t.Errorf("runs: %s\nwant: %s", is, runs)
	}
}

func told(r *Run) string {
	s := r.Argv[0]
	switch end := r.End(); {
	case !end.Known:
		s += " running"
	case end.Signal != "":
		s += " " + end.Signal
	default:
		s += fmt.Sprint(" ", end.Code)
	}
	if r.Tapped {
		if n := len(r.Sink.(*kept).data); n > 64<<10 {
			s += " many"
		} else {
			s += fmt.Sprint(" ", n)
		}
	}
	return s
}
