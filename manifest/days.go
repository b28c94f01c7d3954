package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// listDays fills s.days with the days in the range of the query.
func (s *scan) listDays() error {
	set := make(map[day]bool)
	for _, root := range s.roots {
		if err := eachDay(root, func(d day) { set[d] = true }); err != nil {
			return fmt.Errorf("listing the days of the manifest: %w", err)
		}
	}
	first, last := dayOf(s.q.Since), dayOf(s.q.Until.Add(-time.Microsecond))
	for d := range set {
		if (s.since == "" || d >= first) && (s.until == "" || d <= last) {
			s.days = append(s.days, d)
		}
	}
	slices.Sort(s.days)
	if s.q.Newest {
		slices.Reverse(s.days)
	}
	return nil
}

func eachDay(root string, visit func(day)) error {
	years, err := subdirs(root, 4)
	for _, y := range years {
		months, err2 := subdirs(filepath.Join(root, y), 2)
		err = errors.Join(err, err2)
		for _, mon := range months {
			days, err2 := subdirs(filepath.Join(root, y, mon), 2)
			err = errors.Join(err, err2)
			for _, d := range days {
				visit(day(y + "/" + mon + "/" + d))
			}
		}
	}
	return err
}

// subdirs lists the names of width digits in a folder, which may be missing.
func subdirs(dir string, width int) ([]string, error) {
	all, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range all {
		if e.IsDir() && digits(e.Name(), width) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// list finds the shards of a day under every root.
func (s *scan) list(d day) (dayShards, error) {
	var out dayShards
	for i, root := range s.roots {
		dir := filepath.Join(root, filepath.FromSlash(string(d)))
		names, err := namesIn(dir)
		if err != nil {
			return out, fmt.Errorf("listing the shards of %s: %w", d, err)
		}
		for _, name := range names {
			if shardName(name) {
				out.shards = append(out.shards, &shard{path: dir + string(filepath.Separator) + name, own: i == 0})
			}
		}
	}
	return out, nil
}

// namesIn lists a folder, which may be missing, in no order.
func namesIn(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
