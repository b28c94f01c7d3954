package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// others measures the alternatives that are installed.
func others(ctx context.Context, r *report, tmp, logs string) error {
	for _, o := range []struct{ name, program, line string }{
		{"zstd -3, a file each", "zstd", `cp -r "$1" "$2" && find "$2" -name '*.log' -exec zstd -q --rm -3 {} +`},
		{"zstd -19, a file each", "zstd", `cp -r "$1" "$2" && find "$2" -name '*.log' -exec zstd -q --rm -19 {} +`},
		{"git, a commit a day, loose", "git", gitLine},
		{"git, after git gc", "git", gitLine + ` && git -C "$2" gc -q`},
		{"restic, a backup a day", "restic", `export RESTIC_PASSWORD=x && restic -q -r "$2" init && for day in "$1"/*; do restic -q -r "$2" --no-cache backup "$day" || exit 1; done`},
	} {
		if _, err := exec.LookPath(o.program); err != nil {
			fmt.Fprintf(r.w, "%-28s not installed\n", o.name)
			continue
		}
		dir, err := os.MkdirTemp(tmp, "other-")
		if err != nil {
			return err
		}
		to := filepath.Join(dir, "it")
		cmd := exec.CommandContext(ctx, "sh", "-c", o.line, "sh", logs, to)
		cmd.Env = append(os.Environ(), "HOME="+tmp, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@localhost", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@localhost")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", o.name, err, out)
		}
		s, err := sizeOf(to)
		if err != nil {
			return err
		}
		r.line(o.name, s)
	}
	return nil
}

// gitLine commits the outputs of each day, each over that of the run before, without keeping a working tree.
const gitLine = `git init -q --bare "$2" && for day in "$1"/*; do for run in 0 1 2 3 4 5 6 7 8 9; do
	found=; for f in "$day"/*-$run.log; do [ -e "$f" ] && found=yes; done; [ "$found" ] || continue
	mkdir -p "$2.tree" && for f in "$day"/*-$run.log; do n=$(basename "$f"); cp "$f" "$2.tree/${n%-*}.log"; done
	git --git-dir="$2" --work-tree="$2.tree" -c gc.auto=0 add -A && git --git-dir="$2" --work-tree="$2.tree" -c gc.auto=0 commit -q --allow-empty -m run || exit 1
done; done`
