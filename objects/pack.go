package objects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"
)

// PackOptions say which objects to pack.
type PackOptions struct {
	// Series are objects that are likely to be alike, such as the output of one
	// command from run to run, oldest first. An object may be in several.
	Series [][]ID
	// Before excludes objects put since then; zero excludes none.
	Before time.Time
	// InFlight is as in GCOptions.
	InFlight func() (time.Time, error)
	DryRun   bool
	// Most ends the work after this many bytes were read; 0 is no limit.
	Most     int64
	LockWait time.Duration // how long to wait for the lock; 10 s if 0
}

// PackReport is what was packed or, in a dry run, would be packed.
type PackReport struct {
	DryRun        bool
	Packed        int
	InFiles       int   // objects in pack files; the others are packed against a base
	Files         int   // pack files written
	Before, After int64 // bytes on disk of the packed objects
	Left          int   // objects that stay as they are: too small, too different, or a base
	Unfinished    bool  // PackOptions.Most was reached
}

const (
	// keptBases is how many bases of a series are tried for an object.
	keptBases = 3
)

// Pack moves small objects into pack files, and compresses larger ones against earlier ones of
// their series, if that saves at least half, and room on the disk. It reads back what it writes
// and compares it with the ID before it replaces a file, and Unpack undoes it. Captures may run
// meanwhile. Only one process packs at a time: ErrBusy says that another one does.
func (s *Store) Pack(ctx context.Context, o PackOptions) (PackReport, error) {
	r := PackReport{DryRun: o.DryRun}
	p, done, err := s.startPacking(ctx, o.InFlight, o.LockWait)
	if p == nil || err != nil {
		return r, err
	}
	defer done()
	p.o, p.r = o, &r
	if !o.Before.IsZero() && (p.before.IsZero() || o.Before.Before(p.before)) {
		p.before = o.Before
	}
	if err := p.gather(ctx); err != nil {
		return r, fmt.Errorf("pack: %w", err)
	}
	for _, series := range o.Series {
		if err := p.series(ctx, series); err != nil {
			return r, fmt.Errorf("pack: %w", err)
		}
		if r.Unfinished {
			break
		}
	}
	return r, nil
}

// packer packs or unpacks. Only one runs at a time, so that no base is packed itself.
type packer struct {
	s      *Store
	o      PackOptions
	r      *PackReport
	before time.Time // objects put since then are left alone; zero: none is
	wait   time.Duration
	codecs map[ID]codec
	needed map[ID]bool // bases of packed objects
	seen   map[ID]bool // objects that this run has looked at
	read   int64
}

// startPacking takes pack.lock. The packer is nil if there is no store.
func (s *Store) startPacking(ctx context.Context, inFlight func() (time.Time, error), wait time.Duration) (*packer, func(), error) {
	if !s.exists() {
		return nil, nil, nil
	}
	if err := s.checkFormat(); err != nil {
		return nil, nil, fmt.Errorf("pack: %w", err)
	}
	unlock, err := s.lockPacks(0)
	if err != nil {
		return nil, nil, fmt.Errorf("pack: %w", err)
	}
	wait = cmp.Or(wait, gcLockWait)
	p := &packer{s: s, wait: wait, codecs: map[ID]codec{}, needed: map[ID]bool{}, seen: map[ID]bool{}}
	p.before, err = s.inUseSince(GCOptions{InFlight: inFlight})
	if err == nil {
		err = p.lookAround(ctx)
	}
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("pack: %w", err)
	}
	return p, unlock, nil
}

// lockPacks takes pack.lock, which is held to move objects into pack files or out of
// them, to rewrite pack files, or to pack one object against another. A process that
// needs the store's lock too takes this one first.
func (s *Store) lockPacks(wait time.Duration) (unlock func(), err error) {
	f, err := s.fs.OpenFile(filepath.Join(s.root, "pack.lock"), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	if err := waitLock(f, true, wait); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

func (p *packer) lookAround(ctx context.Context) error {
	all, err := p.s.entries(ctx)
	for _, e := range all {
		if e.sound && e.loose {
			p.codecs[e.id] = e.codec
		}
		if e.codec == codecPack {
			p.needed[e.base] = true
		}
	}
	return err
}

// base is an object that others may be packed against.
type base struct {
	id    ID
	enc   *zstd.Encoder
	plain []byte
}

// series packs the objects of a series, each against the best of the last few bases. An
// object that no base serves becomes a base itself.
func (p *packer) series(ctx context.Context, ids []ID) error {
	var bases []*base
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.o.Most > 0 && p.read >= p.o.Most {
			p.r.Unfinished = true
			return nil
		}
		as, there := p.codecs[id]
		if !there || as == codecPack || p.seen[id] && !p.needed[id] {
			continue
		}
		packed, err := p.one(id, bases)
		var bad *CorruptError
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errRaced) || isAbsent(err):
			continue // another process removed or replaced it
		case errors.As(err, &bad):
			continue // fsck reports it
		case err != nil:
			return err
		case packed:
			continue
		}
		if b, err := p.newBase(id); err != nil {
			return err
		} else if b != nil {
			bases = append(bases[max(0, len(bases)+1-keptBases):], b)
		}
	}
	return nil
}

