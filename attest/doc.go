// Package attest signs what the record says of a run, and checks what was signed: an in-toto
// Statement in a DSSE envelope, signed with the SSH key that git signs with.
//
// # Format
//
// An envelope is that of https://github.com/secure-systems-lab/dsse, with the payload type
// application/vnd.in-toto+json. Its signatures are plain ones of the key, over the
// pre-authentication encoding, so that ordinary verifiers take them with the PEM of the same
// key: Ed25519, or ECDSA in ASN.1 with the digest of the curve. The id of a key is its SSH
// fingerprint, "SHA256:…".
//
// The payload is a Statement, version 1. Its subjects are the tree that ran (gitTree: what git
// add -A && git write-tree would have said) and, where that is the tree of a commit, the
// commit (gitCommit). The predicate is one of two:
//
//	https://in-toto.io/attestation/test-result/v0.1   result, configuration, tests by name
//	urn:cairn:tool-result:v1                          "result": the ToolResult of the record
//
// Both have a member "cairn", of which in-toto's readers know nothing and which they pass over:
//
//	run       id of the run                 record    SHA-256 of its line in the record
//	time      when it began                 raw       SHA-256 of what it printed, in read order
//	command   what was run, redacted        exit, signal, timed_out, partial   how it ended
//	status    of the ToolResult             parser    name and version, when it was attested
//	counts    of the ToolResult             failed    count and SHA-256 of the list of tests that
//	                                                  failed, where not all are named
//	                                        tests     SHA-256 of the list of what every test came to
//	                                                  (package outcomes), where that is complete
//
// Fields may be added to a version; one is never given another meaning. A run that failed, was
// killed or timed out is attested like any other.
//
// An envelope is kept as a record of the type "attestation", whose target is the run, so it
// goes wherever the record goes.
//
// What this package does not promise: that a record was honest when it was signed.
package attest
