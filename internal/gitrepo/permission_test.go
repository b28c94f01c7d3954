package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/nobodytest"
)

// TestNoPermission runs as an ordinary user, since root may write anywhere.
func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		nobodytest.Run(t)
		return
	}
	ctx := context.Background()
	commit := func(t *testing.T, dir string) error {
		b := branch(t, discover(t, dir))
		_, err := b.Commit(ctx, []Change{addLine("m/a", "x")}, "s", "", when)
		return err
	}
	for _, c := range []struct {
		name  string
		dirs  []string // below .git, made read-only
		words string
	}{
		{"objects", []string{"objects"}, "ermission denied"},
		{"objects that are a pack", []string{"objects"}, "ermission denied"},
		{"refs/heads", []string{"refs/heads"}, "ermission denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRepo(t)
			if c.name == "objects that are a pack" {
				sh(t, dir, "gc", "-q")
			}
			for _, d := range c.dirs {
				filepath.Walk(dir+"/.git/"+d, func(p string, info os.FileInfo, err error) error {
					if err == nil && info.IsDir() {
						chmod(t, p, 0o555)
					}
					return nil
				})
			}
			err := commit(t, dir)
			if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("err = %v", err)
			}
			if _, err := discover(t, dir).Dirty(ctx); err != nil {
				t.Errorf("Dirty: %v", err)
			}
		})
	}
	t.Run("a working tree that is read-only takes commits", func(t *testing.T) {
		dir := newRepo(t)
		chmod(t, dir, 0o555)
		chmod(t, dir+"/sub", 0o555)
		if err := commit(t, dir); err != nil {
			t.Error(err)
		}
		if dirty, err := discover(t, dir+"/sub").Dirty(ctx); dirty || err != nil {
			t.Errorf("Dirty = %v, %v", dirty, err)
		}
		fsck(t, dir)
	})
	t.Run("a repository nobody may read", func(t *testing.T) {
		dir := newRepo(t)
		chmod(t, dir+"/.git", 0)
		if _, err := Discover(ctx, dir); err == nil {
			t.Error("no error")
		}
	})
	t.Run("InitBare where nothing may be made", func(t *testing.T) {
		isolate(t)
		dir := realTemp(t)
		chmod(t, dir, 0o555)
		if _, err := InitBare(ctx, filepath.Join(dir, "cairn")); !errors.Is(err, os.ErrPermission) {
			t.Errorf("err = %v", err)
		}
	})
}
