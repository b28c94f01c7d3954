//go:build unix

package detach

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNothingIsInherited: a caller that hands a pipe to a process which leaves
// another behind sees the end of that pipe.
func TestNothingIsInherited(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "DETACH_TEST=parent", "DETACH_TEST_REPORT="+report)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{nil, nil, w} // descriptor 5
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	text, err := io.ReadAll(out) // to the end of stdout
	if err != nil || string(text) != "started\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := io.ReadAll(r); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(report+".go", nil, 0o600)
	for range 500 {
		if text, err := os.ReadFile(report); err == nil {
			if string(text) != "session leader, in /, extra: hello" {
				t.Errorf("%q", text)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the process that was left behind said nothing")
}

func TestMain(m *testing.M) {
	switch os.Getenv("DETACH_TEST") {
	case "parent":
		leaveBehind()
	case "child":
		leftBehind(os.Getenv("DETACH_TEST_REPORT"))
	default:
		os.Exit(m.Run())
	}
}

func leaveBehind() {
	f, err := os.CreateTemp("", "detach")
	if err == nil {
		defer os.Remove(f.Name())
		f.WriteString("hello")
		self, _ := os.Executable()
		err = Start([]string{self}, append(os.Environ(), "DETACH_TEST=child"), f)
	}
	if err != nil {
		os.Stdout.WriteString(err.Error())
	}
	os.Stdout.WriteString("started\n")
}

// leftBehind waits until its caller is gone, and tells what it found.
func leftBehind(report string) {
	for range 500 {
		if _, err := os.Stat(report + ".go"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	var says []string
	if sid, err := unix.Getsid(0); err == nil && sid == os.Getpid() {
		says = append(says, "session leader")
	}
	wd, _ := os.Getwd()
	text := make([]byte, 10)
	n, _ := os.NewFile(Extra, "extra").ReadAt(text, 0)
	says = append(says, "in "+wd, "extra: "+string(text[:n]))
	os.WriteFile(report+".tmp", []byte(strings.Join(says, ", ")), 0o600)
	os.Rename(report+".tmp", report)
}
