package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"cairn/objects"
	"cairn/parsers"
)

const (
	recordingPiece = 256 << 10 // bytes that one read takes
	recordingHeld  = 1 << 20   // bytes of a pipe in memory; a longer output goes to a temporary file
)

// recording is an output that was recorded in files, or comes on standard input. It can
// be read several times, in pieces, and is never all in memory. Close it; Err returns
// an error of reading.
type recording struct {
	parts []recordedPart
	err   error
}

// recordedPart is one stream.
type recordedPart struct {
	stream  parsers.Stream
	at      int64 // its offset in the merged output
	size    int64
	text    io.ReaderAt
	release func() error
}

// openRecording opens the arguments of --stdout and --stderr: a file, "-" for standard
// input, "" for nothing.
func openRecording(stdin io.Reader, stdout, stderr string) (*recording, error) {
	r := &recording{}
	for _, p := range []struct {
		stream parsers.Stream
		name   string
	}{{parsers.Stdout, stdout}, {parsers.Stderr, stderr}} {
		if p.name == "" {
			continue
		}
		if err := r.add(stdin, p.stream, p.name); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

func (r *recording) add(stdin io.Reader, stream parsers.Stream, name string) error {
	p := recordedPart{stream: stream, at: r.Size(), release: func() error { return nil }}
	if name == "-" {
		if err := p.spool(stdin); err != nil {
			return fmt.Errorf("reading standard input: %w", err)
		}
		r.parts = append(r.parts, p)
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading recorded output: %w", err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.Mode().IsRegular():
		p.text, p.size, p.release = f, info.Size(), f.Close
	default: // a named pipe, which can be read only once
		err = errors.Join(p.spool(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("reading recorded output: %w", errors.Join(err, f.Close()))
	}
	r.parts = append(r.parts, p)
	return nil
}

// spool copies input that can be read only once.
func (p *recordedPart) spool(from io.Reader) error {
	head, err := io.ReadAll(io.LimitReader(from, recordingHeld))
	if err != nil {
		return err
	}
	if p.text, p.size = bytes.NewReader(head), int64(len(head)); len(head) < recordingHeld {
		return nil
	}
	f, err := os.CreateTemp("", "cairn-parse-")
	if err != nil {
		return err
	}
	p.release = func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	p.size, err = io.Copy(f, io.MultiReader(bytes.NewReader(head), from))
	if p.text = f; err != nil {
		return errors.Join(err, p.release())
	}
	return nil
}

func (r *recording) Close() (err error) {
	for _, p := range r.parts {
		err = errors.Join(err, p.release())
	}
	return err
}

// Err is the first error of reading.
func (r *recording) Err() error { return r.err }

// Size is the bytes of both streams.
func (r *recording) Size() (n int64) {
	for _, p := range r.parts {
		n += p.size
	}
	return n
}

// Chunks is all of stdout, then all of stderr: their order was not recorded.
func (r *recording) Chunks() iter.Seq[parsers.Chunk] {
	return func(yield func(parsers.Chunk) bool) {
		buf := make([]byte, min(recordingPiece, r.Size()))
		for _, p := range r.parts {
			for at := int64(0); at < p.size; {
				n, err := p.text.ReadAt(buf[:min(int64(len(buf)), p.size-at)], at)
				if n > 0 && !yield(parsers.Chunk{Stream: p.stream, Offset: p.at + at, Data: buf[:n]}) {
					return
				}
				if at += int64(n); err != nil && at < p.size {
					r.err = fmt.Errorf("reading recorded output: %w", err)
					return
				}
			}
		}
	}
}

// id is the object id of the whole output.
func (r *recording) id() objects.ID {
	sum := sha256.New()
	for c := range r.Chunks() {
		sum.Write(c.Data)
	}
	return objects.ID(sum.Sum(nil))
}

// whole is the whole output; nil if it has more than limit bytes.
func (r *recording) whole(limit int64) []byte {
	if r.Size() > limit {
		return nil
	}
	var all []byte
	for c := range r.Chunks() {
		all = append(all, c.Data...)
	}
	return all
}
