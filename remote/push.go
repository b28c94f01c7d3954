package remote

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"cairn/objects"
)

// Sizes, in bytes, that decide how objects are transferred.
const (
	SmallObject = 64 << 10 // objects up to this size go into packs
	PackBytes   = 8 << 20  // objects of about this size in all make one pack
)

// Pushed counts the objects of a push.
type Pushed struct {
	Objects int   // objects that were sent
	Bytes   int64 // bytes of the bodies that were sent
	Already int   // objects that the remote already had
	Absent  int   // objects that this clone does not have
}

// Push sends objects that the remote does not have. After an error, the objects sent so far are in the remote, and the
// next push sends the rest.
func (r *Remote) Push(ctx context.Context, store *objects.Store, ids []objects.ID) (Pushed, error) {
	var p Pushed
	r.tidy(time.Now())
	have, err := r.contents(ctx)
	if err != nil {
		return p, err
	}
	var large []member
	var small []member
	inPacks := map[string][]member{} // packs in the remote
	var unread error                 // errors of objects that are in this clone but cannot be read
	for _, id := range ids {
		at, there := have.objects[id]
		if there && !r.Again {
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
		case at.pack != "":
			inPacks[at.pack] = append(inPacks[at.pack], member{id, info.Size})
		case info.Size <= SmallObject && !there:
			small = append(small, member{id, info.Size})
		default:
			large = append(large, member{id, info.Size})
		}
	}
	lists := packs(small)
	for name, members := range inPacks { // a pack is kept if this clone lacks one of its objects, since a reader prefers an object's own body
		if nameOf(indexOf(members)) == name {
			lists = append(lists, members)
		} else {
			large = append(large, members...)
		}
	}
	s := &sending{r: r}
	for _, m := range slices.Concat(append(lists, large)...) {
		s.all, s.total = s.all+1, s.total+m.size
	}
	g, each := errgroup.WithContext(ctx)
	g.SetLimit(r.parallel())
	for _, m := range large {
		g.Go(func() error { return r.about(m.id.String(), s.object(each, store, m)) })
	}
	for _, pack := range lists {
		g.Go(func() error { return r.about("a pack of small objects", s.pack(each, store, pack)) })
	}
	err = errors.Join(unread, g.Wait())
	if b, can := r.Backend.(Finisher); can { // even after an error: it applies to what was sent
		err = errors.Join(err, r.about("bodies that were sent", b.Finish(ctx)))
	}
	p.Objects, p.Bytes = s.done, s.bodies.Load()
	if err == nil {
		err = r.refer(ctx, have, lists, large)
	}
	return p, err
}

// packs divides objects into packs. They are sorted, so that the same objects make the same packs.
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

// object sends one object as a body of its own.
func (s *sending) object(ctx context.Context, store *objects.Store, m member) error {
	if b, can := s.r.Backend.(Resumer); can && m.size >= LargeBytes {
		return s.large(ctx, b, store, m)
	}
	err := s.send(ctx, objectKey(m.id.Hex())+end(s.r.Recipients), m.size, func(w io.Writer) error { return store.WriteStream(w, m.id) })
	if err == nil {
		s.sent(1, m.size)
	}
	return err
}

func copyOf(w io.Writer, store *objects.Store, id objects.ID) error {
	obj, err := store.OpenObject(id)
	if err != nil {
		return err
	}
	defer obj.Close()
	_, err = io.Copy(w, obj)
	return err
}

// pack sends small objects in one body, then its index.
func (s *sending) pack(ctx context.Context, store *objects.Store, members []member) error {
	index := indexOf(members)
	key, size := packPrefix+nameOf(index), int64(0)
	for _, m := range members {
		size += m.size
	}
	err := s.send(ctx, key+packEnd+end(s.r.Recipients), size, func(w io.Writer) error {
		return compressed(w, func(w io.Writer) error { return archive(w, store, members) })
	})
	if err != nil {
		return err
	}
	if err := s.put(ctx, key+indexEnd, bytes.NewReader(index), int64(len(index))); err != nil {
		return err
	}
	s.bodies.Add(int64(len(index)))
	s.sent(len(members), size)
	return nil
}

func archive(w io.Writer, store *objects.Store, members []member) error {
	t := tar.NewWriter(w)
	for _, m := range members {
		if err := t.WriteHeader(&tar.Header{Name: m.id.Hex(), Mode: 0o600, Size: m.size}); err != nil {
			return err
		}
		if err := copyOf(t, store, m.id); err != nil {
			return err
		}
	}
	return t.Close()
}

// send writes one body with objects of size bytes in all.
func (s *sending) send(ctx context.Context, key string, size int64, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b, can := s.r.Backend.(Writer); can {
		return s.straight(ctx, b, key, size, write)
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
	ctx, end := s.weigh(ctx, size, d.size)
	defer end()
	if err := s.put(ctx, key, d.File, d.size); err != nil {
		return err
	}
	s.bodies.Add(d.size)
	return nil
}

// put writes one body, which can be listed when the push ends, or earlier.
func (s *sending) put(ctx context.Context, key string, body Body, size int64) error {
	if b, can := s.r.Backend.(Finisher); can {
		return b.PutLater(ctx, key, body, size)
	}
	return s.r.Backend.Put(ctx, key, body, size)
}

// straight writes one body directly to the backend, without a file of it.
func (s *sending) straight(ctx context.Context, b Writer, key string, size int64, write func(io.Writer) error) error {
	ctx, end := s.weigh(ctx, size, size)
	defer end()
	var sum *summing
	err := b.Write(ctx, key, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 256<<10)
		sum = newSumming(buffered)
		return errors.Join(sealInto(sum, s.r.Recipients, write), buffered.Flush())
	})
	if err == nil {
		s.bodies.Add(sum.n)
	}
	return err
}
