// Package redact keeps secrets out of what git tracks: the argv of a capture and every text of a record go through a
// Redactor before they are written. The exact bytes of a capture are not redacted; they stay local.
//
// What it promises:
//
//   - A secret is replaced by "[redacted:<rule>]", and only the secret: the name before it, the quotes around it and the
//     rest of the line stay.
//   - Equal input gives equal output, and redacting twice is redacting once: a placeholder is never redacted again.
//   - Any bytes are allowed (invalid UTF-8, NUL, escape sequences, a line of many megabytes); the time is linear in the
//     length, and the output is at most about ten times as long as the input.
//   - Text without a keyword costs one pass that compiles nothing; start-up costs nothing. A pattern is compiled
//     when its keyword first occurs.
//   - Invisible characters, colours and other escape sequences, and ASCII written as \u0041, %41 or &#65; hide nothing: a
//     token split by them is found, and so is one that is broken at the edge of a terminal of a usual width.
//   - A token with a form of its own ends where its alphabet or its length ends: it is found inside of a path, the name of a
//     test or an identifier. These tokens are also found in base64, and so are
//     tokens of vendors that no rule knows (brand.go).
//
// What it does not promise: to find a secret without any special form ("correct horse" in a sentence), one that is
// encoded as a whole in any other way, one that is split by visible text, or one that was truncated before: redact
// first, then shorten. Hashes, UUIDs, paths, test names and base64 data are secrets only after a name that says so, and an id of a word
// and less than 32 random letters and digits (pi_3Mtw…, chatcmpl-B9MB…) is a secret only beside words such as revoked or 401.
//
// How it works. A rule has anchors: lower-case texts one of which occurs in, or just before, every match. One pass over the
// text (matcher) finds the anchors; only there a rule checks the text (find), in one of four ways:
//
//	anchored   the pattern must match right at the anchor            ghp_…, AKIA…
//	assigned   a value must be assigned to the name at the anchor    DISCORD_TOKEN=…
//	searched   the pattern must match somewhere near the anchor      …_mmk
//	detected   a hand-written scanner decides                        private keys, URLs, headers, password=…
//
// The text is also read as a reader sees it (view), if that differs. A command line, in an argv or printed in a text,
// is read word by word (command): a word's place can show that it is a password.
//
// The first three kinds are generated from the rules of gitleaks (rules_gen.go, made by the module in gen), except for
// tokens for which it has no rule or a narrower one (rule.go). The detectors are our own: for a value after a name
// (password.go, generic.go with tables and forms), a sentence or a statement (phrase.go), a command line (argv.go, programs.go), a header
// or URL (wire.go), and keys (pem.go). Overlapping finds become one placeholder
// with the name of the most specific rule. Passes are repeated until nothing more is found, which makes redaction
// idempotent.
//
// What may go in here: rules, and the code that runs them. A new rule needs tests with a secret that it finds, and
// with texts that it leaves alone.
package redact

import (
	"slices"
	"strings"
)

// A Redactor redacts the texts of one record and counts which rules fired. The zero value is ready to use. It is not
// safe for concurrent use; the rules, which all Redactors share, are.
type Redactor struct {
	fired map[string]int
}

// Fired says how many secrets one rule replaced.
type Fired struct {
	Rule  string
	Count int
}

// maxRounds bounds the passes over one text. A pass can uncover a secret (a value that was too long now ends at a
// placeholder); each needs at least the bytes it replaces, and real text needs no third pass.
const maxRounds = 16

// Text redacts a text that is shown and not recorded, so rules are not counted.
func Text(s string) string { return new(Redactor).String(s) }

// String returns s with every secret replaced by a placeholder; s itself without one.
func (r *Redactor) String(s string) string {
	s = r.withoutKnown(s)
	for range maxRounds {
		finds := find(s)
		if len(finds) == 0 {
			break
		}
		s = r.replace(s, finds)
	}
	return s
}

// Fired returns the rules that replaced something since the Redactor was made, sorted by name.
func (r *Redactor) Fired() []Fired {
	out := make([]Fired, 0, len(r.fired))
	for name, n := range r.fired {
		out = append(out, Fired{name, n})
	}
	slices.SortFunc(out, func(a, b Fired) int { return strings.Compare(a.Rule, b.Rule) })
	return out
}

// placeholder records that a rule fired and returns the placeholder of the secret.
func (r *Redactor) placeholder(rule string) string {
	if r.fired == nil {
		r.fired = map[string]int{}
	}
	r.fired[rule]++
	return placeholderStart + rule + "]"
}

func (r *Redactor) replace(s string, finds []span) string {
	var out strings.Builder
	out.Grow(len(s) + 16*len(finds))
	from := 0
	for _, f := range finds {
		out.WriteString(s[from:f.start])
		out.WriteString(r.placeholder(f.rule))
		from = f.end
	}
	out.WriteString(s[from:])
	return out.String()
}

const (
	placeholderStart = "[redacted:"
	maxRuleName      = 48
	maxNumber        = 12 // bytes of a number and the marks around it
)

// placeholderEnd returns where the placeholder at s[i] ends, or -1. It may have a number, which package result adds:
// "[redacted:url-password#2]".
func placeholderEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], placeholderStart) {
		return -1
	}
	name := i + len(placeholderStart)
	for j := name; j < len(s) && j-name <= maxRuleName; j++ {
		switch c := s[j]; {
		case c == ']' && j > name:
			return j + 1
		case c == '#' && j > name:
			if n := strings.IndexByte(s[j:min(len(s), j+maxNumber)], ']'); n > 1 && strings.Trim(s[j+1:j+n], "0123456789") == "" {
				return j + n + 1
			}
			return -1
		case !isAlnum(c) && c != '-':
			return -1
		}
	}
	return -1
}
