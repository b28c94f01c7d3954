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
// does, with the branch moved in its files and by git.
func BenchmarkCommit(b *testing.B) {
	for _, size := range []int{1, 64} { // KB already in the shard
		for _, by := range movers {
			b.Run(fmt.Sprintf("shard=%dKB/by=%s", size, by.name), func(b *testing.B) {
				dir := newRepo(b)
				by.force(b, dir)
				r := discover(b, dir)
				first := r.OpenBranch("cairn")
				for i := range size {
					commitLine(b, first, "manifest/2026/11/20/w-1.jsonl", benchLine(i))
				}
				n := 0
				for b.Loop() {
					n++
					line := benchLine(size + n)
					merge := func(old []byte) []byte {
						return append(old[:len(old)-min(len(old), 1<<10)], line...) // constant size
					}
					if _, err := discover(b, dir).OpenBranch("cairn").Commit(context.Background(), []Change{{"manifest/2026/11/20/w-1.jsonl", merge}}, "pytest failed", "", when); err != nil {
						b.Fatal(err)
					}
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
