package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"iter"
	"runtime"
	"slices"
	"sync"

	"cairn/manifest"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// builder gathers the rows of a segment.
type builder struct {
	rows   []storedRow
	shards []manifest.ShardFile
	texts  map[string]string // so that rows share equal texts
}

// shardRows are the rows read from one shard.
type shardRows struct {
	file manifest.ShardFile
	rows []storedRow
	err  error
}

// readShard reads the rows of a shard. Several goroutines call it at once.
func readShard(m *manifest.Manifest, f manifest.ShardFile, describe Describe) (read shardRows) {
	read.file = f
	records, err := m.ReadShard(f)
	if err != nil {
		read.err = err
		return read
	}
	for at, rec := range records {
		if rec.Type != manifest.TypeCapture {
			continue
		}
		row, err := describe(rec)
		if err != nil {
			continue // left out of the index; it can still be read by its id
		}
		line, err := rec.Encode()
		if err != nil {
			read.err = err
			return read
		}
		read.rows = append(read.rows, storedRow{
			Row: row, time: rec.Time.UnixMicro(), id: hashID(rec.ID), line: crc32.Checksum(line, castagnoli),
			at: uint32(at), size: uint32(len(line)),
		})
	}
	return read
}

// readShards reads shards on all processors and yields them in their order. It reads
// only a few ahead, so that memory is bounded.
func readShards(ctx context.Context, m *manifest.Manifest, files []manifest.ShardFile, describe Describe) iter.Seq[shardRows] {
	return func(yield func(shardRows) bool) {
		ctx, stop := context.WithCancel(ctx)
		var all sync.WaitGroup
		defer all.Wait()
		defer stop()
		type job struct {
			file manifest.ShardFile
			done chan shardRows
		}
		workers := runtime.GOMAXPROCS(0)
		jobs, order := make(chan job), make(chan job, 2*workers)
		for range min(workers, len(files)) {
			all.Go(func() {
				for j := range jobs {
					j.done <- readShard(m, j.file, describe)
				}
			})
		}
		all.Go(func() {
			defer close(order)
			defer close(jobs)
			for _, f := range files {
				j := job{f, make(chan shardRows, 1)}
				select {
				case order <- j:
				case <-ctx.Done():
					return
				}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
			}
		})
		for j := range order {
			select {
			case read := <-j.done:
				if !yield(read) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// add takes the rows of a shard.
func (b *builder) add(read shardRows) {
	shard := len(b.shards)
	b.shards = append(b.shards, read.file)
	for _, row := range read.rows {
		row.shard = shard
		b.once(&row.Row)
		b.rows = append(b.rows, row)
	}
}

// once replaces the texts of a row by equal ones that are known, since each decoded record has its own copies.
func (b *builder) once(row *Row) {
	if b.texts == nil {
		b.texts = map[string]string{}
	}
	share := func(s *string) {
		if known, ok := b.texts[*s]; ok {
			*s = known
		} else {
			b.texts[*s] = *s
		}
	}
	for _, s := range []*string{&row.Key, &row.Command, &row.What, &row.Where, &row.Who} {
		share(s)
	}
	for i := range row.Findings {
		share(&row.Findings[i])
	}
}

// addSegment takes over the rows of s whose shards are unchanged.
func (b *builder) addSegment(s *Segment) error {
	if err := s.load(); err != nil {
		return err
	}
	number := make([]int, len(s.dead))
	for i, dead := range s.dead {
		if number[i] = -1; !dead {
			number[i] = len(b.shards)
			b.shards = append(b.shards, s.shard(i))
		}
	}
	for i := range s.Len() {
		if n := number[s.u32(colShard, i)]; n >= 0 {
			row := s.row(i)
			row.shard = n
			b.rows = append(b.rows, row)
		}
	}
	return nil
}

// hashID is the hash of a run's id that a row stores.
func hashID(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

// encode returns the segment's bytes.
func (b *builder) encode() []byte {
	slices.SortFunc(b.rows, func(x, y storedRow) int {
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.id, y.id), cmp.Compare(x.line, y.line))
	})
	var body [sections][]byte
	for col := range columns {
		body[col] = make([]byte, 0, width(col)*len(b.rows))
	}
	texts, findings := newTable(), newTable()
	for _, r := range b.rows {
		for col, v := range [columns]uint64{
			colTime: uint64(r.time), colID: r.id, colLine: uint64(r.line), colShard: uint64(r.shard), colAt: uint64(r.at), colSize: uint64(r.size),
			colKey: uint64(texts.number(r.Key)), colCommand: uint64(texts.number(r.Command)), colWhat: uint64(texts.number(r.What)),
			colWhere: uint64(texts.number(r.Where)), colWho: uint64(texts.number(r.Who)),
			colDuration: uint64(r.Duration), colRaw: uint64(r.Raw), colShown: uint64(r.Shown), colFlags: uint64(r.Flags),
		} {
			body[col] = appendNumber(body[col], width(col), v)
		}
		body[secHasFrom] = appendNumber(body[secHasFrom], 4, uint64(len(body[secHas])/4))
		for _, f := range r.Findings {
			body[secHas] = appendNumber(body[secHas], 4, uint64(findings.number(f)))
		}
	}
	body[secHasFrom] = appendNumber(body[secHasFrom], 4, uint64(len(body[secHas])/4))
	body[secTexts], body[secTextBytes] = texts.encode()
	body[secFindings], body[secFindingText] = findings.encode()
	body[secFolders], body[secShards], body[secNames] = encodeShards(b.shards)
	return join(body)
}

func appendNumber(to []byte, width int, v uint64) []byte {
	switch width {
	case 8:
		return binary.LittleEndian.AppendUint64(to, v)
	case 2:
		return binary.LittleEndian.AppendUint16(to, uint16(v))
	}
	return binary.LittleEndian.AppendUint32(to, uint32(v))
}

// table gives each distinct text a number.
type table struct {
	numbers map[string]uint32
	ends    []byte
	bytes   bytes.Buffer
}

func newTable() *table { return &table{numbers: map[string]uint32{}} }

func (t *table) number(text string) uint32 {
	n, ok := t.numbers[text]
	if !ok {
		n = uint32(len(t.numbers))
		t.numbers[text] = n
		t.bytes.WriteString(text)
		t.ends = appendNumber(t.ends, 4, uint64(t.bytes.Len()))
	}
	return n
}

func (t *table) encode() (ends, text []byte) { return t.ends, t.bytes.Bytes() }

// magic begins a segment. Its last byte is the version of the format and of what the
// caller puts into a row.
const magic = "cairnix\x05"

// A segment begins with the magic, a table with one entry for each section, and the
// checksum of the table.
const (
	entry    = 8 + 8 + 4
	headSize = len(magic) + sections*entry + 4
)

func join(body [sections][]byte) []byte {
	var list []byte
	at := headSize
	for _, b := range body {
		list = appendNumber(list, 8, uint64(at))
		list = appendNumber(list, 8, uint64(len(b)))
		list = appendNumber(list, 4, uint64(crc32.Checksum(b, castagnoli)))
		at += len(b)
	}
	out := append(make([]byte, 0, at), magic...)
	out = append(out, list...)
	out = appendNumber(out, 4, uint64(crc32.Checksum(list, castagnoli)))
	for _, b := range body {
		out = append(out, b...)
	}
	return out
}
