// Package attest signs the record of a run, and verifies signatures: an in-toto Statement in a DSSE envelope, signed
// with the SSH key with which git signs.
//
// # Format
//
// The envelope format is https://github.com/secure-systems-lab/dsse, with the payload type
// application/vnd.in-toto+json. A signature is the key's plain signature of the pre-authentication encoding, so
// ordinary verifiers accept it with the same key in PEM: Ed25519, or ECDSA in ASN.1 with the digest of the curve. A
// key's id is its SSH fingerprint, "SHA256:…".
//
// The payload is a Statement, version 1. Its subjects are the tree that ran (gitTree: the output of git add -A && git
// write-tree) and, if that is the tree of a commit, the commit (gitCommit). The predicate is one of two:
//
//	https://in-toto.io/attestation/test-result/v0.1   result, configuration, tests by name
//	urn:cairn:tool-result:v1                          "result": the ToolResult of the record
//
// Both have a member "cairn", which other readers of in-toto ignore:
//
//	run       id of the run                 record    SHA-256 of its line in the record
//	time      when it began                 raw       SHA-256 of what it printed, in read order
//	command   the command, redacted         exit, signal, timed_out, partial   how it ended
//	status    of the ToolResult             parser    name and version, when it was attested
//	counts    of the ToolResult             failed    count and SHA-256 of the list of tests that
//	                                                  failed, if not all are named
//	                                        tests     SHA-256 of the list of all tests' outcomes
//	                                                  (package outcomes), if the list is complete
//
// A version may get new fields, but no field changes its meaning. A run that failed, was killed or timed out is
// attested like any other.
//
// An envelope is stored as a record of the type "attestation", whose target is the run, so it is transferred with the
// record.
//
// What this package does not promise: that a record was honest when it was signed.
package attest
