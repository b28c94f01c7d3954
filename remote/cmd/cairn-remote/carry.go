package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"cairn/internal/remotes"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall"
	"cairn/remote"
	"cairn/result"
)

// wanted returns the requested objects, with their sizes in the record: the objects in the request, or all objects that
// the record names and the settings select.
func (j *job) wanted(ctx context.Context, s remotes.Settings) ([]remote.Wanted, error) {
	if len(j.IDs) > 0 {
		var all []remote.Wanted
		for _, text := range j.IDs {
			id, err := objects.ParseID(text)
			if err != nil {
				return nil, err
			}
			all = append(all, remote.Wanted{ID: id, Size: -1})
		}
		return all, nil
	}
	sizes := map[objects.ID]int64{}
	j.commits = nil
	query := manifest.Query{Newest: true}
	if s.MaxAge > 0 {
		query.Since = time.Now().Add(-s.MaxAge)
	}
	for rec, err := range j.site.Manifest.Records(ctx, query) {
		if err == nil {
			err = j.see(s, rec, sizes)
		}
		if err != nil {
			return nil, fmt.Errorf("finding out what the record names: %w", err)
		}
	}
	all := make([]remote.Wanted, 0, len(sizes))
	for id, size := range sizes {
		all = append(all, remote.Wanted{ID: id, Size: size})
	}
	slices.SortFunc(all, func(a, b remote.Wanted) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return all, nil
}

// see adds the objects that a record names, if the settings select its run.
func (j *job) see(s remotes.Settings, rec *manifest.Record, sizes map[objects.ID]int64) error {
	switch {
	case rec.Type == manifest.TypePin, rec.Type == manifest.TypeUnpin, rec.Type == manifest.TypeEviction:
		return nil
	case s.Failed && (rec.Status == result.Passed || rec.Status == result.OK):
		return nil
	case len(s.Tools) > 0 && !slices.Contains(s.Tools, rec.Tool):
		return nil
	}
	named, err := recall.ListsIn(rec), error(nil)
	if !j.Lists {
		named, err = recall.NamedIn(rec)
	}
	if err != nil {
		return err
	}
	for _, oid := range named {
		id, err := objects.ParseID(oid)
		if err != nil {
			return fmt.Errorf("record %s: %w", rec.ID, err)
		}
		size := int64(-1)
		if rec.Raw != nil && rec.Raw.OID == oid {
			size = rec.Raw.Size
		}
		if s.MaxSize > 0 && size > s.MaxSize {
			continue
		}
		if known, there := sizes[id]; !there || known < 0 {
			sizes[id] = size
		}
		if rec.Git != nil {
			j.belongs(rec.Git.Commit, id)
		}
	}
	return nil
}

// belongs notes that an object belongs to a commit, if the commit is one of the remote.MostCommits newest. Records come
// newest first.
func (j *job) belongs(commit string, id objects.ID) {
	at := slices.IndexFunc(j.commits, func(c remote.Commit) bool { return c.Name == commit })
	if at < 0 {
		if commit == "" || len(j.commits) == remote.MostCommits {
			return
		}
		at, j.commits = len(j.commits), append(j.commits, remote.Commit{Name: commit})
	}
	j.commits[at].IDs = append(j.commits[at].IDs, id)
}

// each calls do for each remote that is named, or for all.
func (j *job) each(ctx context.Context, do func(name string, r *remote.Remote, s remotes.Settings) error) error {
	names, err := j.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		r, s, err := j.open(ctx, name)
		if err != nil {
			return err
		}
		if err := do(name, r, s); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) push(ctx context.Context) error {
	return j.each(ctx, func(name string, r *remote.Remote, s remotes.Settings) error {
		if !s.Clear && len(r.Recipients) == 0 {
			return fmt.Errorf("remote %s has no recipients, and nothing is pushed in the clear unless it was added with --clear", name)
		}
		all, err := j.wanted(ctx, s)
		if err != nil {
			return err
		}
		ids := make([]objects.ID, len(all))
		for i, w := range all {
			ids[i] = w.ID
		}
		r.Progress, r.Again, r.Commits = j.progress("pushed"), j.Again, j.commits
		p, err := r.Push(ctx, j.site.Objects, ids)
		j.endProgress()
		fmt.Printf("%s: pushed %s, %d bytes; %d were there", name, result.Count(p.Objects, "object"), p.Bytes, p.Already)
		if p.Absent > 0 {
			fmt.Printf("; %d are not in this clone", p.Absent)
		}
		fmt.Println()
		if err != nil {
			return fmt.Errorf("%w; what was pushed is there, and the same command goes on", err)
		}
		return nil
	})
}

func (j *job) pull(ctx context.Context) error {
	return j.each(ctx, func(name string, r *remote.Remote, _ remotes.Settings) error {
		all, err := j.wanted(ctx, remotes.Settings{})
		if err != nil {
			return err
		}
		r.Progress = j.progress("pulled")
		p, err := r.Pull(ctx, j.site.Objects, all)
		j.endProgress()
		fmt.Printf("%s: pulled %s; %d were here, %d are not in it\n", name, result.Count(p.Objects, "object"), p.Already, p.Absent)
		if err != nil {
			return fmt.Errorf("%w; what was pulled is here, and the same command goes on", err)
		}
		return nil
	})
}

// fetch gets each wanted object from the first remote that has it, and names that remote on stderr.
func (j *job) fetch(ctx context.Context) error {
	names, err := j.names(ctx)
	if err != nil {
		return err
	}
	all, err := j.wanted(ctx, remotes.Settings{})
	if err != nil {
		return err
	}
	for _, w := range all {
		if err := j.fetchOne(ctx, names, w); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) fetchOne(ctx context.Context, names []string, w remote.Wanted) error {
	var failed error
	for _, name := range names {
		r, s, err := j.open(ctx, name)
		if err == nil {
			err = r.Fetch(ctx, j.site.Objects, w)
		}
		if err == nil {
			fmt.Fprintf(os.Stderr, "cairn: fetched %s from %s (%s)\n", w.ID.String()[:19], name, hostOf(s.URL))
			return nil
		}
		if !errors.Is(err, remote.ErrMissing) {
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return failed
	}
	return fmt.Errorf("%s: %w", w.ID, errNotThere)
}

func (j *job) show(ctx context.Context) error {
	return j.each(ctx, func(name string, r *remote.Remote, _ remotes.Settings) error {
		for l, err := range r.All(ctx) {
			if err != nil {
				return err
			}
			if err := j.showOne(name, l); err != nil {
				return err
			}
		}
		return nil
	})
}

func (j *job) showOne(name string, l remote.Listed) error {
	if j.JSON {
		line, err := json.Marshal(struct {
			Remote string     `json:"remote"`
			ID     objects.ID `json:"id"`
			Size   int64      `json:"size"`
			Pack   string     `json:"pack,omitempty"`
		}{name, l.ID, l.Size, l.Pack})
		if err == nil {
			_, err = fmt.Printf("%s\n", line)
		}
		return err
	}
	_, err := fmt.Printf("%s\t%s\n", l.ID, name)
	return err
}

// collect removes from the remotes the objects that no record of this clone names.
func (j *job) collect(ctx context.Context) error {
	live, err := recall.Live(ctx, j.site)
	if err != nil {
		return err
	}
	isLive := func(id objects.ID) bool { _, there := live[id]; return there }
	return j.each(ctx, func(name string, r *remote.Remote, _ remotes.Settings) error {
		gone, err := r.Collect(ctx, isLive, time.Now(), j.Grace, j.DryRun)
		verb := "removed"
		if j.DryRun {
			verb = "would remove"
		}
		var bytes int64
		for _, g := range gone {
			bytes += max(g.Size, 0)
			fmt.Printf("%s: %s %s\n", name, verb, g.Key)
		}
		fmt.Printf("%s: %s %d bodies, %d bytes\n", name, verb, len(gone), bytes)
		if b, is := r.Backend.(remote.Namer); is && len(gone) > 0 {
			fmt.Printf("%s: %s\n", name, b.Left())
		}
		return err
	})
}

// barWidth is how many cells a bar has.
const barWidth = 24

// progress draws a bar if standard error is a terminal.
func (j *job) progress(verb string) func(remote.Progress) {
	if !j.Terminal {
		return nil
	}
	return func(p remote.Progress) {
		full := int(p.Share * barWidth)
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s [%s%s] %3.0f%%  %d of %d, %.1f MB", verb, strings.Repeat("#", full), strings.Repeat("-", barWidth-full), p.Share*100, p.Done, p.All, float64(p.Bytes)/1e6)
	}
}

func (j *job) endProgress() {
	if j.Terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
