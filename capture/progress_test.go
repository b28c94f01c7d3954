//go:build unix

package capture

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"pgregory.net/rapid"

	"cairn/capture/child"
	"cairn/objects"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 10, "short"}, {"exactly", 7, "exactly"}, {"too long", 5, "too…"},
		{"世界世界", 8, "世界世界"}, {"世界世界", 7, "世界…"}, {"世界世界", 6, "世界…"}, {"x", 0, ""}, {"xy", 1, ""}, {"", 0, ""}, {"x", -1, ""},
	} {
		if got := clip(tt.in, tt.n); got != tt.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(1, 30).Draw(t, "n")
		if got := clip(s, n); columns(got) > n {
			t.Fatalf("clip(%q, %d) = %q", s, n, got)
		}
	})
}

func TestProgressText(t *testing.T) {
	for _, tt := range []struct {
		name   string
		chunks []string
		want   string
	}{
		{"no output", nil, "0s  0 lines"},
		{"lines", []string{"one\ntwo\n"}, "0s  2 lines  two"},
		{"blank at the end", []string{"one\n\n \r\n"}, "0s  3 lines  one"},
		{"in pieces", []string{"on", "e\ntw", "o\n"}, "0s  2 lines  two"},
		{"not ended", []string{"one\nasking? "}, "0s  1 line  asking?"},
		{"escapes", []string{"\x1b[2J\x1b[31mred\x1b[0m\a\n"}, "0s  1 line  red"},
		{"carriage return", []string{"10%\r20%\n"}, "0s  1 line  10% 20%"},
		{"secret", []string{"token " + secretFor("H3") + "\n"}, "0s  1 line  token [redacted:github-pat]"},
		{"long", []string{strings.Repeat("x", 10000)}, "0s  0 lines  " + strings.Repeat("x", 64) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgress(new(bytes.Buffer), func() time.Time { return time.Unix(0, 0) })
			for _, c := range tt.chunks {
				p.chunk(child.Stdout, []byte(c))
			}
			if got := p.text(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			p.stop()
		})
	}
}

// screen is what a terminal of one line shows, and whether it ever wrapped.
func screen(text string, width int) (shown string, wrapped bool) {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\r"); ok {
			text = rest
			if rest, ok = strings.CutPrefix(text, "\x1b[K"); ok {
				text, shown = rest, ""
			}
			continue
		}
		r := []rune(text)[0]
		shown, text = shown+string(r), text[len(string(r)):]
		wrapped = wrapped || columns(shown) >= width
	}
	return shown, wrapped
}

// On a terminal the line comes, never wraps, and is gone at the end; stdout
// has the answer only.
func TestProgressOnTerminal(t *testing.T) {
	for _, width := range []uint16{80, 20, 3} {
		dir := nowhere(t)
		ptmx, tty, err := pty.Open()
		if err != nil {
			t.Skip(err)
		}
		pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: width})
		cmd := part(t, dir, "capture", []string{"PROGRESS=1"}, "/bin/sh", "-c", "echo 世界世界世界世界世界世界世界世界 is working on it; while [ ! -e seen ]; do sleep 0.02; done; exit 3")
		var stdout bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, tty
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		text := untilSeen(ptmx, filepath.Join(cmd.Dir, "seen"), width)
		ptmx.Close()
		cmd.Wait()
		if stdout.String() != "answer: failed\n" {
			t.Errorf("stdout: %q", stdout.String())
		}
		shown, wrapped := screen(string(text), int(width))
		if !bytes.Contains(text, []byte("1 line")) && width > 3 || shown != "" || wrapped {
			t.Errorf("width %d: %q leaves %q, wrapped: %v", width, text, shown, wrapped)
		}
	}
}

// untilSeen reads a terminal to its end, and makes the file seen as soon as the
// status line has come.
func untilSeen(ptmx *os.File, seen string, width uint16) (text []byte) {
	buf := make([]byte, 4096)
	for made := false; ; {
		n, err := ptmx.Read(buf)
		text = append(text, buf[:n]...)
		if !made && (bytes.Contains(text, []byte("1 line")) || width <= 3 && n > 0) {
			os.WriteFile(seen, nil, 0o600)
			made = true
		}
		if err != nil { // EIO at the end
			return text
		}
	}
}

