package gitrepo

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func BenchmarkDiscover(b *testing.B) {
	dir := newRepo(b)
	b.Run("cairn", func(b *testing.B) {
		for b.Loop() {
			discover(b, dir)
		}
	})
	b.Run("bare-process", func(b *testing.B) { // what one process costs: git that does nothing
		for b.Loop() {
			cmd := exec.Command("git", "--exec-path")
			cmd.Dir = dir
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCommit is one line of 1 KB appended to a shard, as a lone capture
// does. "prepared" has the process started and the configuration read before.
func BenchmarkCommit(b *testing.B) {
	for _, size := range []int{1, 64} { // KB already in the shard
		for _, prepared := range []bool{false, true} {
			b.Run(fmt.Sprintf("shard=%dKB/prepared=%v", size, prepared), func(b *testing.B) {
				dir := newRepo(b)
				r := discover(b, dir)
				first := r.OpenBranch("cairn")
				for i := range size {
					commitLine(b, first, "manifest/2026/11/20/w-1.jsonl", benchLine(i))
				}
				first.Close()
				n := 0
				for b.Loop() {
					b.StopTimer()
					n++
					r := discover(b, dir)
					br := r.OpenBranch("cairn")
					if prepared {
						br.Prepare(context.Background())
						br.waitPrepared() // the child runs meanwhile
					}
					line := benchLine(size + n)
					merge := func(old []byte) []byte {
						return append(old[:len(old)-min(len(old), 1<<10)], line...) // constant size
					}
					b.StartTimer()
					_, err := br.Commit(context.Background(), []Change{{"manifest/2026/11/20/w-1.jsonl", merge}}, "pytest failed", "", when)
					b.StopTimer()
					if err != nil {
						b.Fatal(err)
					}
					br.Close()
					b.StartTimer()
				}
			})
		}
	}
}

func benchLine(i int) string {
	s := fmt.Sprintf(`{"v":1,"id":"%026d","argv":["pytest","-q"],"exit":%d,"result":"`, i, i%7)
	for j := 0; len(s) < 1000; j++ {
		s += fmt.Sprintf("%x ", (i+1)*(j+7919)*2654435761)
	}
	return s[:1000] + strings.Repeat("x", 21) + `"}` + "\n"
}

func (b *Branch) waitPrepared() {
	b.mu.Lock()
	defer b.mu.Unlock()
}
