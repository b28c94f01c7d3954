package objects_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cairn/objects"
)

// child is this test binary run as another process; see TestMain.
func child(mode string) int {
	s := objects.Open(os.Getenv("OBJECTS_TEST_ROOT"))
	var err error
	switch mode {
	case "write": // endlessly, saying how many bytes were acknowledged
		err = childWrite(s)
	case "put": // the same objects as every other child
		for i := 0; i < 40 && err == nil; i++ {
			b := Text(uint64(i), 1+i*3000)
			var info objects.Info
			if info, err = s.Put(bytes.NewReader(b)); err == nil {
				fmt.Println(info.ID)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func childWrite(s *objects.Store) error {
	in, err := s.Receive("run")
	chunk, _ := strconv.Atoi(os.Getenv("OBJECTS_TEST_CHUNK"))
	all := Text(1, 16<<20)
	for err == nil {
		at := int(in.Size())
		_, err = in.Write(all[at:min(len(all), at+chunk)])
		fmt.Println(in.Size())
	}
	return err
}

func startChild(t *testing.T, mode, root string, env ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), env...), "OBJECTS_TEST_CHILD="+mode, "OBJECTS_TEST_ROOT="+root)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// TestKill kills a writer outright; all that it acknowledged must come back.
func TestKill(t *testing.T) {
	for _, test := range []struct{ chunk, atLeast int }{{1, 1}, {100, 5_000}, {4096, 300_000}, {1 << 16, 5 << 20}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			root := t.TempDir()
			cmd, out := startChild(t, "write", root, fmt.Sprint("OBJECTS_TEST_CHUNK=", test.chunk))
			acked := 0
			for lines := bufio.NewScanner(out); acked < test.atLeast && lines.Scan(); {
				acked, _ = strconv.Atoi(lines.Text())
			}
			s := objects.Open(root)
			if left, err := s.Abandoned(); err != nil || len(left) > 0 {
				t.Errorf("while it lives: %v, %v", left, err)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			left, err := s.Abandoned()
			if err != nil || len(left) != 1 || left[0].Name != "run" || left[0].Size < int64(acked) {
				t.Fatalf("acknowledged %d bytes; abandoned: %+v, %v", acked, left, err)
			}
			info, err := left[0].Recover()
			if err != nil || info.Size != left[0].Size {
				t.Fatalf("recovered %+v, %v", info, err)
			}
			CheckObject(t, s, info.ID, Text(1, 16<<20)[:info.Size])
			if left, err := s.Abandoned(); err != nil || len(left) > 0 {
				t.Errorf("afterwards: %v, %v", left, err)
			}
		})
	}
}

// TestProcesses puts equal bytes from many processes and goroutines at once.
func TestProcesses(t *testing.T) {
	root := t.TempDir()
	var wg sync.WaitGroup
	ids := make(chan string, 10_000)
	for range 6 {
		cmd, out := startChild(t, "put", root)
		wg.Go(func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				ids <- strings.TrimSpace(lines.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(ids)
	s, n := objects.Open(root), 0
	for text := range ids {
		n++
		id, err := objects.ParseID(text)
		if err != nil || !s.Has(id) {
			t.Fatalf("acknowledged %q: %v", text, err)
		}
	}
	if n != 6*40 {
		t.Errorf("%d puts were acknowledged", n)
	}
	checkSound(t, s, 40)
}
