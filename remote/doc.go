// Package remote stores the bytes of outputs outside of the clone that captured them: push, list, fetch, pull, collect.
// The record itself is transferred by git; its digests name the objects.
//
// This comment is the specification of a remote's contents, format 1.
//
// # Layout
//
// A remote is a flat set of bodies by key, as in any object store or registry.
//
//	objects/ab/<62 hex>.zst[.age]   one object; "ab" and the 62 digits are its SHA-256
//	packs/<64 hex>.tar.zst[.age]    many small objects in one body
//	packs/<64 hex>.idx              what is in that pack
//	tombstones/<64 hex>.jsonl       what a collection removed, and when
//	commit-<id>                     in a registry only: a commit, to which its bodies refer
//
// A key ends in .zst if the body is a zstd stream (RFC 8878), and in .age if that stream is encrypted in the format
// age-encryption.org/v1. Keys have digests of the captured bytes, which are also in the record and not secret. The
// pusher decides whether a body is encrypted. Readers accept both.
//
// The stream of an object has one frame for each block of the object file (package objects), so that it is compressed
// only once; readers accept frames of any size up to 8 MiB.
//
// A pack is a tar archive whose entries have the 64 digits of an object as their name.
// Its index is clear text, a line for each entry, sorted: 64 hex digits, a blank, the
// size of the object in bytes. The name of a pack is the SHA-256 of its index, so the
// same objects make the same pack. Objects of up to SmallObject bytes go into packs of
// about PackBytes.
//
// # Order of writing
//
// A body is written under its key completely or not at all, as every Backend promises. A pack is written before its
// index, and readers ignore a pack without one. So an interrupted push leaves complete bodies, and perhaps a pack
// without an index; the next push continues from there. Two bodies of one key hold the same object, perhaps encrypted
// for different keys, so it does not matter which is written last, and no conditional write is needed.
//
// The marks of a commit are written last, when the bodies that they name exist.
//
// A collection first removes the marks of bodies that it will remove, then writes the
// tombstone, then removes indexes, then packs and objects.
//
// # Reading
//
// Bytes from a remote are hashed before they become an object of the store. Bytes with another digest, or more bytes
// than the record says, are an error and are dropped.
//
// # Not promised
//
//   - The sizes and times of bodies and the digests can be seen by everybody who may list
//     the remote; in a registry the ids of commits, too.
//   - A push of objects of more than MostCommits commits marks the bodies of the newest
//     commits only, and an interrupted push marks none.
//   - A removed recipient can still read what was pushed before.
//
// What may go in: the layout and the operations on it. Each place that stores bodies is a Backend, in a package below.
package remote
