//go:build unix

package child

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestEveryExitCode(t *testing.T) {
	for code := range 256 {
		_, exit := run(t, Command{Shell: fmt.Sprintf("exit %d", code)})
		if exit.Code != code || exit.Signal != "" || exit.Status() != code || exit.OpenPipes || exit.TimedOut {
			t.Errorf("exit %d: %+v", code, exit)
		}
	}
}

func TestEveryTerminatingSignal(t *testing.T) {
	for _, s := range []syscall.Signal{
		unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE,
		unix.SIGKILL, unix.SIGUSR1, unix.SIGSEGV, unix.SIGUSR2, unix.SIGPIPE, unix.SIGALRM, unix.SIGTERM,
		unix.SIGXCPU, unix.SIGXFSZ, unix.SIGVTALRM, unix.SIGPROF, unix.SIGIO, unix.SIGSYS,
	} {
		t.Run(unix.SignalName(s), func(t *testing.T) {
			_, exit := run(t, helper("die", fmt.Sprint(int(s))))
			if exit.Code != -1 || exit.Signal != unix.SignalName(s) || exit.SignalNumber != int(s) ||
				exit.Status() != 128+int(s) || exit.Interrupted != "" {
				t.Errorf("%+v", exit)
			}
		})
	}
	t.Run("real time", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("real-time signals have other numbers here")
		}
		_, exit := run(t, Command{Shell: "kill -40 $$"})
		if exit.Signal != "SIG40" || exit.Status() != 168 {
			t.Errorf("%+v", exit)
		}
	})
}

func TestCoreDump(t *testing.T) {
	dir := t.TempDir()
	_, exit := run(t, Command{Shell: "ulimit -c unlimited && kill -ABRT $$", Dir: dir})
	if left, _ := filepath.Glob(dir + "/core*"); len(left) > 0 != exit.CoreDumped && len(left) > 0 {
		t.Errorf("core files %v, %+v", left, exit)
	}
	if exit.Signal != "SIGABRT" {
		t.Errorf("%+v", exit)
	}
}

// write makes a file for the tests below.
func write(t *testing.T, path, text string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/plain", "echo hi\n", 0o644)
	write(t, dir+"/bin/shadowed", "echo hi\n", 0o644)
	write(t, dir+"/badinterp", "#!/no/such/interpreter\n", 0o755)
	write(t, dir+"/binary", "\x7fELF\x00\x01garbage", 0o755)
	if err := os.Mkdir(dir+"/bin/folder", 0o755); err != nil {
		t.Fatal(err)
	}
	path := []string{"PATH=" + dir + "/bin:/nonexistent"}
	tests := []struct {
		name   string
		cmd    Command
		status int
		text   string
	}{
		{"nothing", Command{}, 125, "no command was given"},
		{"both", Command{Argv: []string{"true"}, Shell: "true"}, 125, "give one"},
		{"empty name", Command{Argv: []string{""}}, 127, "not found"},
		{"not in PATH", Command{Argv: []string{"nosuch"}, Env: path}, 127, `run "nosuch": command not found in PATH`},
		{"no such file", Command{Argv: []string{dir + "/nosuch"}}, 127, "no such file"},
		{"below a file", Command{Argv: []string{dir + "/plain/x"}}, 127, "no such file"},
		{"no permission", Command{Argv: []string{dir + "/plain"}}, 126, "permission denied"},
		{"no permission in PATH", Command{Argv: []string{"shadowed"}, Env: path}, 126, "permission denied"},
		{"directory", Command{Argv: []string{dir}}, 126, "is a directory"},
		{"directory in PATH", Command{Argv: []string{"folder"}, Env: path}, 126, "is a directory"},
		{"binary of another kind", Command{Argv: []string{dir + "/binary"}}, 126, "binary"},
		{"missing interpreter", Command{Argv: []string{dir + "/badinterp"}}, 127, "interpreter"},
		{"Dir is missing", Command{Argv: []string{"true"}, Dir: dir + "/nosuch"}, 125, "start in directory"},
		{"Dir is a file", Command{Argv: []string{"true"}, Dir: dir + "/plain"}, 125, "not a directory"},
		{"NUL in an argument", Command{Argv: []string{"true", "a\x00b"}}, 125, "NUL"},
		{"NUL in the line", Command{Shell: "true\x00"}, 125, "NUL"},
		{"NUL in the environment", Command{Argv: []string{"true"}, Env: []string{"A=\x00"}}, 125, "NUL"},
		{"too long", Command{Argv: []string{"/bin/true", strings.Repeat("x", 1<<20)}}, 126, "argument list too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { wantStart(t, tt.cmd, tt.status, tt.text) })
	}
	t.Run("closed standard input", func(t *testing.T) {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		wantStart(t, Command{Argv: []string{"true"}, Stdin: f}, 125, "standard input")
	})
}

func TestWhichProgram(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/one/tool", "#!/bin/sh\necho one\n", 0o755)
	write(t, dir+"/two/tool", "#!/bin/sh\necho two\n", 0o755)
	write(t, dir+"/zero/tool", "not executable", 0o644)
	write(t, dir+"/bare", "echo bare \"$0\" \"$1\"\n", 0o755)
	write(t, dir+"/-dash/x", "echo dash\n", 0o755)
	write(t, dir+"/empty", "", 0o755)
	env := func(path string) []string { return []string{"PATH=" + path} }
	tests := []struct {
		name string
		cmd  Command
		want string
	}{
		{"first in PATH", Command{Argv: []string{"tool"}, Env: env(dir + "/two:" + dir + "/one")}, "two\n"},
		{"not executable is passed over", Command{Argv: []string{"tool"}, Env: env(dir + "/zero:" + dir + "/one")}, "one\n"},
		{"the last PATH counts", Command{Argv: []string{"tool"}, Env: []string{"PATH=" + dir + "/one", "PATH=" + dir + "/two"}}, "two\n"},
		{"empty element is here", Command{Argv: []string{"tool"}, Dir: dir + "/one", Env: env("/nonexistent:")}, "one\n"},
		{"empty PATH is here", Command{Argv: []string{"tool"}, Dir: dir + "/one", Env: env("")}, "one\n"},
		{"relative element is in Dir", Command{Argv: []string{"tool"}, Dir: dir, Env: env("two")}, "two\n"},
		{"relative path is in Dir", Command{Argv: []string{"./one/tool"}, Dir: dir}, "one\n"},
		{"no PATH at all", Command{Argv: []string{"echo", "hi"}, Env: []string{}}, "hi\n"},
		{"script without #!", Command{Argv: []string{"./bare", "x y"}, Dir: dir}, "bare ./bare x y\n"},
		{"its path looks like an option", Command{Argv: []string{"-dash/x"}, Dir: dir}, "dash\n"},
		{"empty script", Command{Argv: []string{dir + "/empty"}}, ""},
		{"shell line", Command{Shell: "echo a | tr a b; pwd", Dir: "/"}, "b\n/\n"},
		{"empty environment", Command{Argv: []string{"/usr/bin/env"}, Env: []string{}}, ""},
		{"exact environment", Command{Argv: []string{"/usr/bin/env"}, Env: []string{"A=1", "B=2", "A=3"}}, "B=2\nA=3\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec, exit := run(t, tt.cmd)
			if got := string(rec.out[Stdout]); got != tt.want || exit.Code != 0 {
				t.Errorf("got %q %q, want %q; %+v", got, rec.out[Stderr], tt.want, exit)
			}
		})
	}
}

