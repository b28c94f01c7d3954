package remote

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"cairn/objects"
)

// Wanted is an object to be fetched.
type Wanted struct {
	ID   objects.ID
	Size int64 // -1 if the record does not say
}

// Pulled counts the objects of a pull.
type Pulled struct {
	Objects int // fetched
	Already int // already in the store
	Absent  int // not in the remote
}

// Fetch gets one object. It returns ErrMissing if the remote does not have it.
func (r *Remote) Fetch(ctx context.Context, store *objects.Store, w Wanted) error {
	err := r.fetchOwn(ctx, store, w, w.Size < 0)
	if !errors.Is(err, ErrMissing) {
		return r.about(w.ID.String(), err)
	}
	have, err := r.contents(ctx)
	if err != nil {
		return err
	}
	h, there := have.objects[w.ID]
	if !there {
		return r.about(w.ID.String(), ErrMissing)
	}
	w.Size = h.size
	return r.fetchPacked(ctx, store, h.pack, []Wanted{w})
}

// Pull gets all wanted objects that the remote has.
func (r *Remote) Pull(ctx context.Context, store *objects.Store, all []Wanted) (p Pulled, err error) {
	r.tidy(time.Now())
	have, err := r.contents(ctx)
	if err != nil {
		return p, err
	}
	byPack := map[string][]Wanted{}
	var own []Wanted
	for _, w := range all {
		h, there := have.objects[w.ID]
		switch {
		case store.Has(w.ID):
			p.Already++
		case !there:
			p.Absent++
		case h.pack != "":
			w.Size = h.size
			byPack[h.pack] = append(byPack[h.pack], w)
		default:
			own = append(own, w)
		}
	}
	s := &sending{r: r}
	for _, list := range append(slices.Collect(maps.Values(byPack)), own) {
		s.all += len(list)
		for _, w := range list {
			s.total += max(w.Size, 0)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.parallel())
	for _, w := range own {
		g.Go(func() error {
			ctx, end := s.weigh(ctx, w.Size, w.Size)
			err := r.fetchOwn(ctx, store, w, false)
			if end(); err != nil {
				return r.about(w.ID.String(), err)
			}
			s.sent(1, max(w.Size, 0))
			return nil
		})
	}
	for pack, list := range byPack {
		g.Go(func() error {
			if err := r.fetchPacked(ctx, store, pack, list); err != nil {
				return err
			}
			for _, w := range list {
				s.sent(1, max(w.Size, 0))
			}
			return nil
		})
	}
	err = g.Wait()
	p.Objects = s.done
	return p, err
}

// fetchTries is how often a body is requested that breaks off, or has wrong bytes.
const fetchTries = 3

// again repeats a request that may have failed because of a cut connection or a bad copy on the way.
func again(ctx context.Context, try func() error) (err error) {
	for range fetchTries {
		if err = try(); err == nil || errors.Is(err, ErrMissing) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func (r *Remote) fetchOwn(ctx context.Context, store *objects.Store, w Wanted, large bool) error {
	return again(ctx, func() error {
		if large || w.Size >= LargeBytes {
			return r.fetchLarge(ctx, store, w)
		}
		body, err := r.open(ctx, objectKey(w.ID.Hex()))
		if err != nil {
			return err
		}
		defer body.Close()
		return keep(ctx, store, w.ID, body, w.Size)
	})
}

// fetchPacked gets objects from a pack.
func (r *Remote) fetchPacked(ctx context.Context, store *objects.Store, pack string, list []Wanted) error {
	first := true
	return r.about("pack "+pack, again(ctx, func() error {
		if !first { // objects that arrived before the connection broke off are stored already
			list = slices.DeleteFunc(slices.Clone(list), func(w Wanted) bool { return store.Has(w.ID) })
		}
		first = false
		return r.unpack(ctx, store, pack, list)
	}))
}

func (r *Remote) unpack(ctx context.Context, store *objects.Store, pack string, list []Wanted) error {
	body, err := r.open(ctx, packPrefix+pack+packEnd)
	if err != nil {
		return err
	}
	defer body.Close()
	entries, err := uncompressed(body)
	if err != nil {
		return err
	}
	defer entries.Close()
	in, err := r.newIntake(ctx, store, len(list))
	if err != nil {
		return err
	}
	left := map[string]Wanted{}
	for _, w := range list {
		left[w.ID.Hex()] = w
	}
	for t := tar.NewReader(entries); len(left) > 0 && err == nil && in.ctx.Err() == nil; {
		head, next := t.Next()
		if errors.Is(next, io.EOF) {
			next = fmt.Errorf("of what its index names, %d objects are not in the pack", len(left))
		}
		if err = next; err != nil {
			break
		}
		w, is := left[head.Name]
		if !is {
			continue
		}
		delete(left, head.Name)
		if w.Size > maxPacked {
			err = about(w.ID, fmt.Errorf("an object of %d bytes does not belong into a pack", w.Size))
			continue
		}
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(t, w.Size+1)); err == nil {
			err = in.put(w.ID, text)
		}
	}
	if err == nil && len(left) > 0 {
		err = ctx.Err() // nil if a put failed: in.end returns the put's error
	}
	return errors.Join(in.end(), err)
}

// maxPacked is the largest object of a pack that is held in memory until it is stored, in bytes.
const maxPacked = 1 << 20

// intake stores the objects of one pack: many in one pack file of the store, few in one file each, concurrently, since
// each write waits for the disk.
type intake struct {
	store    *objects.Store
	together *objects.Together
	puts     *errgroup.Group
	ctx      context.Context // ends when a put fails
}

func (r *Remote) newIntake(ctx context.Context, store *objects.Store, n int) (in *intake, err error) {
	in = &intake{store: store}
	in.puts, in.ctx = errgroup.WithContext(ctx)
	in.puts.SetLimit(r.parallel())
	if n >= objects.TogetherLeast && !r.Loose {
		in.together, err = store.Together()
	}
	return in, err
}

func (in *intake) put(id objects.ID, text []byte) error {
	if in.together != nil && 0 < len(text) && len(text) <= objects.TogetherMost {
		return about(id, orWrong(in.together.Put(id, text)))
	}
	in.puts.Go(func() error { return about(id, keepSmall(in.store, id, text)) })
	return nil
}

// end stores what has arrived, even if the rest does not arrive.
func (in *intake) end() error {
	err := in.puts.Wait()
	if in.together != nil {
		err = errors.Join(err, in.together.Commit())
	}
	return err
}

// about names the object in an error.
func about(id objects.ID, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	return nil
}
