package fleet

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"cairn/internal/place"
	"cairn/manifest"
)

// fetchAtOnce is how many repositories are fetched from at the same time.
const fetchAtOnce = 8

// Fetch gets the records of repositories: for each address in a file, one per line, only the branch of the record. They
// are kept below cache, and later fetches get only what is new. After an address and a blank there may be the address
// of a remote for its objects, which is passed to bring. Lines that begin with # are ignored. The directories are in
// the order of the lines, without those that could not be fetched; err names these, and errors of bring.
func Fetch(ctx context.Context, file, cache string, bring func(ctx context.Context, dir, objects string) error) (dirs []string, err error) {
	sources, err := readList(file)
	if err != nil {
		return nil, err
	}
	failed := make([]error, len(sources))
	dirs = make([]string, len(sources))
	var all sync.WaitGroup
	turn := make(chan struct{}, fetchAtOnce)
	for i, from := range sources {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			sum := sha256.Sum256([]byte(from.address))
			dirs[i] = filepath.Join(cache, hex.EncodeToString(sum[:16])+".git")
			if err := fetch(ctx, from.address, dirs[i]); err != nil {
				dirs[i], failed[i] = "", fmt.Errorf("fetching the record of %s: %w", NameOf(from.address), err)
			} else if from.objects == "" {
				return
			} else if err := bring(ctx, dirs[i], from.objects); err != nil {
				failed[i] = fmt.Errorf("bringing the lists of tests of %s: %w", NameOf(from.address), err)
			}
		})
	}
	all.Wait()
	kept := dirs[:0]
	for _, dir := range dirs {
		if dir != "" {
			kept = append(kept, dir)
		}
	}
	return kept, errors.Join(failed...)
}

// source is a line of a list.
type source struct {
	address string
	objects string // the address of a remote for objects, or ""
}

func readList(file string) (sources []source, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		from := source{address: line}
		if i := strings.LastIndexAny(line, " \t"); i > 0 && strings.Contains(line[i:], "://") {
			from = source{strings.TrimSpace(line[:i]), line[i+1:]}
		}
		switch {
		case line == "" || strings.HasPrefix(line, "#") || seen[from.address]:
			continue
		case strings.HasPrefix(line, "-") || strings.Contains(from.address, "::"): // an option, or a program that git would start
			return nil, fmt.Errorf("%s: %q is not the address of a repository", file, line)
		}
		seen[from.address] = true
		sources = append(sources, from)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("%s has no address of a repository", file)
	}
	return sources, nil
}

// fetch creates a bare repository with the branch of the record, or updates it. The directory is readable only for this
// user, since an address may contain a password.
func fetch(ctx context.Context, address, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "config")); err != nil {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		for _, args := range [][]string{{"init", "-q", "--bare"}, {"config", "remote.origin.url", address}} {
			cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
			}
		}
	}
	env := place.FromEnviron(os.Environ())
	env.Dir = ""
	site, err := place.OpenToRead(ctx, dir, env, func(manifest.Warning) {})
	if err != nil {
		return err
	}
	defer site.Close()
	if site.Home == nil {
		return fmt.Errorf("%s is no git repository", dir)
	}
	found, err := site.Home.FetchTip(ctx, "origin", place.DefaultBranch)
	if err == nil && !found {
		err = fmt.Errorf("it has no branch %s: nothing was recorded there, or not shared (cairn sync)", place.DefaultBranch)
	}
	return err
}
