// Package packfile is the format of one file that holds many small objects: a writer, a
// reader that checks all that it returns, and a recovery that needs no index. This
// comment is the specification, version 1.
//
// A file of its own costs an object a directory entry, an inode and a block of the
// disk, however few bytes it has. In a pack file similar objects lie side by side and
// are compressed together. Nothing outside the file is needed to read it: no
// dictionary, no other object.
//
// # Layout
//
// A file is a sequence of zstd frames (RFC 8878), so that stock tools read it whole:
// zstd -dc prints the objects, one after the other, in the order in which they were
// added. Everything else is in skippable frames: 4 bytes 5D 2A 4D 18, 4 bytes of
// length, and the content. Integers are little-endian, checksums CRC-32C (Castagnoli).
//
//	head    skippable: "cairnpack", version (1 byte), 6 bytes 0
//	group   any number of times:
//	          skippable: "group", 3 bytes 0
//	            4  stored   bytes of the zstd frame that follows
//	            4  size     bytes that it unpacks to
//	            4  crc      of the zstd frame
//	            4  count    objects in it
//	            4×count     bytes of each object, in order
//	            4  crc      of this content before this field
//	          a zstd frame: the objects of the group, one after the other
//	index   skippable: "index", 3 bytes 0
//	            8×groups    where each group begins in the file
//	            64×objects  in order of ID: ID 32, group 4, position in the unpacked
//	                        group 4, size 4, lines 4, Unix nanoseconds of the put 8,
//	                        8 bytes 0
//	            4  groups
//	            4  objects
//	            8  where this skippable frame begins in the file
//	            4  crc      of this content before this field
//	            8  "cairnend"
//
// An ID is the SHA-256 of the object's bytes. An object has 1 to [MaxObject] bytes, a
// group at most [MaxGroup], a pack at most [MaxObjects] objects, no two of the same ID.
// Nothing follows the index.
//
// # Reading
//
// [Open] reads the index alone. [Pack.Read] unpacks one group, which bounds its memory
// by MaxGroup and maxFrame whatever the file says, and returns an object only if its
// digest is its ID.
//
// # Damage
//
// A damaged group loses the objects of that group. A damaged index loses only the times
// of the puts: every group has the lengths of its objects, and their digests are their
// IDs, so [Recover] finds all objects of sound groups again. It looks for groups by
// their first bytes, so it also finds those after a damaged stretch.
//
// Into this package goes what concerns the bytes of one pack file. It names no files,
// takes no locks and decides nothing about what is packed or removed.
package packfile
