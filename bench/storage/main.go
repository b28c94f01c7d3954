// Command storage says how many bytes a capture takes after a month of work, in cairn's store before and after packing,
// compared with alternatives: one .zst file per output, a git repository of the outputs, and a restic repository.
//
//	go -C bench run ./storage              a month: 40 commands, twice a day, 22 days
//	go -C bench run ./storage -least 16384 the same with longer outputs
//	go -C bench run ./storage -days 3      to see that it works
//
// It promises that the outputs are real ones (of the golden cases), changed from run to run like real reruns, from a
// fixed seed: durations, dates, addresses and process ids vary, and sometimes a line is added, removed or moved, for
// good. It promises that every object is read back after packing. A real month may be different: how similar two runs
// are decides everything, and varies between projects.
//
// Two figures are given: the bytes of the files, and the disk blocks of 4 KiB that they use, at least one per file.
//
// What may go in: measurements of disk space. Times are measured elsewhere.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"cairn/bench/tree"
	"cairn/objects"
)

func main() {
	var m month
	golden := flag.String("golden", "golden", "take outputs from the cases below this `DIR`")
	flag.IntVar(&m.commands, "commands", 40, "`NUMBER` of commands")
	flag.IntVar(&m.days, "days", 22, "`NUMBER` of days")
	flag.IntVar(&m.runs, "runs", 2, "`TIMES` a day that each is run")
	flag.Int64Var(&m.least, "least", 1<<10, "take outputs of this many `BYTES` or more")
	flag.BoolVar(&m.alone, "alone", false, "measure cairn alone")
	flag.Parse()
	tree.Enter()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *golden, m); err != nil {
		fmt.Fprintf(os.Stderr, "storage: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, golden string, m month) error {
	tmp, err := os.MkdirTemp("", "cairn-storage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	logs := filepath.Join(tmp, "logs")
	series, err := m.write(golden, logs)
	if err != nil {
		return err
	}
	plain, err := sizeOf(logs)
	if err != nil {
		return err
	}
	r := &report{w: w, plain: plain}
	fmt.Fprintf(w, "%d captures of %d commands in %d days, %d bytes each\n\n%-28s %14s %10s %14s\n", plain.files, len(series), m.days, plain.bytes/int64(plain.files), "", "bytes/capture", "of plain", "disk/capture")
	r.line("as they are", plain)
	if err := cairn(ctx, r, filepath.Join(tmp, "store"), logs, series); err != nil {
		return err
	}
	if m.alone {
		return nil
	}
	return others(ctx, r, tmp, logs)
}

// report prints the table.
type report struct {
	w     io.Writer
	plain size
}

func (r *report) line(name string, s size) {
	n := int64(r.plain.files)
	fmt.Fprintf(r.w, "%-28s %14d %9.1f%% %14d\n", name, s.bytes/n, 100*float64(s.bytes)/float64(r.plain.bytes), s.disk/n)
}

// size is the size of a directory tree.
type size struct {
	files       int
	bytes, disk int64
}

const diskBlock = 4096

func sizeOf(dir string) (s size, err error) {
	err = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		s.files, s.bytes, s.disk = s.files+1, s.bytes+st.Size(), s.disk+(st.Size()+diskBlock-1)/diskBlock*diskBlock
		return nil
	})
	return s, err
}

// cairn stores every output, and packs the store. series are the names of the outputs of each command, oldest first.
func cairn(ctx context.Context, r *report, root, logs string, series [][]string) error {
	s := objects.Open(root)
	var ids [][]objects.ID
	for _, names := range series {
		var of []objects.ID
		for _, name := range names {
			b, err := os.ReadFile(filepath.Join(logs, name))
			if err != nil {
				return err
			}
			info, err := s.PutBytes(b)
			if err != nil {
				return err
			}
			of = append(of, info.ID)
		}
		ids = append(ids, of)
	}
	before, err := sizeOf(root)
	if err != nil {
		return err
	}
	r.line("cairn", before)
	begun := time.Now()
	packed, err := s.Pack(ctx, objects.PackOptions{Series: ids})
	if err != nil {
		return err
	}
	took := time.Since(begun)
	after, err := sizeOf(root)
	if err != nil {
		return err
	}
	r.line("cairn, packed", after)
	fmt.Fprintf(r.w, "  %d packed in %v, %d of them in %d pack files: %d bytes became %d, 1 to %.1f; %d left\n", packed.Packed, took.Round(time.Millisecond),
		packed.InFiles, packed.Files, packed.Before, packed.After, float64(packed.Before)/float64(max(packed.After, 1)), packed.Left)
	return readBack(s, logs, series, ids)
}

func readBack(s *objects.Store, logs string, series [][]string, ids [][]objects.ID) error {
	for c, names := range series {
		for i, name := range names {
			want, err := os.ReadFile(filepath.Join(logs, name))
			if err != nil {
				return err
			}
			if got, err := s.ReadAll(ids[c][i]); err != nil || !bytes.Equal(got, want) {
				return fmt.Errorf("%s does not come back: %d of %d bytes, %v", name, len(got), len(want), err)
			}
		}
	}
	return nil
}
