// Command cairn-fleet makes tables from the records of many repositories, for "cairn export", "cairn fleet" and "cairn
// recall … --fleet". It reads a Request of package fleets as JSON from standard input.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/fleet"
	"cairn/fleet/export"
	"cairn/fleet/otlp"
	"cairn/internal/build"
	"cairn/internal/fleets"
	"cairn/internal/remotes"
	"cairn/result"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(fleets.Program, build.Version())
		return
	}
	var request fleets.Request
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil || len(os.Args) != 1 {
		fmt.Fprintln(os.Stderr, "cairn-fleet: it reads a request, and is started by: cairn export, and cairn fleet")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, request); err != nil {
		fmt.Fprintln(os.Stderr, "cairn:", err)
		os.Exit(exitOf(err))
	}
}

// errNothing means that the answer to a question has no rows.
var errNothing = errors.New("nothing in the fleet answers this")

func exitOf(err error) int {
	if errors.Is(err, errNothing) {
		return 3
	}
	return 1
}

func run(ctx context.Context, r fleets.Request) error {
	switch r.Do {
	case fleets.Export:
		return exportTo(ctx, r)
	case fleets.Spans:
		return sendSpans(ctx, r)
	case fleets.Load:
		return load(ctx, r)
	case fleets.Migrate:
		return migrate(ctx, r)
	case fleets.Ask:
		return ask(ctx, r)
	}
	return fmt.Errorf("%q is nothing that this cairn-fleet does: install it and cairn from one build", r.Do)
}

// eachClone calls visit for the clones that a request names. A clone that cannot be read does not stop the others.
func eachClone(ctx context.Context, r fleets.Request, visit func(*fleet.Clone) error) error {
	dirs, failed := r.Clones, []error(nil)
	for _, dir := range r.Discover {
		if info, err := os.Stat(below(r.Dir, dir)); err == nil && info.Mode().IsRegular() {
			found, err := fetched(ctx, below(r.Dir, dir))
			if err != nil && len(found) == 0 {
				return err
			}
			dirs, failed = append(dirs, found...), append(failed, err)
			continue
		}
		found, err := fleets.Discover(below(r.Dir, dir))
		if err != nil {
			return fmt.Errorf("looking for repositories in %s: %w", dir, err)
		}
		if len(found) == 0 {
			return fmt.Errorf("there is no git repository in %s", dir)
		}
		dirs = append(dirs, found...)
	}
	if len(dirs) == 0 {
		dirs = []string{r.Dir}
	}
	if r.As != "" && len(dirs) > 1 {
		return fmt.Errorf("--as names one repository, and there are %d", len(dirs))
	}
	for _, dir := range dirs {
		c, err := fleet.Open(ctx, below(r.Dir, dir), func(warning string) { fmt.Fprintln(os.Stderr, "cairn:", warning) })
		if err == nil {
			c.Repository = cmp.Or(r.As, c.Repository)
			if err = visit(c); err == nil && c.Unread() {
				err = fmt.Errorf("%s: a part of its record cannot be read, as said above; the rest is there; run cairn doctor in it", c.Repository)
			}
			c.Close()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// fetched are clones, with only the records, of the repositories in a list file.
func fetched(ctx context.Context, list string) ([]string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("finding a place for what is fetched: %w; set XDG_CACHE_HOME", err)
	}
	return fleet.Fetch(ctx, list, filepath.Join(cache, "cairn", "fleet"), bring)
}

// bring has cairn-remote fetch the lists of tests and results that a record names, from a remote for objects.
func bring(ctx context.Context, dir, address string) error {
	program, err := build.Companion(remotes.Program)
	if err != nil {
		return err
	}
	const name = "objects"
	for key, value := range map[string]string{remotes.Names: name, remotes.Key(name, "url"): address} {
		if out, err := exec.CommandContext(ctx, "git", "-C", dir, "config", "--replace-all", key, value).CombinedOutput(); err != nil {
			return fmt.Errorf("git config %s: %w: %s", key, err, bytes.TrimSpace(out))
		}
	}
	request, err := remotes.Request{Do: remotes.Pull, Dir: dir, Lists: true}.Argument()
	if err != nil {
		return err
	}
	pull := exec.CommandContext(ctx, program, request)
	pull.Env = append(os.Environ(), "CAIRN_DIR=")
	if out, err := pull.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// lacking says for how many runs the lists of tests are missing.
func lacking(runs int) string {
	if runs == 0 {
		return ""
	}
	return fmt.Sprintf("; the lists of tests of %s are not here (cairn objects pull --lists; of fetched records, an address of objects in the file)", result.Count(runs, "run"))
}

func below(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// sendSpans sends the runs since a time as spans.
func sendSpans(ctx context.Context, r fleets.Request) error {
	chosen, err := r.Filters.Read("spans", time.Now())
	if err != nil {
		return err
	}
	to, err := otlp.Open(ctx, r.To)
	if err != nil {
		return err
	}
	early := func(run string) fleet.Known {
		if id, err := ulid.ParseStrict(run); err == nil && id.Timestamp().Before(chosen.Since) {
			return fleet.Whole
		}
		return fleet.Absent
	}
	err = eachClone(ctx, r, func(c *fleet.Clone) error {
		runs := 0
		for rows, err := range c.Rows(ctx, early) {
			if err == nil {
				err = to.Put(ctx, rows)
			}
			if err != nil {
				return err
			}
			runs++
		}
		fmt.Printf("%s: %s\n", c.Repository, result.Count(runs, "run"))
		return nil
	})
	err = errors.Join(err, to.Close(ctx))
	fmt.Printf("sent %s\n", result.Count(to.Sent, "span"))
	return err
}

func exportTo(ctx context.Context, r fleets.Request) error {
	to, err := export.Open(below(r.Dir, r.To), r.Format)
	if err != nil {
		return err
	}
	defer to.Close()
	return eachClone(ctx, r, func(c *fleet.Clone) error {
		did, err := to.Export(ctx, c)
		if err == nil || did.Runs > 0 {
			fmt.Printf("%s: exported %s, %s, %s; %d were there%s\n", c.Repository,
				result.Count(did.Runs, "run"), result.Count(did.Findings, "finding"), result.Count(did.Outcomes, "outcome"), did.Known, lacking(did.NoLists))
		}
		return err
	})
}
