//go:build unix

package capture

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"cairn/capture/child"
	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
)

// The test binary is its own subprocess: with this variable set it plays a part.
const partEnv = "CAIRN_CAPTURE_PART"

func TestMain(m *testing.M) {
	if part := os.Getenv(partEnv); part != "" {
		os.Unsetenv(partEnv)
		os.Exit(parts[part](os.Args[1:]))
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("os/signal.signal_recv"), goleak.IgnoreTopFunction("os/signal.loop"))
}

// parts are what a subprocess of a test may be.
var parts = map[string]func(args []string) int{
	"capture":  partCapture,
	"catch-up": partCatchUp,
	"chatter":  partChatter,
	"flood":    partFlood,
}

// part is a command that plays one in dir.
func part(t testing.TB, dir, name string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), partEnv+"="+name, "PWD="+dir, "GORACE=atexit_sleep_ms=0")
	return cmd
}

// partCapture captures its arguments, as the command line would.
func partCapture(args []string) int {
	dir, _ := os.Getwd()
	o := options(dir, args...)
	o.hurt = killAt(os.Getenv("KILL"), os.Getenv("STEPS"))
	o.Warn = func(s string) { fmt.Fprintln(os.Stderr, "note:", s) }
	o.Command.Stdin = os.Stdin
	if o.Stager = os.Getenv("STAGER"); o.Stager != "" {
		o.Line = args[2]
	}
	if os.Getenv("LATER") != "" {
		o.Later = nobody
	}
	if os.Getenv("LIVE") != "" {
		o.LiveOut, o.LiveErr = os.Stdout, os.Stderr
	}
	if os.Getenv("PROGRESS") != "" {
		o.Progress = os.Stderr
	}
	out := Run(context.Background(), o)
	if out.Trouble != nil {
		fmt.Fprintln(os.Stderr, "trouble:", out.Trouble)
	}
	if out.Result != nil {
		fmt.Println("answer:", out.Result.Status)
	}
	for _, n := range out.CatchUp(context.Background()) {
		fmt.Fprintln(os.Stderr, "note:", n)
	}
	if name := os.Getenv("PEAK"); name != "" {
		status, _ := os.ReadFile("/proc/self/status")
		os.WriteFile(name, status, 0o600)
	}
	return out.Status
}

