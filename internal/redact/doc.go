// Package redact keeps secrets out of what git tracks: the argv of a capture and every text of a record go through a
// Redactor before they are written. The exact bytes of a capture are none of its business; they stay local.
//
// What it promises:
//
//   - A secret is replaced by "[redacted:<rule>]", and only the secret: the name before it, the quotes around it and the
//     rest of the line stay.
//   - Equal input gives equal output, and redacting twice is redacting once: a placeholder is never redacted again.
//   - Any bytes are fine (invalid UTF-8, NUL, escape sequences, a line of many megabytes); the time is linear in the
//     length, and the output is at most some ten times as long as the input.
//   - Text without a keyword costs one pass that compiles nothing; start-up costs nothing at all. A pattern is compiled
//     when its keyword first occurs.
//
// What it does not promise: to find a secret that looks like nothing in particular ("correct horse" in a sentence), one
// that is cut in two by other text, or one that was truncated before it came here. So redact first, shorten afterwards.
// It has no opinion on hashes, UUIDs, paths, test names and base64 data: they are secrets only behind a name that says so.
//
// How it works. A rule has anchors: lower-case texts one of which occurs in, or just before, every match. One pass over the
// text (matcher) finds the anchors; only there a rule looks closer (find), each in one of four ways:
//
//	anchored   the pattern must match right at the anchor            ghp_…, AKIA…
//	assigned   a value must be assigned to the name at the anchor    DISCORD_TOKEN=…
//	searched   the pattern must match somewhere near the anchor      …_mmk
//	detected   a hand-written scanner decides                        private keys, URLs, headers, password=…
//
// The first three kinds are generated from the rules of gitleaks (rules_gen.go, made by the module in gen); the scanners
// are ours. Overlapping finds become one placeholder with the name of the most specific rule. The text is gone over until
// nothing is found any more, which is what makes redaction idempotent.
//
// What may go in here: rules, and what is needed to run them. A new rule needs a secret in the tests that it finds, and
// texts that it leaves alone.
package redact
