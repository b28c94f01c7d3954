// Package objects keeps bytes and returns them exactly: put, open, check, gc.
//
// An object is a sequence of bytes. Its [ID] is the SHA-256 of those bytes as they were
// before any compression. This comment is the specification of the format on disk: of
// an object file version 1, of a store format 2.
//
// # Layout
//
// Everything lies under one root directory that the caller names. Directories have mode
// 0700, files 0600. All of it is local: nothing here is meant to be tracked or shared.
//
//	README                   one paragraph for a person who finds the directory
//	lock                     empty; flock: shared to publish, exclusive to remove
//	pack.lock                empty; flock: exclusive to pack, unpack or collect; taken before lock
//	format                   the format of the store and a line feed; 1 if the file is missing or empty
//	objects/ab/<62 hex>      one object; "ab" and the 62 digits are its SHA-256
//	packs/<name>.pack        many small objects; the format is that of package packfile
//	incoming/<name>          spool: the bytes of a run in flight (see below)
//	later/<64 hex>           empty; this object is to be compressed: a hint, see Frame
//	incoming/*.tmp           temporary files, never read by anyone but their writer
//	quarantine/<64 hex>      the object's last copy that did not verify, never returned
//	quarantine/<name>.pack   a damaged pack file; its sound objects are elsewhere
//	tombstones.jsonl         one JSON line per collected object: id, when, why, size
//
// # Frame
//
// An object file is a header of 48 bytes followed by the data, to the end of the file.
// Integers are little-endian, checksums CRC-32C (Castagnoli).
//
//	 0  4  5C 2A 4D 18   magic of a skippable zstd frame (RFC 8878, 3.1.2)
//	 4  4  40            how many bytes of the skippable frame follow
//	 8  5  "cairn"
//	13  1  version       1
//	14  1  codec         0 none, 1 zstd, 2 packed, 255 spool
//	15  1  0             reserved
//	16  8  size          of the object, uncompressed
//	24  8  stored        length of the data = length of the file − 48
//	32  8  lines         count of '\n', plus one for an unterminated last line
//	40  4  checksum      of the data as stored
//	44  4  checksum      of the bytes 0–43
//
// Codec none: the data is the object. Codec zstd: the data is a plain .zst stream, a
// sequence of zstd frames. Each frame holds exactly [BlockSize] bytes of the object
// (the last one holds the rest, at least one byte), names its content size, is a single
// segment, and uses neither dictionary nor checksum of its own. Codec packed: the data
// is the 32 bytes of another object's ID, its base, then a .zst stream as before whose
// frames all use the whole base as a raw content dictionary (without an ID). Object and
// base have at most 8 MiB each, and a base is not packed itself. So any part can be
// read without the parts before it, and no object, however damaged, makes a reader
// allocate more than two blocks and a base.
//
// Since the header is itself a skippable frame, stock tools unpack a zstd object as it
// is, and any object after its first 48 bytes:
//
//	zstd -dc < objects/ab/…                      (codec zstd)
//	tail -c +49 objects/ab/…                     (codec none)
//	tail -c +81 objects/ab/… | zstd -dc -D BASE  (codec packed; BASE holds the base's bytes)
//
// An object has codec none if header and data fit into one disk block of 4 KiB, if zstd
// would save less than an eighth (judged by the first block, of the output of a run by
// the first four), or if the bytes came faster than they could be compressed. In the
// last case [Store.CompressNoted] compresses the object later, and [Store.GC] judges
// all uncompressed objects again, by blocks from all over the object. The codec never
// changes an object's ID. A reader refuses any other version, any nonzero reserved byte
// and any codec it does not know.
//
// The object without bytes needs no file: it always exists. A store of an older cairn
// may have a file for it.
//
// # Pack files
//
// An object is a file of its own, or lies in a pack file, or both; a reader takes the
// file, and if that is damaged or missing the pack file. A put always makes a file,
// except for many small objects at once ([Store.Together]): so no put relies on a pack
// file that may be about to be removed, and a later [Store.Pack] drops the second copy.
// A pack file never changes, and its name is never used again, so a reader may keep its
// index as long as the name exists. Before it calls an object missing, it lists the
// directory again, and it looks for the file between two equal listings. The time of
// the last put is kept with the object.
//
// Objects of up to 64 KiB go into pack files, compressed in groups of 64 to 512 KiB:
// the objects of one series side by side, then the others. A pack file has at least
// eight objects, and a new one takes in the pack files that are no larger, so that
// there are few. A base keeps a file of its own. A disk error loses the whole group
// that it hits, instead of the single object of a file: to avoid that at the cost of
// bytes, set cairn.pack=off. The format of a store with pack files is 2. A program that
// finds a higher format than it knows puts and reads, but judges, moves and removes
// nothing.
//
// # Spool
//
// A spool holds the output of a running command: a header with codec 255 and zeros for
// size, stored, lines and data checksum, then the bytes as they came. Its writer holds
// an exclusive flock on it for as long as it lives (LockFileEx, on a byte far past the
// end, on Windows), so a spool whose lock can be taken has lost its writer. Every byte
// that [Incoming.Write] acknowledged is in the file by write(2); killing the process
// loses none of them. Whatever the header says, the bytes from 48 on are the output:
// see [Store.Abandoned].
//
// # Order of writing
//
// To publish: write a temporary file (or the spool) completely, header included → fsync
// it → with the lock shared, rename it to its final name, never replacing → fsync the
// directory → acknowledge. A directory is made before the files in it and its parent is
// fsynced. So a file under objects/ is whole; files that a crash leaves lie in
// incoming/ and are recovered ([Leftover.Recover]) or removed ([Store.GC]).
//
// [Incoming.CommitUnsynced] leaves both fsyncs out, for a caller who has the bytes on
// stable storage elsewhere, and calls [Store.Settle] before it drops them. A power cut
// before that may leave an incomplete file: it does not verify, so it is never taken
// for the object, and Settle puts the good copy in its place.
//
// If the name is taken, the bytes are there already: the file's header, length and (to
// 64 MiB) data checksum are checked, its modification time is set to now while the lock
// is held shared, and the directory is fsynced, since the process that wrote the file
// may not have done that yet. If the file fails the check, it is moved to quarantine/
// and the good copy takes its place.
//
// To remove: with the lock held exclusively, append to tombstones.jsonl → fsync →
// unlink. A file under objects/ wins over a tombstone or a quarantined file of the same
// ID. Readers skip a torn last line of tombstones.jsonl, and the next writer ends it.
//
// A capture puts its bytes before it writes the record that names them. Between the two
// it is in flight: its caller says so to gc (GCOptions.InFlight), or it holds a
// temporary file ([Store.Hold]). Objects put since the oldest of these began stay.
//
// To recompress: temporary file → fsync → verify by reading it back → with the lock
// held exclusively, rename over the old file, keeping its modification time → fsync the
// directory.
//
// To write a pack file: with pack.lock held (except for one that replaces nothing),
// temporary file → fsync → read all of it back, by its name, and compare every digest →
// rename into packs/, never replacing → fsync the directory. To pack: after that, with
// the lock held exclusively, unlink the objects' files that were neither put again nor
// replaced since they were read. To unpack: publish every object as a file, then unlink
// the pack file. To remove from a pack file: tombstones as above, then a new pack file
// without the objects, then unlink the old one. So every object is at all times in a
// complete and synced file, and a crash leaves at most a second copy.
//
// To pack against a base, or undo that: with pack.lock held, as to recompress; to pack,
// the base is looked for once more with the lock held. [Store.GC] keeps the base of a
// packed object. Before a copy of a packed object is dropped for the one in the store,
// that one's base is checked as the object is.
//
// # Reading
//
// [Store.OpenObject] reads the whole object once, checking header, length, both
// checksums, every frame and the SHA-256, before it returns. Bytes that are read later
// are checked again, block by block. A bad object is moved to quarantine/ and reported
// as [*CorruptError]; an I/O error is not taken for corruption and moves nothing. A
// packed object whose base is damaged or gone is also reported but stays where it is:
// it can be read again when the base is put again. An object in the damaged part of a
// pack file stays too; [Store.Fsck] writes the sound objects of such a file anew and
// moves it to quarantine/, with a note under the ID of every object that it lost. A
// pack file without a sound index is read from its beginning to find its objects.
//
// # Not promised
//
//   - A power cut may take bytes of a run in flight: a spool is fsynced only when
//     it is committed. Committed objects survive.
//   - When two processes race to make the same new fan-out directory, the loser
//     relies on the file system to keep the entry of a directory in which it
//     fsynced a file. ext4, xfs, btrfs and APFS do; POSIX does not say so.
//   - flock and rename must work: a local file system. Over NFS the locks depend
//     on the server. On Windows directories cannot be fsynced.
//   - No encryption and no defence against someone who can write to the directory,
//     beyond this: bytes that do not match their ID are never returned.
//   - Equal bytes are stored once, or twice until the next [Store.Pack]. Similar
//     objects share bytes only if the caller names them as a series.
//   - Collecting from a pack file needs room for another one. Without room the
//     objects stay, though their tombstones are written, and the next gc removes them.
//
// Into this package goes what concerns bytes and their digests. It knows nothing of
// commands, records or parsers, and imports only those packages of cairn that lock and
// sync files; the caller says what is reachable.
package objects
