//go:build unix

package child

import (
	"context"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// BenchmarkTrue is from the start of a child that does nothing to its end, by us and by os/exec alone.
func BenchmarkTrue(b *testing.B) {
	b.Run("child", func(b *testing.B) {
		for b.Loop() {
			p, err := Start(context.Background(), Command{Argv: []string{"/bin/true"}})
			if err != nil {
				b.Fatal(err)
			}
			p.Wait(nil)
		}
	})
	b.Run("os-exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("os-exec-pipes", func(b *testing.B) {
		for b.Loop() {
			c := exec.Command("/bin/true")
			c.Stdout, c.Stderr = discard{}, discard{}
			if err := c.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error)                     { return len(p), nil }
func (discard) Chunk(_ Stream, _ time.Duration, _ []byte) error { return nil }

// BenchmarkGigabyte is the output of a fast writer, read and dropped.
func BenchmarkGigabyte(b *testing.B) {
	const size = 1 << 30
	argv := []string{"head", "-c", strconv.Itoa(size), "/dev/zero"}
	b.Run("child", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			p, err := Start(context.Background(), Command{Argv: argv})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Wait(discard{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("os-exec", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			c := exec.Command(argv[0], argv[1:]...)
			c.Stdout = discard{}
			if err := c.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
