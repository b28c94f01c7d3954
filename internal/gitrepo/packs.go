package gitrepo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// objectFiles reads objects of a sha1 repository from its files: loose ones and packed
// ones, its own and those of its alternates. Git may still have objects that it does
// not find or understand.
type objectFiles struct {
	dirs []string // objects directories, the repository's own first
}

const (
	// maxAlternates bounds the object directories that are searched.
	maxAlternates = 8
	// maxFromFile bounds an object that is read here, in bytes. The files of the branch
	// are a thousandth of it.
	maxFromFile = 16 << 20
	// maxChain bounds the deltas of one object; git makes up to 50.
	maxChain = 100
)

var errNotInFiles = errors.New("not in the files that were looked at")

func (r *Repo) objectFiles() *objectFiles {
	if r.ObjectFormat != "sha1" {
		return &objectFiles{}
	}
	o := &objectFiles{dirs: []string{r.objectDir}}
	for i := 0; i < len(o.dirs) && len(o.dirs) < maxAlternates; i++ {
		o.dirs = append(o.dirs, alternates(o.dirs[i])...)
	}
	return o
}

// alternates are the object directories that dir borrows objects from.
func alternates(dir string) (list []string) {
	text, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' || line[0] == '"' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		list = append(list, line)
	}
	return list
}

// read returns an object after checking its content against its id.
func (o *objectFiles) read(oid string) (kind plumbing.ObjectType, data []byte, err error) {
	if len(oid) != 40 {
		return 0, nil, errNotInFiles
	}
	for _, dir := range o.dirs {
		if kind, data, err = readLoose(filepath.Join(dir, oid[:2], oid[2:])); err != nil {
			kind, data, err = readPacked(o, filepath.Join(dir, "pack"), oid)
		}
		if err == nil && plumbing.ComputeHash(kind, data).String() == oid {
			return kind, data, nil
		}
	}
	return 0, nil, errNotInFiles
}

// readLoose reads an object file, without checking its id.
func readLoose(path string) (kind plumbing.ObjectType, data []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	r, err := objfile.NewReader(f)
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	kind, size, err := r.Header()
	if err != nil {
		return 0, nil, err
	}
	if size > maxFromFile {
		return 0, nil, errNotInFiles
	}
	data, err = io.ReadAll(io.LimitReader(r, size+1))
	if err == nil && int64(len(data)) != size {
		err = errors.New("damaged")
	}
	return kind, data, err
}

// readPacked searches the packs of a directory.
func readPacked(o *objectFiles, dir, oid string) (plumbing.ObjectType, []byte, error) {
	raw, err := hex.DecodeString(oid)
	if err != nil {
		return 0, nil, err
	}
	names, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*.idx"))
	for _, idx := range names {
		offset, err := findInIndex(idx, raw)
		if err != nil {
			continue // not in this pack, or not readable
		}
		f, err := os.Open(strings.TrimSuffix(idx, ".idx") + ".pack")
		if err != nil {
			continue
		}
		kind, data, err := unpack(o, f, offset, maxChain)
		f.Close()
		if err == nil {
			return kind, data, nil
		}
	}
	return 0, nil, errNotInFiles
}

func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// findInIndex finds an object in a pack index, version 2 (see
// gitformat-pack): a table of 256 counts, then names, checksums and offsets.
func findInIndex(path string, oid []byte) (offset int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	const fanout, names = 8, 8 + 256*4
	var head [names]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return 0, err
	}
	if !bytes.Equal(head[:8], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
		return 0, fmt.Errorf("%s: not an index of version 2", path)
	}
	count := func(b int) int64 {
		if b < 0 {
			return 0
		}
		return int64(binary.BigEndian.Uint32(head[fanout+4*b:]))
	}
	from, to, total := count(int(oid[0])-1), count(int(oid[0])), count(255)
	if from > to || to > total {
		return 0, fmt.Errorf("%s: damaged", path)
	}
	width := int64(len(oid))
	list := make([]byte, (to-from)*width)
	if _, err := f.ReadAt(list, names+from*width); err != nil && len(list) > 0 {
		return 0, err
	}
	at := func(i int) []byte { return list[int64(i)*width : int64(i+1)*width] }
	i := sort.Search(int(to-from), func(i int) bool { return bytes.Compare(at(i), oid) >= 0 })
	if i == int(to-from) || !bytes.Equal(at(i), oid) {
		return 0, errNotInFiles
	}
	return indexOffset(f, names+total*(width+4), total, from+int64(i))
}

// indexOffset reads entry i of the table of offsets at table: 31 bits, or the index of
// 64 bits in the table behind it.
func indexOffset(f io.ReaderAt, table, total, i int64) (int64, error) {
	var b [8]byte
	if _, err := f.ReadAt(b[:4], table+4*i); err != nil {
		return 0, err
	}
	short := binary.BigEndian.Uint32(b[:4])
	if short&(1<<31) == 0 {
		return int64(short), nil
	}
	if _, err := f.ReadAt(b[:], table+4*total+8*int64(short&^(1<<31))); err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(b[:])), nil
}

// unpack reads the object at offset of a pack, applying its deltas.
func unpack(o *objectFiles, pack io.ReadSeeker, offset int64, deltas int) (plumbing.ObjectType, []byte, error) {
	s := packfile.NewScanner(pack)
	h, err := s.SeekObjectHeader(offset)
	switch {
	case err != nil:
		return 0, nil, err
	case h.Length > maxFromFile || deltas == 0:
		return 0, nil, errNotInFiles
	}
	var data bytes.Buffer
	if _, _, err := s.NextObject(&data); err != nil {
		return 0, nil, err
	}
	var kind plumbing.ObjectType
	var base []byte
	switch h.Type {
	case plumbing.OFSDeltaObject:
		kind, base, err = unpack(o, pack, h.OffsetReference, deltas-1)
	case plumbing.REFDeltaObject:
		kind, base, err = o.read(h.Reference.String())
	default:
		return h.Type, data.Bytes(), nil
	}
	if err != nil {
		return 0, nil, err
	}
	whole, err := packfile.PatchDelta(base, data.Bytes())
	return kind, whole, err
}
