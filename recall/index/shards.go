package index

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"cairn/manifest"
)

// folder is consecutive shards of a segment that lie in one folder. A record of years has tens
// of thousands of shards: as long as a folder has not changed, none of its shards is looked at.
type folder struct {
	dir      string
	own      bool
	from, to int    // numbers of the shards
	sum      uint32 // xor of the shards' stateSum
}

// Widths in bytes of an entry of secFolders, without its name, and of an entry of secShards.
const (
	folderHead = 4 + 4 + 2 + 2
	shardEntry = 8 + 8 + 4
)

// stateSum is a checksum of a shard's path, size and modification time. The sums of a folder are joined by xor.
func stateSum(f manifest.ShardFile) uint32 {
	numbers := binary.LittleEndian.AppendUint64(make([]byte, 0, 16), uint64(f.Size))
	numbers = binary.LittleEndian.AppendUint64(numbers, uint64(f.ModTime))
	return crc32.Update(crc32.Checksum([]byte(f.Path), castagnoli), castagnoli, numbers)
}

// split splits a shard's path into its folder and its name.
func split(path string) (dir, name string) {
	i := strings.LastIndexByte(path, '/')
	return path[:i], path[i+1:]
}

// encodeShards returns the bytes of secFolders, secShards and secNames.
func encodeShards(all []manifest.ShardFile) (folders, shards, names []byte) {
	for len(all) > 0 {
		dir, _ := split(all[0].Path)
		n, sum := 0, uint32(0)
		for ; n < len(all); n++ {
			at, name := split(all[n].Path)
			if at != dir || all[n].Own != all[0].Own {
				break
			}
			names = append(names, name...)
			shards = appendNumber(shards, 8, uint64(all[n].Size))
			shards = appendNumber(shards, 8, uint64(all[n].ModTime))
			shards = appendNumber(shards, 4, uint64(len(names)))
			sum ^= stateSum(all[n])
		}
		own := uint64(0)
		if all[0].Own {
			own = 1
		}
		folders = appendNumber(folders, 4, uint64(n))
		folders = appendNumber(folders, 4, uint64(sum))
		folders = appendNumber(folders, 2, own)
		folders = appendNumber(folders, 2, uint64(len(dir)))
		folders, all = append(folders, dir...), all[n:]
	}
	return folders, shards, names
}

// readFolders reads the folders, and checks the entries that shard will read.
func (s *Segment) readFolders() error {
	if err := s.load(secFolders, secShards, secNames); err != nil {
		return err
	}
	list, shards := s.body[secFolders], len(s.body[secShards])/shardEntry
	text := string(list) // the names share one string
	for at, from := 0, 0; at < len(list); {
		head := list[at:]
		if len(head) < folderHead {
			return errDamaged
		}
		n, length := int(binary.LittleEndian.Uint32(head)), int(binary.LittleEndian.Uint16(head[10:]))
		if at += folderHead; len(list)-at < length || shards-from < n {
			return errDamaged
		}
		s.folders = append(s.folders, folder{dir: text[at : at+length], own: head[8] == 1, from: from, to: from + n, sum: binary.LittleEndian.Uint32(head[4:])})
		at, from = at+length, from+n
	}
	s.dead = make([]bool, shards)
	return nil
}

// folderOf is the folder of a shard.
func (s *Segment) folderOf(n int) *folder {
	return &s.folders[sort.Search(len(s.folders), func(i int) bool { return s.folders[i].to > n })]
}

// shard is the shard with number n.
func (s *Segment) shard(n int) manifest.ShardFile { return s.shardIn(s.folderOf(n), n) }

func (s *Segment) shardIn(in *folder, n int) manifest.ShardFile {
	e := s.body[secShards][n*shardEntry:]
	return manifest.ShardFile{
		Path: in.dir + "/" + string(s.shardName(n)), Own: in.own,
		Size: int64(binary.LittleEndian.Uint64(e)), ModTime: int64(binary.LittleEndian.Uint64(e[8:])),
	}
}

func (s *Segment) shardName(n int) []byte {
	from, shards := uint32(0), s.body[secShards]
	if n > 0 {
		from = binary.LittleEndian.Uint32(shards[n*shardEntry-4:])
	}
	return s.body[secNames][from:binary.LittleEndian.Uint32(shards[(n+1)*shardEntry-4:])]
}

// span is the shards of one folder in one segment.
type span struct {
	*folder
	segment *Segment
}

// indexed is a shard in the index.
type indexed struct {
	manifest.ShardFile
	segment *Segment
	shard   int
}

// shards lists the shards of spans.
func shards(spans []span) (all []indexed) {
	for _, p := range spans {
		for n := p.from; n < p.to; n++ {
			all = append(all, indexed{p.segment.shardIn(p.folder, n), p.segment, n})
		}
	}
	return all
}

