//go:build unix

package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fileWith is an open file with this content.
func fileWith(t *testing.T, content []byte) *os.File {
	t.Helper()
	f, err := os.Open(write(t, t.TempDir()+"/in", string(content), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestBytesAreExact(t *testing.T) {
	random := make([]byte, 3_000_000)
	rand.NewChaCha8([32]byte{1}).Read(random)
	tests := map[string][]byte{
		"nothing":       nil,
		"NUL":           []byte("a\x00b\x00\x00"),
		"invalid UTF-8": []byte("\xff\xfe\xc3\x28\xed\xa0\x80"),
		"no line end":   []byte("last"),
		"random":        random,
	}
	for name, data := range tests {
		t.Run(name, func(t *testing.T) {
			cmd := helper("cat")
			cmd.Stdin = fileWith(t, data)
			rec, exit := run(t, cmd)
			if !bytes.Equal(rec.out[Stdout], data) || len(rec.out[Stderr]) > 0 || exit.Code != 0 {
				t.Errorf("got %d bytes of %d, %+v", len(rec.all), len(data), exit)
			}
		})
	}
	t.Run("standard input is a pipe", func(t *testing.T) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		go func() { w.Write(random); w.Close() }()
		cmd := helper("cat")
		cmd.Stdin = r
		if rec, _ := run(t, cmd); !bytes.Equal(rec.out[Stdout], random) {
			t.Errorf("got %d bytes of %d", len(rec.all), len(random))
		}
	})
	t.Run("standard input is not ours", func(t *testing.T) {
		f := fileWith(t, []byte("line one\nline two\n"))
		run(t, Command{Argv: []string{"true"}, Stdin: f})
		if at, _ := f.Seek(0, 1); at != 0 {
			t.Errorf("read %d bytes that the child did not want", at)
		}
	})
	t.Run("no standard input", func(t *testing.T) {
		if rec, exit := run(t, helper("cat")); len(rec.all) != 0 || exit.Code != 0 {
			t.Errorf("%q %+v", rec.all, exit)
		}
	})
	t.Run("outputs closed by the child", func(t *testing.T) {
		rec, exit := run(t, Command{Shell: "echo a; exec >&- 2>&-; exit 4"})
		if string(rec.all) != "a\n" || exit.Code != 4 || exit.OpenPipes {
			t.Errorf("%q %+v", rec.all, exit)
		}
	})
}

func TestAlternatingLines(t *testing.T) {
	const lines = 100_000
	rec, _ := run(t, helper("alternate", strconv.Itoa(lines)))
	for stream, first := range map[Stream]int{Stdout: 0, Stderr: 1} {
		var want []byte
		for i := first; i < lines; i += 2 {
			want = append(strconv.AppendInt(want, int64(i), 10), '\n')
		}
		if !bytes.Equal(rec.out[stream], want) {
			t.Errorf("%s is not what was written", stream)
		}
	}
	if len(rec.all) != len(rec.out[Stdout])+len(rec.out[Stderr]) {
		t.Error("the whole is not the sum of its streams")
	}
	for i := 1; i < len(rec.at); i++ {
		if rec.at[i] < rec.at[i-1] {
			t.Fatalf("chunk %d is older than the one before it", i)
		}
	}
	// How good the order is depends on the machine; here it is only reported.
	displaced, last := 0, -1
	for _, line := range strings.Fields(string(rec.all)) {
		n, err := strconv.Atoi(line)
		if err != nil {
			continue // a line cut by a chunk of the other stream
		}
		if n < last {
			displaced++
		}
		last = max(last, n)
	}
	t.Logf("%d chunks, %d of %d lines after a later one", len(rec.runs), displaced, lines)
}

// TestReadOrder makes the child write to one stream only after what it wrote to the other was read, so that the
// order is known.
func TestReadOrder(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p, err := Start(context.Background(), Command{
		Shell: `echo 0; while read n; do if [ $((n % 2)) = 0 ]; then echo $n; else echo $n >&2; fi; done`, Stdin: r,
	})
	if err != nil {
		t.Fatal(err)
	}
	const lines = 400
	var got []string
	p.Wait(sinkFunc(func(s Stream, _ time.Duration, b []byte) error {
		got = append(got, s.String()+" "+strings.TrimSpace(string(b)))
		if len(got) == lines {
			return w.Close()
		}
		_, err := fmt.Fprintln(w, len(got))
		return err
	}))
	for i, line := range got {
		if want := fmt.Sprintf("%s %d", []Stream{Stdout, Stderr}[i%2], i); line != want {
			t.Fatalf("chunk %d is %q, want %q", i, line, want)
		}
	}
	if len(got) != lines {
		t.Errorf("%d lines of %d", len(got), lines)
	}
}

func TestLongLine(t *testing.T) {
	const size = 100 << 20
	p, err := Start(context.Background(), helper("flood", strconv.Itoa(size)))
	if err != nil {
		t.Fatal(err)
	}
	total, largest := 0, 0
	_, err = p.Wait(sinkFunc(func(_ Stream, _ time.Duration, b []byte) error {
		total, largest = total+len(b), max(largest, len(b))
		return nil
	}))
	if err != nil || total != size || largest > bufferSize {
		t.Errorf("%d bytes of %d, at most %d at once, %v", total, size, largest, err)
	}
}

func TestFirstByteAtOnce(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := helper("first")
	cmd.Stdin = r
	_, rec, done := background(t, cmd)
	rec.await("x") // the child has not ended, and will not before its input does
	w.Close()
	<-done
}

func TestSlowSink(t *testing.T) {
	const size = 4 << 20
	p, err := Start(context.Background(), helper("flood", strconv.Itoa(size)))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	exit, err := p.Wait(sinkFunc(func(_ Stream, _ time.Duration, b []byte) error {
		total += len(b)
		time.Sleep(2 * time.Millisecond)
		return nil
	}))
	if err != nil || total != size || exit.Code != 0 || exit.OpenPipes {
		t.Errorf("%d bytes of %d, %+v %v", total, size, exit, err)
	}
}

func TestFailingSink(t *testing.T) {
	full := errors.New("disk full")
	p, err := Start(context.Background(), helper("flood", "1000000"))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	exit, err := p.Wait(sinkFunc(func(Stream, time.Duration, []byte) error {
		calls++
		if calls == 2 {
			return full
		}
		return nil
	}))
	if calls != 2 || !errors.Is(err, full) || exit.SinkErr != full || exit.ReadErr != nil || exit.Code != 0 {
		t.Errorf("%d calls, %v, %+v", calls, err, exit)
	}
}

func TestDescendantsHoldThePipe(t *testing.T) {
	for _, how := range []string{"quiet", "chatty"} {
		t.Run(how, func(t *testing.T) {
			cmd := helper("leave", how)
			cmd.Drain = 20 * time.Millisecond
			rec, exit := run(t, cmd)
			pid := pidAfter(t, string(rec.out[Stdout]), "left")
			defer syscall.Kill(pid, syscall.SIGKILL)
			if !exit.OpenPipes || exit.Code != 3 || exit.TimedOut {
				t.Errorf("%+v", exit)
			}
			if how == "quiet" && !alive(pid) {
				t.Error("the descendant was ended; it is none of our business")
			}
		})
	}
	t.Run("slow sink loses nothing", func(t *testing.T) {
		// The pipe is full when the child ends, and the sink takes longer than the whole drain.
		p, err := Start(context.Background(), Command{
			Shell: "sleep 60 & echo $!; head -c 60000 /dev/zero", Drain: time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		rec := newRecord()
		exit, _ := p.Wait(sinkFunc(func(s Stream, at time.Duration, b []byte) error {
			for alive(p.Pid()) {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(30 * time.Millisecond) // reading is cut meanwhile
			return rec.Chunk(s, at, b)
		}))
		line, zeros, _ := bytes.Cut(rec.out[Stdout], []byte("\n"))
		syscall.Kill(number(string(line)), syscall.SIGKILL)
		if len(zeros) != 60000 || !exit.OpenPipes {
			t.Errorf("%d bytes, %+v", len(zeros), exit)
		}
	})
	t.Run("descendants that end in time are waited for", func(t *testing.T) {
		rec, exit := run(t, Command{Shell: "(sleep 0.05; echo late) & echo early", Drain: 10 * time.Second})
		if string(rec.all) != "early\nlate\n" || exit.OpenPipes {
			t.Errorf("%q %+v", rec.all, exit)
		}
	})
}
