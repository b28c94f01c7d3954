package recall

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
)

// Runs finds a few captures by their command or their tree. The caller must close it. A record that
// cannot be read makes each question fail, since otherwise an older run would be taken for the newest.
type Runs struct{ x *index.Index }

// OpenRuns opens the record of a site.
func OpenRuns(ctx context.Context, s *place.Site) (*Runs, error) {
	x, err := openRows(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := x.Need(index.Texts, index.Wheres); err != nil {
		x.Close()
		return nil, err
	}
	return &Runs{x}, nil
}

// Close closes the index.
func (r *Runs) Close() { r.x.Close() }

// On returns at most most captures, newest first, that ran on one of the commits or
// trees in hashes; a tree is that of all files that git does not ignore.
func (r *Runs) On(hashes []string, most int) ([]*manifest.Record, error) {
	here := func(text string) bool {
		_, rest, _ := strings.Cut(text, part)
		commit, _, _ := strings.Cut(rest, part)
		return slices.Contains(hashes, commit) || slices.Contains(hashes, text[strings.LastIndex(text, part)+1:])
	}
	return r.newest(most, func(s *index.Segment, add func(i int)) {
		s.BeingAfter(index.Wheres, part[0], hashes, here, add)
	})
}

// Of returns at most most captures of each command key, newest first.
func (r *Runs) Of(keys []string, most int) (map[string][]*manifest.Record, error) {
	if err := r.x.Need(index.Texts, index.Keys); err != nil {
		return nil, err
	}
	// The newest rows of a key in each segment are enough, unless some of them do not count.
	of, cut, err := r.of(keys, most, 2*most)
	if err == nil && slices.ContainsFunc(cut, func(key string) bool { return len(of[key]) < most }) {
		of, _, err = r.of(keys, most, math.MaxInt)
	}
	return of, err
}

// of looks at the newest rows of each key in a segment, at most rows of them. cut are the keys that have more rows in
// some segment.
func (r *Runs) of(keys []string, most, rows int) (of map[string][]*manifest.Record, cut []string, failed error) {
	of = map[string][]*manifest.Record{}
	var there []string
	chosen := r.x.Select(func(s *index.Segment, add func(i int)) {
		for key, more := range s.Newest(index.Keys, keys, rows, add) {
			if there = append(there, key); more {
				cut = append(cut, key)
			}
		}
	})
	err := chosen.Each(true, func(s *index.Segment, i int) bool {
		key := s.Text(s.Key(i))
		if len(of[key]) >= most {
			return true
		}
		rec, err := r.x.Record(s, i)
		if failed = err; err == nil && rec.Type == manifest.TypeCapture {
			of[key] = append(of[key], rec)
		}
		return err == nil && slices.ContainsFunc(there, func(key string) bool { return len(of[key]) < most })
	})
	return of, cut, errors.Join(err, failed)
}

// Saying returns the newest captures whose command line contains text and more than it.
func (r *Runs) Saying(text string, most int) ([]*manifest.Record, error) {
	if err := r.x.Need(index.Texts, index.Commands); err != nil {
		return nil, err
	}
	return r.newest(most, func(s *index.Segment, add func(i int)) {
		s.BeingLike(index.Commands, text, func(line string) bool { return line != text }, add)
	})
}

func (r *Runs) newest(most int, choose func(s *index.Segment, add func(i int))) (found []*manifest.Record, err error) {
	var failed error
	err = r.x.Select(choose).Each(true, func(s *index.Segment, i int) bool {
		rec, err := r.x.Record(s, i)
		if failed = err; err == nil && rec.Type == manifest.TypeCapture {
			found = append(found, rec)
		}
		most--
		return err == nil && most > 0
	})
	return found, errors.Join(err, failed)
}
