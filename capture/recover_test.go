//go:build unix

package capture

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cairn/capture/recovery"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

// killAt makes the process kill itself at one step ("append#1:before"), and
// writes the steps that it comes to into a file.
func killAt(step, list string) func(*backend) {
	if step == "" && list == "" {
		return nil
	}
	d := &dying{step: step, list: list, count: map[string]int{}}
	return d.hurt
}

type dying struct {
	mu         sync.Mutex
	step, list string
	count      map[string]int
}

// at runs do between two places to die at.
func (d *dying) at(name string, do func()) {
	d.mu.Lock()
	d.count[name]++
	name = fmt.Sprintf("%s#%d", name, d.count[name])
	d.mu.Unlock()
	d.pass(name + ":before")
	do()
	d.pass(name + ":after")
}

// times says how often a step was come to.
func (d *dying) times(name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count[name]
}

func (d *dying) pass(place string) {
	if place == d.step {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	if d.list != "" {
		f, _ := os.OpenFile(d.list, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		fmt.Fprintln(f, place)
		f.Close()
	}
}

func (d *dying) hurt(b *backend) {
	was := *b
	b.write = func(f *os.File, p []byte) (n int, err error) {
		d.at("write", func() { n, err = was.write(f, p) })
		return n, err
	}
	b.receive = func(name string) (incoming, error) {
		in, err := was.receive(name)
		return dyingSpool{in, d}, err
	}
	b.put = func(r io.Reader) (info objects.Info, err error) {
		d.at("put", func() { info, err = was.put(r) })
		return info, err
	}
	b.append = func(ctx context.Context, rec *manifest.Record) (err error) {
		d.at("append", func() { err = was.append(ctx, rec) })
		return err
	}
	b.sync = func(f *os.File) (err error) {
		d.at("sync", func() { err = was.sync(f) })
		return err
	}
	b.add = func(ctx context.Context, rec *manifest.Record) (err error) {
		d.at("add", func() { err = was.add(ctx, rec) })
		return err
	}
	b.link = func(old, new string) (err error) {
		d.at("link", func() { err = was.link(old, new) })
		return err
	}
	b.recover = func(l objects.Leftover) (info objects.Info, err error) {
		d.at("recover", func() { info, err = was.recover(l) })
		return info, err
	}
	b.parse = func(in parsers.Input, exit result.Exit) (r *result.ToolResult) {
		d.at("parse", func() { r = was.parse(in, exit) })
		return r
	}
	b.remove = func(path string) (err error) {
		d.at("remove", func() { err = was.remove(path) })
		return err
	}
}

type dyingSpool struct {
	incoming
	d *dying
}

func (s dyingSpool) Write(p []byte) (n int, err error) {
	s.d.at("spool", func() { n, err = s.incoming.Write(p) })
	if dir := os.Getenv("HEARD"); dir != "" {
		os.WriteFile(filepath.Join(dir, fmt.Sprint(s.d.times("spool"))), nil, 0o600)
	}
	return n, err
}

func (s dyingSpool) Commit() (info objects.Info, err error) {
	s.d.at("commit", func() { info, err = s.incoming.Commit() })
	return info, err
}

func (s dyingSpool) CommitUnsynced() (info objects.Info, err error) {
	s.d.at("commit", func() { info, err = s.incoming.CommitUnsynced() })
	return info, err
}

// victim prints on both streams, in an order that is certain, and fails. With HEARD it
// waits before each word until the spool has the one before, so that each comes in a
// read of its own however busy the machine is; else it waits a moment.
const victim = `n=0
heard() {
	n=$((n+1))
	[ "$HEARD" ] || { sleep 0.03; return; }
	until [ -e "$HEARD/$n" ]; do kill -0 $PPID || exit 9; sleep 0.01; done
}
printf out1; heard; printf err1 >&2; heard; printf out2; heard; printf err2 >&2; heard; printf out3; exit 3`

// die runs a part that is to be killed at step; "" lists the steps instead.
func die(t *testing.T, dir, name, step string, args ...string) (steps []string) {
	t.Helper()
	list := ""
	if step == "" {
		list = filepath.Join(t.TempDir(), "steps")
	}
	cmd := part(t, dir, name, []string{"KILL=" + step, "STEPS=" + list, "HEARD=" + t.TempDir()}, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err := cmd.Run()
	if step != "" {
		if !killed(err) {
			t.Fatalf("%s was not killed at %s: %v %s", name, step, err, errs.String())
		}
		return nil
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func killed(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// A capture that is killed at any step is recorded by the next command: once,
// with every byte that was kept and its stream, and with the real status if the
// command had ended.
func TestKilledAnywhere(t *testing.T) {
	steps := die(t, nowhere(t), "capture", "", "/bin/sh", "-c", victim)
	if len(steps) < 24 {
		t.Fatalf("too few steps: %q", steps)
	}
	ended := false
	for _, step := range steps {
		ended = ended || step == "commit#1:before" // the journal knows of the end by then
		t.Run(step, func(t *testing.T) {
			dir := nowhere(t)
			die(t, dir, "capture", step, "/bin/sh", "-c", victim)
			s := site(t, dir)
			for range 2 {
				if notes := CatchUp(t.Context(), s, true, nil); len(notes) > 1 {
					t.Errorf("notes: %q", notes)
				}
			}
			if step == "write#1:before" { // nothing was read: only an empty journal says that there was a capture
				if n := len(records(t, s)); n != 0 {
					t.Errorf("%d records of nothing", n)
				}
				return
			}
			checkVictim(t, dir, ended)
		})
	}
}

// checkVictim checks the one record of the victim.
func checkVictim(t *testing.T, dir string, ended bool) {
	t.Helper()
	s := site(t, dir)
	all := records(t, s)
	if len(all) != 1 {
		t.Fatalf("%d records, want 1: %s", len(all), mustJSON(all))
	}
	rec := all[0]
	stdout, stderr, _ := kept(t, s, rec)
	if !strings.HasPrefix("out1out2out3", stdout) || !strings.HasPrefix("err1err2", stderr) {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
	r, err := rec.Result()
	if err != nil || r == nil {
		t.Fatalf("result: %v %v", r, err)
	}
	if ended {
		if rec.Partial || rec.Exit == nil || *rec.Exit != 3 || r.Status != result.Failed || stdout != "out1out2out3" || stderr != "err1err2" {
			t.Errorf("the command had ended, and the record is %s", mustJSON(rec))
		}
	} else if !rec.Partial && rec.Exit == nil || rec.Partial && r.Status != result.Unknown {
		t.Errorf("the command had not ended, and the record is %s", mustJSON(rec))
	}
	clean(t, s)
}

// Recovery is killed at any of its own steps, and again, and the next recovery ends it.
func TestKilledInRecovery(t *testing.T) {
	// Each has a dozen steps of recovery to die in. CI tries all.
	deaths := []string{"spool#3:after", "append#1:after"}
	if os.Getenv("CAIRN_TEST_THOROUGH") != "" {
		deaths = append(deaths, "commit#1:after", "append#1:before")
	}
	for _, first := range deaths {
		t.Run(first, func(t *testing.T) {
			dir := nowhere(t)
			die(t, dir, "capture", first, "/bin/sh", "-c", victim)
			for _, step := range die(t, dir, "catch-up", "") {
				t.Run(step, func(t *testing.T) {
					dir := nowhere(t)
					die(t, dir, "capture", first, "/bin/sh", "-c", victim)
					for range 3 {
						die(t, dir, "catch-up", step)
						if !strings.HasSuffix(step, ":before") {
							break // it does not come to it again
						}
					}
					CatchUp(t.Context(), site(t, dir), true, nil)
					checkVictim(t, dir, first != "spool#3:after")
					checkKept(t, dir, first)
				})
			}
		})
	}
}

// checkKept checks that recovery lost none of what the victim had in its spool.
func checkKept(t *testing.T, dir, death string) {
	t.Helper()
	want := "out1err1out2err2out3"
	if death == "spool#3:after" {
		want = "out1err1out2"
	}
	s := site(t, dir)
	if _, _, both := kept(t, s, records(t, s)[0]); both != want {
		t.Errorf("%q was kept, want %q", both, want)
	}
}

// One recovery after the other is killed, each a step later than the one before.
func TestKilledInEveryRecovery(t *testing.T) {
	const death = "spool#3:after"
	dir, deaths := nowhere(t), 0
	die(t, dir, "capture", death, "/bin/sh", "-c", victim)
	steps := die(t, dir, "catch-up", "")
	dir = nowhere(t)
	die(t, dir, "capture", death, "/bin/sh", "-c", victim)
	for _, step := range steps {
		err := part(t, dir, "catch-up", []string{"KILL=" + step, "STEPS="}).Run()
		if killed(err) {
			deaths++
		} else if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
	}
	if deaths < 6 {
		t.Errorf("killed %d times in %q", deaths, steps)
	}
	CatchUp(t.Context(), site(t, dir), true, nil)
	checkVictim(t, dir, false)
	checkKept(t, dir, death)
}

// Many recover the same captures at once, while others are still being made.
func TestManyRecoverers(t *testing.T) {
	dir := nowhere(t)
	const dead, helpers = 6, 8
	for range dead {
		die(t, dir, "capture", "commit#1:after", "/bin/sh", "-c", "printf out1; exit 3")
	}
	var wait sync.WaitGroup
	for i := range helpers {
		wait.Go(func() {
			cmd := part(t, dir, "catch-up", nil)
			if i%2 == 0 {
				cmd = part(t, dir, "capture", nil, "/bin/sh", "-c", "printf out1; exit 3")
			}
			out, _ := cmd.CombinedOutput()
			if strings.Contains(string(out), "trouble") {
				t.Errorf("%s", out)
			}
		})
	}
	wait.Wait()
	s := site(t, dir)
	CatchUp(t.Context(), s, true, nil)
	all := records(t, s)
	if len(all) != dead+helpers/2 {
		t.Errorf("%d records, want %d", len(all), dead+helpers/2)
	}
	ids := map[string]bool{}
	for _, rec := range all {
		if ids[rec.ID] = true; rec.Exit == nil || *rec.Exit != 3 || rec.Partial || rec.Raw.Size != 4 {
			t.Errorf("%s", mustJSON(rec))
		}
	}
	if len(ids) != len(all) {
		t.Error("a capture was recorded twice")
	}
	clean(t, s)
}

// The lock of a spool may outlive that of its journal for a moment.
func TestSpoolStillHeld(t *testing.T) {
	dir := nowhere(t)
	die(t, dir, "capture", "spool#5:after", "/bin/sh", "-c", victim)
	s := site(t, dir)
	names, err := recovery.Names(s.Dir)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	whileLocked(t, s.Objects.SpoolPath(names[0]), func() { CatchUp(t.Context(), s, true, nil) })
	checkVictim(t, dir, false)
	if _, _, both := kept(t, s, records(t, s)[0]); both != "out1err1out2err2out3" {
		t.Errorf("%q", both)
	}
}
