// Package watch runs something again when files change.
//
// What it promises: two runs never overlap; a run begins only after two looks in a row
// saw the same files, so that it does not begin while an editor or git still writes;
// files that have the content they had before are no change. Nothing that a run wrote
// starts another run, as far as that can be known (see Watcher.Loop).
//
// What goes in: when to run. What a look is and what is run is the caller's affair.
package watch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

// Files are the files that count, each with what identifies its content.
type Files map[string]string

// ErrMoving is the error of a look at files that are being written.
var ErrMoving = errors.New("the files changed while they were read")

// Watcher runs something again when files change.
type Watcher struct {
	// Look reads the files. The error ErrMoving is no trouble: it looks again.
	Look func(context.Context) (Files, error)
	// Run is called for the first time without changed files.
	Run func(changed []string)
	// Left is called where files changed during a run that do not start another one,
	// because the run itself seems to have written them.
	Left func(paths []string)
	// Ask starts a run without a change.
	Ask <-chan struct{}
	// Pause waits between two looks, and takes into account how long a look took.
	Pause func(ctx context.Context, took time.Duration)

	own map[string]bool // files that a run wrote
}

// Rest is a Pause: looking takes at most a tenth of the time, and a change is seen within a
// third of a second where files are few.
func Rest(ctx context.Context, took time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(max(150*time.Millisecond, 9*took)):
	}
}

// Loop runs until ctx is done; a run that goes on then is waited for.
//
// Files that change during a run may have been changed by the run or by somebody
// else, and no system says by whom. They count as the run's own in the first run, where
// the run made them, where an earlier run wrote them, and in a run that was itself started by
// such a change. Others start another run.
func (w *Watcher) Loop(ctx context.Context) error {
	w.own = map[string]bool{}
	before, err := w.settled(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	var changed []string
	for first, chained := true, false; ; first = false {
		w.Run(changed)
		if ctx.Err() != nil {
			return nil
		}
		after, err := w.look(ctx)
		if err != nil || ctx.Err() != nil {
			return err
		}
		foreign := w.take(before, after, first || chained)
		for _, path := range foreign { // as if they had changed since
			set(after, path, before[path])
		}
		chained = len(foreign) > 0
		if before, changed, err = w.next(ctx, after); err != nil || ctx.Err() != nil {
			return err
		}
	}
}

func set(files Files, path, content string) {
	if content == "" {
		delete(files, path)
		return
	}
	files[path] = content
}

// take tells what changed during a run apart: what it returns somebody else changed.
func (w *Watcher) take(before, after Files, all bool) (foreign []string) {
	var left []string
	for _, path := range Changed(before, after) {
		if !all && before[path] != "" && !w.own[path] {
			foreign = append(foreign, path)
			continue
		}
		w.own[path] = true
		left = append(left, path)
	}
	if len(left) > 0 {
		w.Left(left)
	}
	return foreign
}

// next waits for a change, and until it is over.
func (w *Watcher) next(ctx context.Context, was Files) (now Files, changed []string, err error) {
	for {
		if now, err = w.settled(ctx); err != nil || ctx.Err() != nil {
			return nil, nil, err
		}
		if changed = Changed(was, now); len(changed) > 0 {
			return now, changed, nil
		}
		select {
		case <-w.Ask:
			return now, nil, nil
		default:
		}
	}
}

// settled looks until two looks agree. Nil files are those of a watch that is over.
func (w *Watcher) settled(ctx context.Context) (last Files, err error) {
	for {
		began := time.Now()
		now, err := w.look(ctx)
		if err != nil || ctx.Err() != nil || last != nil && maps.Equal(last, now) {
			return now, err
		}
		last = now
		w.Pause(ctx, time.Since(began))
	}
}

// look reads the files, once they can be read.
func (w *Watcher) look(ctx context.Context) (Files, error) {
	for {
		began := time.Now()
		now, err := w.Look(ctx)
		if ctx.Err() != nil {
			return nil, nil
		}
		if !errors.Is(err, ErrMoving) {
			return now, err
		}
		w.Pause(ctx, time.Since(began))
	}
}

// Changed are the files that are in one of two looks only, or differ, in order.
func Changed(a, b Files) (paths []string) {
	for path, content := range b {
		if a[path] != content {
			paths = append(paths, path)
		}
	}
	for path := range a {
		if _, ok := b[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}
