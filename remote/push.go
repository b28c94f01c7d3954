package remote

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"cairn/objects"
)

// Sizes that decide how objects travel, in bytes.
const (
	SmallObject = 64 << 10 // what is not larger goes into a pack
	PackBytes   = 8 << 20  // of objects in one pack
)

// Pushed is what a push did.
type Pushed struct {
	Objects int   // that were sent
	Bytes   int64 // of bodies
	Already int   // objects that the remote had
	Absent  int   // objects that this clone does not have
}

// Push sends objects that the remote does not have. Where it ends with an error, what was
// sent is there, and the next push sends the rest.
func (r *Remote) Push(ctx context.Context, store *objects.Store, ids []objects.ID) (Pushed, error) {
	var p Pushed
	have, err := r.contents(ctx)
	if err != nil {
		return p, err
	}
	var large []objects.ID
	var small []member
	var unread error // of objects that are here, and cannot be read
	for _, id := range ids {
		if _, there := have.objects[id]; there {
			p.Already++
			continue
		}
		info, err := store.Stat(id)
		var gone *objects.GoneError
		switch {
		case errors.Is(err, objects.ErrNotFound), errors.As(err, &gone):
			p.Absent++
		case err != nil:
			unread = errors.Join(unread, r.about(id.String(), err))
		case info.Size <= SmallObject:
			small = append(small, member{id, info.Size})
		default:
			large = append(large, id)
		}
	}
	s := &sending{r: r, store: store, all: len(large) + len(small)}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.parallel())
	for _, id := range large {
		g.Go(func() error { return r.about(id.String(), s.object(ctx, id)) })
	}
	for _, pack := range packs(small) {
		g.Go(func() error { return r.about("a pack of small objects", s.pack(ctx, pack)) })
	}
	err = errors.Join(unread, g.Wait())
	p.Objects, p.Bytes = s.done, s.bytes
	return p, err
}

// packs divides objects: sorted, so that the same ones make the same packs.
func packs(all []member) (list [][]member) {
	slices.SortFunc(all, func(a, b member) int { return bytes.Compare(a.id[:], b.id[:]) })
	var pack []member
	var size int64
	for _, m := range all {
		if pack = append(pack, m); len(pack) > 0 {
			size += m.size
		}
		if size >= PackBytes {
			list, pack, size = append(list, pack), nil, 0
		}
	}
	if len(pack) > 0 {
		list = append(list, pack)
	}
	return list
}

// sending counts what arrived.
type sending struct {
	r     *Remote
	store *objects.Store

	mu    sync.Mutex
	done  int
	all   int
	bytes int64
}

func (s *sending) sent(n int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done += n
	s.bytes += bytes
	if s.r.Progress != nil {
		s.r.Progress(s.done, s.all, s.bytes)
	}
}

// object sends one object as a body of its own.
func (s *sending) object(ctx context.Context, id objects.ID) error {
	return s.send(ctx, objectKey(id.Hex())+end(s.r.Recipients), 1, func(w io.Writer) error { return s.copy(w, id) })
}

func (s *sending) copy(w io.Writer, id objects.ID) error {
	obj, err := s.store.OpenObject(id)
	if err != nil {
		return err
	}
	defer obj.Close()
	_, err = io.Copy(w, obj)
	return err
}

// pack sends small objects in one body, then the index that says so.
func (s *sending) pack(ctx context.Context, members []member) error {
	index := indexOf(members)
	key := packPrefix + nameOf(index)
	err := s.send(ctx, key+packEnd+end(s.r.Recipients), 0, func(w io.Writer) error {
		t := tar.NewWriter(w)
		for _, m := range members {
			if err := t.WriteHeader(&tar.Header{Name: m.id.Hex(), Mode: 0o600, Size: m.size}); err != nil {
				return err
			}
			if err := s.copy(t, m.id); err != nil {
				return err
			}
		}
		return t.Close()
	})
	if err != nil {
		return err
	}
	if err := s.r.Backend.Put(ctx, key+indexEnd, bytes.NewReader(index), int64(len(index))); err != nil {
		return err
	}
	s.sent(len(members), int64(len(index)))
	return nil
}

// send writes one body.
func (s *sending) send(ctx context.Context, key string, count int, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dir, err := s.r.dir("tmp")
	if err != nil {
		return err
	}
	d, err := newDraft(dir, s.r.Recipients, write)
	if err != nil {
		return err
	}
	defer d.discard()
	if err := s.r.Backend.Put(ctx, key, d.File, d.size); err != nil {
		return err
	}
	s.sent(count, d.size)
	return nil
}