// partCatchUp finishes what was left.
func partCatchUp([]string) int {
	dir, _ := os.Getwd()
	s, err := place.Open(context.Background(), dir, place.FromEnviron(os.Environ()), nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer s.Close()
	b := newBackend(s)
	if hurt := killAt(os.Getenv("KILL"), os.Getenv("STEPS")); hurt != nil {
		hurt(b)
	}
	for _, n := range catchUp(context.Background(), s, newFinisher(s, b), nil) {
		fmt.Fprintln(os.Stderr, "note:", n)
	}
	return 0
}

// options run argv in dir, with a place as the environment says.
func options(dir string, argv ...string) Options {
	return Options{
		Command: child.Command{Argv: argv, Dir: dir, Env: os.Environ()},
		Env:     place.FromEnviron(os.Environ()),
		Now:     time.Now,
	}
}

// shell runs a line.
func shell(dir, line string) Options { return options(dir, "/bin/sh", "-c", line) }

// nowhere is a directory outside any repository, on a machine without git: all
// goes to the user's own shards, and nothing costs a process.
func nowhere(t testing.TB) string {
	t.Helper()
	home := surroundings(t)
	bin := filepath.Join(home, "bin")
	os.Mkdir(bin, 0o700)
	for _, name := range []string{"sleep", "cat"} {
		if path, err := exec.LookPath(name); err == nil {
			os.Symlink(path, filepath.Join(bin, name))
		}
	}
	t.Setenv("PATH", bin)
	dir := filepath.Join(home, "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// repository is a repository of its own.
func repository(t testing.TB) string {
	t.Helper()
	home := surroundings(t)
	dir := filepath.Join(home, "repo")
	git(t, home, "init", "-q", dir)
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func surroundings(t testing.TB) (home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(home, "gitconfig")
	os.WriteFile(config, []byte("[user]\n\tname = tester\n\temail = tester@localhost\n[init]\n\tdefaultBranch = main\n"), 0o600)
	for k, v := range map[string]string{
		"HOME": home, "XDG_STATE_HOME": "", "CAIRN_DIR": "", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": config, "GIT_CEILING_DIRECTORIES": home,
	} {
		t.Setenv(k, v)
	}
	return home
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// site opens the place of dir.
func site(t testing.TB, dir string) *place.Site {
	t.Helper()
	s, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { t.Log(w) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// records are all there are.
func records(t testing.TB, s *place.Site) (all []*manifest.Record) {
	t.Helper()
	for rec, err := range s.Manifest.Records(t.Context(), manifest.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rec)
	}
	return all
}

// kept reads back what a record names: each stream, and both as they were read.
func kept(t testing.TB, s *place.Site, rec *manifest.Record) (stdout, stderr, both string) {
	t.Helper()
	if rec.Raw == nil {
		t.Fatalf("record %s names no bytes", rec.ID)
	}
	both = read(t, s, rec.Raw.OID)
	if int64(len(both)) != rec.Raw.Size {
		t.Errorf("the record says %d bytes, there are %d", rec.Raw.Size, len(both))
	}
	order := string(streams.FromInline(rec.Raw.StreamOrder()))
	if strings.HasPrefix(rec.Raw.StreamOrder(), "sha256:") {
		order = read(t, s, rec.Raw.StreamOrder())
	}
	err := streams.Spans(strings.NewReader(order), rec.Raw.Size, func(sp streams.Span) error {
		if sp.Stream == streams.Stderr {
			stderr += both[sp.Offset:sp.End]
		} else {
			stdout += both[sp.Offset:sp.End]
		}
		return nil
	})
	if err != nil {
		t.Errorf("order %q: %v", rec.Raw.Order, err)
	}
	return stdout, stderr, both
}

func read(t testing.TB, s *place.Site, oid string) string {
	t.Helper()
	id, err := objects.ParseID(strings.TrimPrefix(oid, "sha256:"))
	if err != nil {
		t.Fatal(err)
	}
	obj, err := s.Objects.OpenObject(id)
	if err != nil {
		t.Fatal(err)
	}
	defer obj.Close()
	data, err := io.ReadAll(io.NewSectionReader(obj, 0, 1<<40))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// clean checks that nothing is left behind.
func clean(t testing.TB, s *place.Site) {
	t.Helper()
	for _, d := range []string{"running", "set-aside", "incoming"} {
		entries, _ := os.ReadDir(filepath.Join(s.Dir, d))
		for _, e := range entries {
			if size, err := s.Objects.SpoolSize(e.Name()); d != "incoming" || err == nil && size > 0 {
				t.Errorf("%s/%s was left behind", d, e.Name())
			}
		}
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// lockedFor holds the lock of a file until the test lets go.
func lockedFor(t *testing.T, path string) (unlock func()) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, taken, err := lockfile.Try(f); err != nil || !taken {
		t.Fatal(taken, err)
	}
	return func() { f.Close() }
}

// whileLocked runs do while another holds the lock of path, who lets go a
// little later.
func whileLocked(t *testing.T, path string, do func()) {
	t.Helper()
	unlock, done := lockedFor(t, path), make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(50 * time.Millisecond)
		unlock()
	}()
	do()
	<-done
}

// partChatter writes to its two outputs in turns.
func partChatter(args []string) int {
	n, _ := strconv.Atoi(args[0])
	for range n {
		os.Stdout.WriteString("o")
		os.Stderr.WriteString("e")
	}
	return 0
}

// partFlood writes so many MiB, as lines or as one line.
func partFlood(args []string) int {
	n, _ := strconv.Atoi(args[0])
	line := []byte("2026-11-21T00:00:00 INFO worker handled request number 12345 of 99999 in 17 ms\n")
	if args[1] == "line" {
		line = []byte("abcdefghijklmnopqrstuvwxyz012345")
	}
	block := bytes.Repeat(line, 1<<20/len(line)+1)[:1<<20]
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for range n {
		out.Write(block)
	}
	out.Flush()
	return 0
}
