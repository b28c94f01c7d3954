package lockfile

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// holdEnv makes the test binary a process that takes the lock on a file, says
// so, and holds it until its standard input ends.
const holdEnv = "LOCKFILE_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holdEnv); path != "" {
		hold(path)
		return
	}
	os.Exit(m.Run())
}

func hold(path string) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, taken, err := Try(f)
	fmt.Println(taken, err)
	io.Copy(io.Discard, os.Stdin)
}

// other starts a process that tries to take the lock, and gives its answer.
func other(t *testing.T, path string) (answer string, kill, end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdEnv+"="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func(how func()) func() {
		return func() { how(); io.Copy(io.Discard, out); cmd.Wait() }
	}
	kill, end = stop(func() { cmd.Process.Kill() }), stop(func() { in.Close() })
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	lines.Scan()
	return lines.Text(), kill, end
}

const (
	got  = "true <nil>"
	lost = "false <nil>"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestBetweenProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f := open(t, path)
	unlock, taken, err := Try(f)
	if err != nil || !taken {
		t.Fatalf("a free lock: %v, %v", taken, err)
	}
	answer, _, end := other(t, path)
	if end(); answer != lost {
		t.Errorf("a lock that we hold: another process says %q", answer)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	answer, kill, _ := other(t, path)
	if answer != got {
		t.Errorf("a lock given back: another process says %q", answer)
	}
	if _, taken, err := Try(f); taken || err != nil {
		t.Errorf("a lock that another process holds: %v, %v", taken, err)
	}
	kill()
	if _, taken, err := Try(f); !taken || err != nil {
		t.Errorf("the lock of a process that was killed: %v, %v", taken, err)
	}
}

// A lock ends with the file that it was taken on, and does not keep others
// from reading it.
func TestClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f := open(t, path)
	if _, err := f.WriteString("words"); err != nil {
		t.Fatal(err)
	}
	if _, taken, err := Try(f); !taken || err != nil {
		t.Fatalf("%v, %v", taken, err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "words" {
		t.Errorf("read %q, %v", data, err)
	}
	f.Close()
	if answer, _, end := other(t, path); answer != got {
		t.Errorf("after closing, another process says %q", answer)
	} else {
		end()
	}
	if _, taken, err := Try(f); taken || err == nil {
		t.Errorf("a closed file: %v, %v", taken, err)
	}
}

// Of many who try at once exactly one gets it.
func TestOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	files := make([]*os.File, 20)
	for i := range files {
		files[i] = open(t, path)
	}
	var winners atomic.Int32
	done := make(chan struct{})
	for _, f := range files {
		go func() {
			defer func() { done <- struct{}{} }()
			_, taken, err := Try(f)
			if err != nil {
				t.Error(err)
			}
			if taken {
				winners.Add(1)
			}
		}()
	}
	for range files {
		<-done
	}
	if n := winners.Load(); n != 1 {
		t.Errorf("%d have the lock", n)
	}
}
