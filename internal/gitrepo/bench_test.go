package gitrepo

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// BenchmarkWorktree reads a working tree of so many files in which one file is edited before
// each turn: from the last snapshot, by git with the stat data of the user's index, and as
// a user would ask git.
//
//	go test ./internal/gitrepo -run - -bench Worktree
func BenchmarkWorktree(b *testing.B) {
	for _, files := range []int{1_000, 10_000, 50_000} {
		dir, kept := newRepo(b), b.TempDir()
		for i := range files {
			write(b, filepath.Join(dir, fmt.Sprint("d", i%200), fmt.Sprint("f", i)), fmt.Sprint(i))
		}
		sh(b, dir, "add", ".")
		sh(b, dir, "commit", "-q", "-m", "many")
		r, ctx := discover(b, dir), context.Background()
		edit := func(i int) {
			write(b, filepath.Join(dir, "code.txt"), fmt.Sprint("edit ", i))
			time.Sleep(12 * time.Millisecond)
		}
		turn := func(name string, read func(w *WorktreeReader) bool) {
			b.Run(fmt.Sprintf("%s/%d", name, files), func(b *testing.B) {
				for i := range b.N {
					b.StopTimer()
					edit(i)
					w := r.WorktreeAt(Now(), kept)
					b.StartTimer()
					if !read(w) {
						b.Fatal("not known")
					}
				}
			})
		}
		readIt := func(w *WorktreeReader) bool { _, err := w.Read(ctx); return err == nil }
		turn("git", readIt)
		turn("snapshot", func(w *WorktreeReader) bool { _, ok := w.Known(ctx); return ok })
		turn("status", func(*WorktreeReader) bool {
			_, err := tryGit(dir, "--no-optional-locks", "status", "-s")
			return err == nil
		})
	}
}
