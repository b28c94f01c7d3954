//go:build unix

package stage

import (
	"bytes"
	"os/exec"
	"testing"
)

// BenchmarkStage is a pipeline of four, under bash and with three of them tapped: a third of the difference is what
// a stage costs.
func BenchmarkStage(b *testing.B) {
	const line = "seq 3 | cat | cat | tail -1"
	shell, err := exec.LookPath("bash")
	if err != nil {
		b.Skip("no bash")
	}
	run := func(b *testing.B, script string) {
		out, err := exec.Command(shell, "-c", script).Output()
		if err != nil || !bytes.Equal(out, []byte("3\n")) {
			b.Fatalf("%v: %q", err, out)
		}
	}
	b.Run("bash", func(b *testing.B) {
		for b.Loop() {
			run(b, line)
		}
	})
	b.Run("tapped", func(b *testing.B) {
		for b.Loop() {
			s, err := Listen(Options{Plan: Read(line, Bash), Program: program, Shell: shell, Begin: func(*Run) Sink { return new(kept) }})
			if err != nil {
				b.Fatal(err)
			}
			run(b, s.Line(line))
			if len(s.Finish()) != 3 {
				b.Fatal("not all are tapped")
			}
		}
	})
}
