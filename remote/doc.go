// Package remote keeps the bytes of outputs somewhere else than in the clone that
// captured them: push, list, fetch, pull, collect. The record itself travels with git;
// its digests lead here.
//
// This comment is the specification of what lies in a remote, format 1.
//
// # Layout
//
// A remote is a flat set of bodies by key, as every object store and registry has.
//
//	objects/ab/<62 hex>.zst[.age]   one object; "ab" and the 62 digits are its SHA-256
//	packs/<64 hex>.tar.zst[.age]    many small objects in one body
//	packs/<64 hex>.idx              what is in that pack
//	tombstones/<64 hex>.jsonl       what a collection removed, and when
//	commit-<id>                     in a registry only: a commit, to which its bodies refer
//
// A body ends in .zst where it is a zstd stream (RFC 8878), and in .age where that
// stream is encrypted in the format age-encryption.org/v1. Keys name digests of the
// bytes as they were captured; digests are in the record, which is no secret. Whether a
// body is encrypted is the choice of those who push. Readers take either.
//
// The stream of an object is a frame for each block of it, as an object file has them
// (package objects), so that it is compressed once; readers take any frames of up to 8 MiB.
//
// A pack is a tar archive whose entries have the 64 digits of an object as their name.
// Its index is clear text, a line for each entry, sorted: 64 hex digits, a blank, the
// size of the object in bytes. The name of a pack is the SHA-256 of its index, so the
// same objects make the same pack. Objects of up to SmallObject bytes go into packs of
// about PackBytes.
//
// # Order of writing
//
// A body is written whole under its key or not at all: that is what a Backend promises.
// A pack comes before its index, and no reader looks for a pack without one. So a push
// that ends at any point leaves whole bodies, and perhaps a pack that no index names;
// the next push goes on where it ended. Two bodies of one key hold the same object, if
// under different keys of encryption, so it does not matter who writes last, and no
// conditional write is needed.
//
// What is said of a commit comes last: it names bodies that are there.
//
// A collection takes what it will remove out of what is said of commits, writes the
// tombstone, then removes indexes, then packs and objects.
//
// # Reading
//
// What comes from a remote is hashed before it becomes an object of the store. Bytes
// with another digest, or more of them than the record says, are an error and are not
// kept.
//
// # Not promised
//
//   - The sizes and times of bodies, and which digests there are, can be seen by
//     everybody who may list the remote; in a registry the ids of commits, too.
//   - A push of objects of more than MostCommits commits says of the newest ones alone
//     which bodies belong to them, and one that was interrupted of none.
//   - A recipient who was removed can still read what was pushed before.
//
// What may go in: the layout and what is done with it. A place that keeps bodies is a
// Backend, in a package below.
package remote