// Ctrl-C at the terminal ends the command, and cairn records it: 130.
func TestCtrlC(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		presses    int
		signal     string
		status     int
		says       string
	}{
		{"once", "echo ready; exec sleep 30", 1, "SIGINT", 130, "killed by SIGINT"},
		{"twice", "trap '' INT; echo ready; sleep 30; sleep 30", 2, "SIGKILL", 137, "SIGKILL on the second SIGINT"},
		{"answered", "trap 'exit 0' INT; echo ready; sleep 30 & wait", 1, "", 0, "interrupted by SIGINT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := nowhere(t)
			cmd := part(t, dir, "capture", []string{"LIVE=1"}, "/bin/sh", "-c", tt.line)
			ptmx, err := pty.Start(cmd)
			if err != nil {
				t.Skip(err)
			}
			defer ptmx.Close()
			waitFor(t, ptmx, "ready")
			for range tt.presses {
				ptmx.Write([]byte{3})
				time.Sleep(200 * time.Millisecond) // two at once are one signal
			}
			go io.Copy(io.Discard, ptmx)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("status %d", got)
			}
			checkSignalled(t, dir, tt.signal, tt.says)
		})
	}
}

func checkSignalled(t *testing.T, dir, signal, says string) {
	t.Helper()
	s := site(t, dir)
	all := records(t, s)
	if len(all) != 1 || all[0].Signal != signal || (all[0].Exit != nil) != (signal == "") || all[0].Partial {
		t.Fatalf("%s", mustJSON(all))
	}
	if r, err := all[0].Result(); err != nil || !strings.Contains(r.Summary, says) {
		t.Errorf("%v: says %q, want %q", err, r.Summary, says)
	}
	if n := strings.Count(all[0].Says, "SIGKILL"); n > 1 {
		t.Errorf("says %q", all[0].Says)
	}
	if anew, err := Parse(s, all[0]); err != nil || !strings.Contains(anew.Summary, says) {
		t.Errorf("parsed again, %v: %q, want %q", err, anew.Summary, says)
	}
	if stdout, _, _ := kept(t, s, all[0]); !strings.Contains(stdout, "ready") {
		t.Errorf("stdout %q", stdout)
	}
	clean(t, s)
}

func waitFor(t *testing.T, r io.Reader, text string) {
	t.Helper()
	var seen []byte
	buf := make([]byte, 256)
	for !bytes.Contains(seen, []byte(text)) {
		n, err := r.Read(buf)
		if seen = append(seen, buf[:n]...); err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
	}
}

// Signals that come while a capture is being recorded do not keep it from it.
func TestSignalsDuringFinish(t *testing.T) {
	dir := nowhere(t)
	o := shell(dir, "echo ready; exit 3")
	o.hurt = func(b *backend) {
		put := b.receive
		b.receive = func(name string) (incoming, error) {
			in, err := put(name)
			return signalled{in}, err
		}
	}
	out := Run(t.Context(), o)
	out.CatchUp(t.Context())
	all := records(t, site(t, dir))
	if out.Status != 3 || out.Trouble != nil || len(all) != 1 || *all[0].Exit != 3 {
		t.Errorf("%d %v %s", out.Status, out.Trouble, mustJSON(all))
	}
}

// signalled gets a burst of signals while it commits.
type signalled struct{ incoming }

func (s signalled) Commit() (objects.Info, error) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		syscall.Kill(os.Getpid(), sig)
	}
	return s.incoming.Commit()
}

// A reader of --live that goes away ends neither the command nor its record.
func TestClosedStdout(t *testing.T) {
	dir := nowhere(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := part(t, dir, "capture", []string{"LIVE=1"}, "/bin/sh", "-c", "echo one; sleep 0.1; echo two; sleep 0.1; echo three; exit 3")
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	r.Close()
	cmd.Wait()
	s := site(t, dir)
	all := records(t, s)
	if cmd.ProcessState.ExitCode() != 3 || len(all) != 1 || *all[0].Exit != 3 {
		t.Fatalf("%v %s", cmd.ProcessState, mustJSON(all))
	}
	if stdout, _, _ := kept(t, s, all[0]); stdout != "one\ntwo\nthree\n" {
		t.Errorf("%q", stdout)
	}
}
