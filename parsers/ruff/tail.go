package ruff

import (
	"strings"

	"cairn/parsers/read/lex"
)

// ruffTailKind is which of the closing lines it is.
type ruffTailKind uint8

const (
	ruffTailFound   ruffTailKind = iota // "Found 3 errors (1 fixed, 2 remaining)."
	ruffTailPassed                      // "All checks passed!"
	ruffTailDiff                        // "Would fix 3 errors."
	ruffTailFormat                      // "1 file would be reformatted, 2 files already formatted"
	ruffTailWritten                     // "1 file reformatted, 2 files left unchanged"
	ruffTailFixed                       // "Fixed 3 errors.": of --fix-only, which tells of nothing else
	ruffTailMore                        // what stands behind one: "[*] 2 fixable with …"
)

// ruffTail is a closing line.
type ruffTail struct {
	kind             ruffTailKind
	remaining, fixed int
	fixable          int
	changed, right   int // files
}

func (t ruffTail) tool() string {
	if t.kind == ruffTailFormat || t.kind == ruffTailWritten {
		return ruffFormat
	}
	return ruffCheck
}

func readRuffTail(s string) (t ruffTail, ok bool) {
	switch {
	case s == "":
		return t, false
	case s == "All checks passed!":
		return ruffTail{kind: ruffTailPassed}, true
	case strings.HasPrefix(s, "Found "):
		return readRuffFound(s[len("Found "):])
	case strings.HasPrefix(s, "Would fix ") && lex.LeadingNumber(strings.TrimPrefix(s, "Would fix ")) > 0, strings.HasPrefix(s, "No errors would be fixed"):
		return ruffTail{kind: ruffTailDiff, fixable: lex.LeadingNumber(strings.TrimPrefix(s, "Would fix "))}, true
	case strings.HasPrefix(s, "[*] "):
		return ruffTail{kind: ruffTailMore, fixable: lex.LeadingNumber(s[len("[*] "):])}, strings.Contains(s, "fixable with ")
	case strings.HasPrefix(s, "No fixes available ("), strings.HasPrefix(s, "No errors fixed ("):
		return ruffTail{kind: ruffTailMore}, true
	case strings.HasPrefix(s, "Fixed "):
		return readRuffFixed(s[len("Fixed "):])
	case s[0] >= '0' && s[0] <= '9':
		if strings.Contains(s, " available with ") && strings.Contains(s, "fix") || strings.Contains(s, " potentially fixable with the --fix option") {
			return ruffTail{kind: ruffTailMore}, true
		}
		return readRuffFiles(s)
	}
	return t, false
}

// readRuffFixed reads "3 errors.", "3 errors (2 additional fixes available with
// `--unsafe-fixes`)." and, above the list of --show-fixes, "3 errors:".
func readRuffFixed(s string) (t ruffTail, ok bool) {
	n, rest, ok := lex.CutCount(s, "error")
	switch {
	case !ok:
		return t, false
	case rest == ":":
		return ruffTail{kind: ruffTailMore}, true
	}
	return ruffTail{kind: ruffTailFixed, fixed: n}, rest == "." || strings.HasPrefix(rest, " (") && strings.Contains(rest, " additional fix")
}

// readRuffFound reads "3 errors.", "3 errors (1 fixed, 2 remaining)." and what
// 0.0.200 says, "3 error(s).".
func readRuffFound(s string) (t ruffTail, ok bool) {
	n, rest, ok := lex.CutCount(s, "error")
	if !ok {
		return t, false
	}
	t.remaining, rest = n, strings.TrimPrefix(rest, "(s)")
	if rest == "." {
		return t, true
	}
	rest, ok = strings.CutPrefix(rest, " (")
	fixed, left, two := strings.Cut(rest, " fixed, ")
	if !ok || !two || strings.TrimLeft(left, "0123456789") != " remaining)." {
		return t, false
	}
	t.fixed, t.remaining = lex.LeadingNumber(fixed), lex.LeadingNumber(left)
	return t, true
}

// readRuffFiles reads the closing line of ruff format, which unlike black's has
// no full stop.
func readRuffFiles(s string) (t ruffTail, ok bool) {
	for part := range strings.SplitSeq(s, ", ") {
		n, what, is := lex.CutCount(part, "file")
		if !is {
			return t, false
		}
		switch what {
		case " would be reformatted":
			t.kind, t.changed = ruffTailFormat, n
		case " already formatted":
			t.kind, t.right = ruffTailFormat, n
		case " reformatted":
			t.kind, t.changed = ruffTailWritten, n
		case " left unchanged":
			t.right = n
			if t.kind == ruffTailFound {
				t.kind = ruffTailWritten
			}
		default:
			return t, false
		}
	}
	return t, true
}