// one packs one object, if a base makes it small enough.
func (p *packer) one(id ID, bases []*base) (bool, error) {
	f, err := p.s.fs.OpenFile(p.s.objectPath(id), os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return false, err
	}
	h, err := readHeader(f, st.Size())
	if err != nil {
		return false, err
	}
	young := !p.before.IsZero() && !st.ModTime().Before(p.before)
	if !p.seen[id] {
		p.seen[id] = true
		p.r.Left++
	}
	if len(bases) == 0 || p.needed[id] || young || st.Size() <= diskBlock || h.size > maxPacked {
		return false, nil
	}
	plain, err := p.s.baseBytes(id)
	if err != nil {
		return false, err
	}
	p.read += h.size
	to, data := best(plain, bases)
	if after := headerSize + int64(len(data)); after > st.Size()/2 || blocks(after) == blocks(st.Size()) {
		return false, nil
	}
	d := newDigest()
	d.add(plain)
	packed := header{codecPack, h.size, int64(len(data)), d.lineCount(), checksum(data)}
	if !p.o.DryRun {
		if err := p.put(id, to, packed, data, st); err != nil {
			return false, err
		}
	}
	p.codecs[id], p.needed[to] = codecPack, true
	p.r.Packed, p.r.Left = p.r.Packed+1, p.r.Left-1
	p.r.Before, p.r.After = p.r.Before+st.Size(), p.r.After+headerSize+int64(len(data))
	return true, nil
}

// blocks is how many blocks of the disk a file fills: a file of one block cannot become
// smaller.
func blocks(size int64) int64 { return (size + diskBlock - 1) / diskBlock }

// best returns the base against which plain becomes smallest, and the packed data.
func best(plain []byte, bases []*base) (to ID, data []byte) {
	for _, b := range bases {
		one := append([]byte{}, b.id[:]...)
		for at := 0; at < len(plain); at += BlockSize {
			one = b.enc.EncodeAll(plain[at:min(at+BlockSize, len(plain))], one)
		}
		if data == nil || len(one) < len(data) {
			to, data = b.id, one
		}
	}
	return to, data
}

// put writes a packed object, verifies it, and replaces the file whose state was st.
func (p *packer) put(id, to ID, h header, data []byte, st fs.FileInfo) error {
	tmp, err := p.s.createTemp()
	if err != nil {
		return err
	}
	defer p.s.discard(tmp) // does nothing after the rename
	if err := p.s.fill(tmp, id, h, data); err != nil {
		return err
	}
	return p.s.replace(id, tmp, st, p.wait, func() error {
		_, err := p.s.fs.Stat(p.s.objectPath(to)) // it exists; once the object names it, gc keeps it
		return err
	})
}

// newBase makes a base of an object; nil if that is not possible.
func (p *packer) newBase(id ID) (*base, error) {
	info, err := p.s.Stat(id)
	if err != nil || info.Size > maxPacked || info.Size < diskBlock {
		return nil, nil
	}
	plain, err := p.s.baseBytes(id)
	if err != nil {
		return nil, nil // fsck reports it
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(2*maxPacked),
		zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true), zstd.WithEncoderDictRaw(0, plain))
	return &base{id, enc, plain}, err
}

// Unpack gives every packed object a file of its own again, not packed against a base.
func (s *Store) Unpack(ctx context.Context, wait time.Duration) (PackReport, error) {
	r := PackReport{}
	p, done, err := s.startPacking(ctx, nil, wait)
	if p == nil || err != nil {
		return r, err
	}
	defer done()
	p.r = &r
	if err := p.emptyPacks(ctx); err != nil {
		return r, fmt.Errorf("unpack: %w", err)
	}
	var failed []error
	for id, as := range p.codecs {
		if as != codecPack {
			r.Left++
			continue
		}
		if err := ctx.Err(); err != nil {
			return r, fmt.Errorf("unpack: %w", err)
		}
		before, after, err := p.unpack(id)
		switch {
		case err == nil:
			r.Packed, r.Before, r.After = r.Packed+1, r.Before+before, r.After+after
		case !isAbsent(err) && !errors.Is(err, errRaced):
			failed = append(failed, err)
		}
	}
	if err := errors.Join(failed...); err != nil {
		return r, fmt.Errorf("unpack: %w", err)
	}
	return r, nil
}

func (p *packer) unpack(id ID) (before, after int64, err error) {
	o, err := p.s.OpenObject(id)
	if err != nil {
		return 0, 0, err
	}
	defer o.Close()
	if o.coding.codec != codecPack {
		return 0, 0, errRaced
	}
	st, err := o.f.Stat()
	if err != nil {
		return 0, 0, err
	}
	tmp, err := p.s.createTemp()
	if err != nil {
		return 0, 0, err
	}
	defer p.s.discard(tmp)
	d := newDigest()
	h, err := encodeStream(tmp.file, d, io.NewSectionReader(o, 0, o.Size()))
	if err == nil {
		err = tmp.seal(h)
	}
	if err == nil {
		_, _, _, _, err = p.s.verify(tmp.file, id, false)
	}
	if err == nil {
		err = p.s.replace(id, tmp, st, p.wait, nil)
	}
	return st.Size(), h.stored + headerSize, err
}
