// Command cairn-remote transfers objects to remotes and back, for "cairn remote", "cairn objects push", "pull" and
// "ls", and "cairn recall object". Its argument is a Request of package remotes as JSON.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/internal/remotes"
	"cairn/manifest"
	"cairn/remote"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(remotes.Program, build.Version())
		return
	}
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "cairn-remote: it takes one argument, and is started by: cairn remote, and cairn objects push")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "cairn:", err)
		if errors.Is(err, errNotThere) {
			os.Exit(3)
		}
		os.Exit(1)
	}
}

// job is the state of one request.
type job struct {
	remotes.Request
	site    *place.Site
	commits []remote.Commit // the newest ones whose objects are wanted
}

// errNotThere means that no remote has the requested object.
var errNotThere = errors.New("it is in no remote")

func run(ctx context.Context, argument string) error {
	request, err := remotes.Parse(argument)
	if err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	site, err := place.Open(ctx, request.Dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { fmt.Fprintln(os.Stderr, "cairn:", w) })
	if err != nil {
		return err
	}
	defer site.Close()
	if site.Home == nil {
		return fmt.Errorf("%s belongs to no git repository, whose configuration would say where its objects go", site.Dir)
	}
	j := &job{Request: request, site: site}
	switch j.Do {
	case remotes.Add:
		return j.add(ctx)
	case remotes.List:
		return j.list(ctx)
	case remotes.Remove:
		return j.remove(ctx)
	case remotes.Push:
		return j.push(ctx)
	case remotes.Pull:
		return j.pull(ctx)
	case remotes.Show:
		return j.show(ctx)
	case remotes.Fetch:
		return j.fetch(ctx)
	case remotes.GC:
		return j.collect(ctx)
	}
	return fmt.Errorf("%q is nothing that this cairn-remote does: install it and cairn from one build", j.Do)
}

// identityFile returns the file of a key that cairn made.
func identityFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "cairn", "identity.txt")
}
