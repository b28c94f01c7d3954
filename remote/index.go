package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"cairn/internal/durable"
	"cairn/objects"
)

// maxIndex bounds the index of a pack, in bytes: even a pack of PackBytes with objects of one byte each has a smaller
// one.
const maxIndex = 256 << 20

// held is where an object is stored.
type held struct {
	pack string // the name of its pack; "" if it has a body of its own
	size int64  // the object's size in bytes; -1 if not known
}

// contents are all objects of a remote.
type contents struct {
	objects map[objects.ID]held
	bodies  map[string]Entry // by key
}

// contents lists the remote. Indexes that were read before are taken from Dir, since they never change.
func (r *Remote) contents(ctx context.Context) (*contents, error) {
	c := &contents{map[objects.ID]held{}, map[string]Entry{}}
	prefixes := []string{objectPrefix, packPrefix}
	if _, all := r.Backend.(Referrer); all {
		prefixes = []string{""}
	}
	for _, prefix := range prefixes {
		err := c.list(ctx, r.Backend, prefix)
		for n := 1; n < fetchTries && errors.Is(err, io.ErrUnexpectedEOF); n++ { // the connection was cut; entries listed twice count once
			err = c.list(ctx, r.Backend, prefix)
		}
		if err != nil {
			return nil, r.about("listing it", err)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.parallel())
	var mu sync.Mutex
	for key := range c.bodies {
		rest, isIndex := strings.CutSuffix(key, indexEnd)
		name := strings.TrimPrefix(rest, packPrefix)
		if !isIndex || !c.hasPack(name) {
			continue // its pack is gone: a collection is about to remove the index, too
		}
		g.Go(func() error {
			return r.about("index "+key, r.readIndex(ctx, name, func(id objects.ID, size int64) {
				mu.Lock()
				defer mu.Unlock()
				if was, there := c.objects[id]; !there || was.pack > name { // if two packs have the object, the same pack is always chosen
					c.objects[id] = held{name, size}
				}
			}))
		})
	}
	return c, g.Wait()
}

// list adds the entries that the backend lists.
func (c *contents) list(ctx context.Context, b Backend, prefix string) error {
	for e, err := range b.List(ctx, prefix) {
		if err != nil {
			return err
		}
		c.bodies[e.Key] = e
		if hex, ok := hexOf(e.Key); ok {
			if id, err := objects.ParseID(hex); err == nil {
				c.objects[id] = held{size: -1}
			}
		}
	}
	return nil
}

func (c *contents) hasPack(name string) bool { return c.whole(packPrefix+name+packEnd) != "" }

// whole returns the key of a body with its ending, or "" if there is no such body.
func (c *contents) whole(key string) string {
	for _, end := range []string{sealedEnd, plainEnd} {
		if _, there := c.bodies[key+end]; there {
			return key + end
		}
	}
	return ""
}

// bodyOf returns the key of the body that has an object, or "".
func (c *contents) bodyOf(id objects.ID) string {
	h, there := c.objects[id]
	switch {
	case !there:
		return ""
	case h.pack != "":
		return c.whole(packPrefix + h.pack + packEnd)
	}
	return c.whole(objectKey(id.Hex()))
}

// readIndex reads which objects are in a pack.
func (r *Remote) readIndex(ctx context.Context, name string, yield func(objects.ID, int64)) error {
	if raw, err := hex.DecodeString(name); err != nil || len(raw) != sha256.Size {
		return fmt.Errorf("%q is no name of a pack", name)
	}
	dir, err := r.dir("indexes")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	text, err := os.ReadFile(file)
	if err != nil || nameOf(text) != name {
		if text, err = r.fetchIndex(ctx, name); err != nil {
			return err
		}
		if err := writeWhole(file, text); err != nil {
			return err
		}
	}
	for line := range bytes.Lines(text) {
		digest, size, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		id, err := objects.ParseID(digest)
		n, bad := strconv.ParseInt(size, 10, 64)
		if err = errors.Join(err, bad); err != nil {
			return err
		}
		yield(id, n)
	}
	return nil
}

func (r *Remote) fetchIndex(ctx context.Context, name string) ([]byte, error) {
	body, err := r.resumed(ctx, packPrefix+name+indexEnd, 0)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, maxIndex))
	if err == nil && nameOf(text) != name {
		err = errors.New("it does not have the digest that its name says")
	}
	return text, err
}

func nameOf(index []byte) string {
	sum := sha256.Sum256(index)
	return hex.EncodeToString(sum[:])
}

// writeWhole writes a file of the cache completely or not at all.
func writeWhole(name string, text []byte) error {
	return durable.Replace(name, "index-*", durable.FileMode, durable.Bytes(text, false))
}

// member is an object to be put into a pack.
type member struct {
	id   objects.ID
	size int64
}

// indexOf returns the index of a pack with these members.
func indexOf(all []member) []byte {
	slices.SortFunc(all, func(a, b member) int { return cmp.Compare(a.id.Hex(), b.id.Hex()) })
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for _, m := range all {
		fmt.Fprintf(w, "%s %d\n", m.id.Hex(), m.size)
	}
	w.Flush()
	return b.Bytes()
}

// packName returns the pack that a body belongs to, or "".
func packName(key string) string {
	rest, ok := strings.CutPrefix(key, packPrefix)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, ".")
	return name
}

// rank orders removals: an index is removed before its pack.
func rank(key string) int {
	if strings.HasSuffix(key, indexEnd) {
		return 0
	}
	return 1
}
