package capture

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// gitPatience is how long git may take to say where we are, where the files do
// not tell. It answers in milliseconds, on a cold network disk in a second or so.
// The command is started behind that: what it does must not change the answer.
const gitPatience = 2 * time.Second

// openSite finds the place of the command. Where git does not answer, the
// capture goes to CAIRN_DIR or the user's own store, into shards only: the next
// command that finds git well folds them. cancel ends what ctx carries.
func openSite(ctx context.Context, cancel context.CancelFunc, o Options) (*place.Site, error) {
	warn := func(w manifest.Warning) { o.Warn(w.String()) }
	// The place goes on using ctx, so it gets no deadline, but is cancelled.
	late := time.AfterFunc(gitPatience, cancel)
	site, err := place.Open(ctx, o.Command.Dir, o.Env, warn)
	if late.Stop() || err == nil {
		return site, err
	}
	dir := ownDir(o)
	if dir == "" {
		return nil, errors.Join(err, errors.New("and there is no other place to keep captures in: set CAIRN_DIR or HOME"))
	}
	return &place.Site{
		Place: &place.Place{
			Dir:       dir,
			Workspace: result.Workspace{Root: o.Command.Dir, Dir: o.Command.Dir, Home: o.Env.Home, Tmp: o.Env.Tmp},
			Rel:       ".",
			Note:      fmt.Sprintf("git did not answer within %s; this capture is kept in %s, without the state of the repository", gitPatience, dir),
		},
		Objects:  objects.Open(dir),
		Manifest: manifest.Open(dir, manifest.Options{Warn: warn}),
	}, nil
}

// ownDir is the cairn directory that needs no git to be found: see package
// place.
func ownDir(o Options) string {
	state := o.Env.StateHome
	switch {
	case filepath.IsAbs(o.Env.Dir):
		return filepath.Clean(o.Env.Dir)
	case o.Env.Dir != "":
		return filepath.Join(o.Command.Dir, o.Env.Dir)
	case filepath.IsAbs(state):
	case o.Env.Home != "":
		state = filepath.Join(o.Env.Home, ".local", "state")
	default:
		return ""
	}
	return filepath.Join(state, "cairn", "cairn")
}