func TestArgumentsAreExact(t *testing.T) {
	odd := []string{"", " ", "\n", "a\tb", "'\"\\$`*", "\xff\xfe", "-n", "é\u202e", strings.Repeat("x", 100_000)}
	rec, _ := run(t, helper("args", odd...))
	if got, want := string(rec.out[Stdout]), fmt.Sprintf("%q", odd); got != want {
		t.Errorf("got %.300s\nwant %.300s", got, want)
	}
}

func TestOrdinaryChild(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	// Descriptors that we inherited ourselves (the jobs of make, say) are the child's too, as without us.
	c := exec.Command(os.Args[0], "status")
	c.Stderr = new(bytes.Buffer) // a pipe, as ours
	bare, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	rec, _ := run(t, helper("status"))
	want := strings.Replace(string(bare), "group false", "group true", 1)
	if got := string(rec.out[Stdout]); got != want {
		t.Errorf("got\n%s\nwant, as for any child,\n%s", got, want)
	}
	t.Run("signals and limits", func(t *testing.T) {
		const line = `grep -E "^Sig(Blk|Ign|Cgt)" /proc/self/status; ulimit -a`
		bare, err := bareOutput(line)
		if err != nil {
			t.Fatal(err)
		}
		rec, _ := run(t, Command{Shell: line})
		if got := string(rec.out[Stdout]); got != bare {
			t.Errorf("got\n%s\nwant, as for any child,\n%s", got, bare)
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	before := openFiles(t)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			// Between fork and exec every other child holds our pipes too, for long if 200 of them want two processors.
			line := fmt.Sprintf("echo out %d; echo err %d >&2; exit %d", i, i, i)
			p, err := Start(context.Background(), Command{Shell: line, Drain: time.Minute})
			if err != nil {
				t.Error(err)
				return
			}
			rec := newRecord()
			exit, err := p.Wait(rec)
			want := fmt.Sprintf("out %d\n", i)
			if err != nil || exit.Status() != i || string(rec.out[Stdout]) != want || exit.OpenPipes {
				t.Errorf("%d: %+v %v %q", i, exit, err, rec.all)
			}
		})
	}
	wg.Wait()
	if after := openFiles(t); after > before+2 { // the runtime's own poller may have come
		t.Errorf("%d open files before, %d after", before, after)
	}
}
