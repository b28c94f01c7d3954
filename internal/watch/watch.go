// Package watch runs something again when files change.
//
// What it promises: two runs never overlap; a run begins only after two successive
// looks saw the same files, so that it does not begin while an editor or git still
// writes; files whose content is the same as before have not changed. Files that a run
// wrote start no other run, as far as that can be known (see Watcher.Loop).
//
// What goes in: when to run. The caller decides how to look and what to run.
package watch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

// Files are the watched files, each with an identifier of its content.
type Files map[string]string

// ErrMoving says that files were being written during a look.
var ErrMoving = errors.New("the files changed while they were read")

// Watcher runs something again when files change.
type Watcher struct {
	// Look reads the files. After ErrMoving it is called again.
	Look func(context.Context) (Files, error)
	// Run runs once. The first time, changed is empty.
	Run func(changed []string)
	// Left is called with files that changed during a run but start no other run,
	// because the run itself seems to have written them.
	Left func(paths []string)
	// Ask starts a run without a change for each value.
	Ask <-chan struct{}
	// Pause waits between two looks; took is how long the last one took.
	Pause func(ctx context.Context, took time.Duration)

	own map[string]bool // files that a run wrote
}

// Rest is a Pause: looking takes at most a tenth of the time, and with few files a
// change is seen within a third of a second.
func Rest(ctx context.Context, took time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(max(150*time.Millisecond, 9*took)):
	}
}

// Loop runs until ctx is done, and then waits for a run that is still going on.
//
// Files that change during a run may have been changed by the run or by somebody else;
// no system says by whom. They count as the run's own in the first run, if they are
// new, if an earlier run wrote them, and in a run that was itself started by such a
// change. Other changes start another run.
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
		for _, path := range foreign { // so that they count as changed after the run
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

// take separates the files that changed during a run: it returns those that somebody else changed.
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

// next waits for a change, and until the files are stable again.
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

// settled looks until two looks agree. It returns nil files if the watch is over.
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

// look reads the files, and repeats it after ErrMoving.
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

// Changed are the files that differ between two looks, or are in only one, in order.
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
