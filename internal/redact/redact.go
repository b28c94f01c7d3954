package redact

import (
	"slices"
	"strings"
)

// A Redactor redacts texts and remembers which rules fired. The zero value is ready to use. It is not safe for concurrent
// use; the rules behind it are shared and are.
type Redactor struct {
	fired map[string]int
}

// Fired says how many secrets one rule replaced.
type Fired struct {
	Rule  string
	Count int
}

// maxRounds bounds the passes over one text. A pass can uncover a secret (a value that was too long ends at a placeholder
// now); each needs at least the bytes it replaces, and real text settles in the second pass.
const maxRounds = 16

// String returns s with every secret replaced by a placeholder; s itself when there is none.
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

// placeholder records that a rule fired and returns what stands for the secret.
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
)

// placeholderEnd returns where the placeholder that starts at s[i] ends, or -1.
func placeholderEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], placeholderStart) {
		return -1
	}
	name := i + len(placeholderStart)
	for j := name; j < len(s) && j-name <= maxRuleName; j++ {
		switch c := s[j]; {
		case c == ']' && j > name:
			return j + 1
		case !isAlnum(c) && c != '-':
			return -1
		}
	}
	return -1
}
