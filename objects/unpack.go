package objects

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"cairn/objects/packfile"
)

// emptyPacks gives every object of a pack file a file of its own again and removes the
// pack files. It removes a pack file only if all of its objects were read.
func (p *packer) emptyPacks(ctx context.Context) error {
	view, err := p.s.lookAtPacks()
	if err != nil {
		return err
	}
	failed := []error{view.unread}
	for _, file := range view.files {
		if err := p.emptyPack(ctx, file); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.s.packPath(file.name), err))
		}
	}
	return errors.Join(failed...)
}

func (p *packer) emptyPack(ctx context.Context, file *packFile) error {
	bad, after := map[ID]error{}, int64(0)
	err := p.s.readPack(file, func(r *packfile.Pack) error {
		return r.Each(func(e packfile.Entry, b []byte, err error) error {
			if err != nil {
				b, err = r.Read(e.ID) // again, in case only the read failed
			}
			if isPackDamage(err) {
				bad[ID(e.ID)] = err
				return nil
			}
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			n, err := p.s.takeOut(ID(e.ID), b, file.put(e))
			after += n
			return err
		})
	})
	if err != nil {
		return err
	}
	if err := p.s.retire(file, bad); err != nil {
		return err
	}
	n := len(file.index.Entries()) - len(bad)
	p.r.Packed, p.r.InFiles, p.r.Files = p.r.Packed+n, p.r.InFiles+n, p.r.Files+1
	p.r.Before, p.r.After = p.r.Before+file.size, p.r.After+after
	if len(bad) > 0 {
		return fmt.Errorf("%d of its objects are damaged; fsck names them", len(bad))
	}
	return nil
}

// takeOut gives an object a file of its own, unless it has a sound one, and returns the
// length of the new file.
func (s *Store) takeOut(id ID, b []byte, put time.Time) (int64, error) {
	d := newDigest()
	d.add(b)
	h, data := encodeSmall(d, b)
	for range tries {
		tmp, err := s.createTemp()
		if err != nil {
			return 0, err
		}
		err = s.publishOut(tmp, id, h, data, put)
		s.discard(tmp) // does nothing after the rename
		if !errors.Is(err, fs.ErrExist) {
			return h.stored + headerSize, err
		}
		_, err = s.verifyObject(id) // moves a damaged file away
		var bad *CorruptError
		switch {
		case err == nil:
			return 0, s.fs.SyncDir(s.objectDir(id)) // the file's writer may not have synced it yet
		case errors.As(err, &bad) && bad.MovedTo == "" || !errors.As(err, &bad) && !isAbsent(err):
			return 0, err
		}
	}
	return 0, fmt.Errorf("object %s: %w", id, errRaced)
}

func (s *Store) publishOut(tmp *pending, id ID, h header, data []byte, put time.Time) error {
	if _, err := writeAt(tmp.file, data, headerSize); err != nil {
		return err
	}
	if err := tmp.seal(h); err != nil {
		return err
	}
	if _, _, _, _, err := s.verify(tmp.file, id, false); err != nil {
		return err
	}
	if closeBeforeRename {
		tmp.Close()
	}
	if err := s.fs.Chtimes(tmp.path, put); err != nil {
		return err
	}
	if err := s.rename(tmp, id); err != nil {
		return err
	}
	return s.fs.SyncDir(s.objectDir(id))
}