// spans are the folders of all segments, by name of the folder.
func (x *Index) spans() map[string][]span {
	have := map[string][]span{}
	for _, s := range x.segments {
		for i := range s.folders {
			dir := s.folders[i].dir
			have[dir] = append(have[dir], span{&s.folders[i], s})
		}
	}
	return have
}

// fresh marks the rows of shards that changed since they were indexed as dead, and
// returns the shards that are in no segment.
func (x *Index) fresh() ([]manifest.ShardFile, error) {
	known := x.known()
	days, err := x.m.ShardDays(x.ctx, known)
	if err != nil {
		return nil, err
	}
	for _, s := range x.segments {
		for i := range s.dead {
			s.dead[i] = true
		}
	}
	var fresh []manifest.ShardFile
	x.days = map[string]int64{}
	for _, d := range days {
		if d.Known {
			known.days[d.Dir].revive()
		} else {
			fresh = append(fresh, revive(shards(known.spans[d.Dir]), d.Shards)...)
		}
		if d.Trusted {
			x.days[d.Dir] = d.ModTime
		}
	}
	return fresh, nil
}

// revive marks the shards that are as they were indexed, and returns the other shards of the day.
func revive(have []indexed, shards []manifest.ShardFile) (fresh []manifest.ShardFile) {
	for k, f := range shards {
		// The two lists are usually the same, in the same order.
		if k >= len(have) || have[k].ShardFile != f {
			if k = slices.IndexFunc(have, func(at indexed) bool { return at.ShardFile == f }); k < 0 {
				fresh = append(fresh, f)
				continue
			}
		}
		have[k].segment.dead[have[k].shard] = false
	}
	return fresh
}

// knownDays are the days whose listed shards are taken as they are if their folders have not
// changed: all their shards were indexed when the list of segments was written.
type knownDays struct {
	spans map[string][]span // of all days
	days  map[string]knownDay
}

// knownDay is the shards of a day in the index.
type knownDay struct {
	mtime int64
	spans []span
	some  []indexed // the shards of the spans that are valid; nil for all
}

func (x *Index) known() knownDays {
	known := knownDays{x.spans(), make(map[string]knownDay, len(x.listed))}
	for dir, l := range x.listed {
		day := knownDay{mtime: l.mtime, spans: known.spans[dir]}
		n, sum := 0, uint32(0)
		for _, p := range day.spans {
			n, sum = n+p.to-p.from, sum^p.sum
		}
		if n > l.shards {
			day.some = latest(shards(day.spans))
			n, sum = len(day.some), 0
			for _, f := range day.some {
				sum ^= stateSum(f.ShardFile)
			}
		}
		if n == l.shards && sum == l.sum { // else a segment is gone, and another may hold an older state of one of its shards
			known.days[dir] = day
		}
	}
	return known
}

// latest drops entries of shards that have a later entry.
func latest(all []indexed) (kept []indexed) {
	for _, p := range all {
		if !slices.ContainsFunc(all, func(o indexed) bool { return o.Path == p.Path && o.ModTime > p.ModTime }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// revive marks the shards of a day as valid.
func (d knownDay) revive() {
	for _, at := range d.some {
		at.segment.dead[at.shard] = false
	}
	if d.some != nil {
		return
	}
	for _, p := range d.spans {
		for n := p.from; n < p.to; n++ {
			p.segment.dead[n] = false
		}
	}
}

// ModTime is called by the manifest to see whether a day's folder is unchanged.
func (k knownDays) ModTime(dir string) (int64, bool) {
	day, ok := k.days[dir]
	return day.mtime, ok
}

// Last is called by the manifest for a writer's last shard of a day.
func (k knownDays) Last(dir, writer string) (last manifest.ShardFile, found bool) {
	day, most := k.days[dir], -1
	look := func(s *Segment, in *folder, n int) {
		name := s.shardName(n)
		if len(name) < len(writer) || string(name[:len(writer)]) != writer {
			return
		}
		by, number := manifest.ShardNumber(unsafe.String(unsafe.SliceData(name), len(name)))
		if by == writer && number > most {
			last, found, most = s.shardIn(in, n), true, number
		}
	}
	for _, at := range day.some {
		look(at.segment, at.segment.folderOf(at.shard), at.shard)
	}
	if day.some != nil {
		return last, found
	}
	for _, p := range day.spans {
		for n := p.from; n < p.to; n++ {
			look(p.segment, p.folder, n)
		}
	}
	return last, found
}

// wholeDays lists the folders whose modification times can be trusted, and what is in
// them. They need not be listed again.
func (x *Index) wholeDays() map[string]listedDay {
	days := map[string]listedDay{}
	for dir, spans := range x.spans() {
		mtime, trusted := x.days[dir]
		if !trusted {
			continue
		}
		day := listedDay{mtime: mtime}
		for _, f := range shards(spans) {
			if !f.segment.dead[f.shard] {
				day.shards, day.sum = day.shards+1, day.sum^stateSum(f.ShardFile)
			}
		}
		if day.shards > 0 {
			days[dir] = day
		}
	}
	return days
}
