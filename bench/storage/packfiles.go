package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/objects/packfile"
)

// packFiles writes the outputs into pack files, ordered by command, in groups of group bytes, and reads each of them
// back. It measures only the format, without the store.
func packFiles(r *report, dir, logs string, series [][]string, group int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := filepath.Join(dir, fmt.Sprintf("%d.pack", group))
	begun := time.Now()
	want, left, err := writePack(name, logs, series, group)
	if err != nil {
		return err
	}
	wrote := time.Since(begun)
	s, err := sizeOf(name)
	if err != nil {
		return err
	}
	s.bytes, s.disk = s.bytes+left.bytes, s.disk+left.disk
	r.line(fmt.Sprintf("pack file, groups of %d", group), s)
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	begun = time.Now()
	for id := range want {
		p, err := packfile.Open(f, s.bytes-left.bytes)
		if err != nil {
			return err
		}
		if _, err := p.Read(id); err != nil {
			return err
		}
	}
	n := time.Duration(len(want))
	fmt.Fprintf(r.w, "  %d in %v; each opened and read in %v\n", n, wrote.Round(time.Millisecond), (time.Since(begun) / n).Round(time.Microsecond))
	return nil
}

// writePack writes one pack file. Outputs that are too large for one are left out.
func writePack(name, logs string, series [][]string, group int) (want map[packfile.ID]bool, left size, err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, left, err
	}
	defer f.Close()
	w, err := packfile.NewWriter(f)
	if err != nil {
		return nil, left, err
	}
	want = map[packfile.ID]bool{}
	large := map[packfile.ID]bool{}
	for _, names := range series {
		for _, of := range names {
			b, err := os.ReadFile(filepath.Join(logs, of))
			if err != nil {
				return nil, left, err
			}
			if len(b) == 0 {
				continue // the store would not keep it in a pack either
			}
			if id := packfile.ID(sha256.Sum256(b)); len(b) > packfile.MaxObject {
				if !large[id] {
					large[id] = true
					left.bytes, left.disk = left.bytes+int64(len(b)), left.disk+(int64(len(b))+diskBlock-1)/diskBlock*diskBlock
				}
				continue
			}
			if w.Pending() > 0 && w.Pending()+len(b) > group {
				if err := w.EndGroup(); err != nil {
					return nil, left, err
				}
			}
			id, err := w.Add(b, time.Now())
			if err != nil {
				return nil, left, err
			}
			want[id] = true
		}
		if err := w.EndGroup(); err != nil {
			return nil, left, err
		}
	}
	return want, left, w.Close()
}
