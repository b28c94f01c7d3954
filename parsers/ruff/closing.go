package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
)

// ruffClosingKind is which of the closing lines it is.
type ruffClosingKind uint8

const (
	ruffClosingFound   ruffClosingKind = iota // "Found 3 errors (1 fixed, 2 remaining)."
	ruffClosingPassed                         // "All checks passed!"
	ruffClosingDiff                           // "Would fix 3 errors."
	ruffClosingFormat                         // "1 file would be reformatted, 2 files already formatted"
	ruffClosingWritten                        // "1 file reformatted, 2 files left unchanged"
	ruffClosingFixed                          // "Fixed 3 errors.": of --fix-only, which reports nothing else
	ruffClosingMore                           // the text after one: "[*] 2 fixable with …"
)

// ruffClosing is a closing line.
type ruffClosing struct {
	kind             ruffClosingKind
	remaining, fixed int
	fixable          int
	changed, right   int // files
}

func (t ruffClosing) tool() string {
	if t.kind == ruffClosingFormat || t.kind == ruffClosingWritten {
		return ruffFormat
	}
	return ruffCheck
}

func readRuffClosing(s string) (t ruffClosing, ok bool) {
	switch {
	case s == "":
		return t, false
	case s == "All checks passed!":
		return ruffClosing{kind: ruffClosingPassed}, true
	case strings.HasPrefix(s, "Found "):
		return readRuffFound(s[len("Found "):])
	case strings.HasPrefix(s, "Would fix ") && lex.LeadingNumber(strings.TrimPrefix(s, "Would fix ")) > 0, strings.HasPrefix(s, "No errors would be fixed"):
		return ruffClosing{kind: ruffClosingDiff, fixable: lex.LeadingNumber(strings.TrimPrefix(s, "Would fix "))}, true
	case strings.HasPrefix(s, "[*] "):
		return ruffClosing{kind: ruffClosingMore, fixable: lex.LeadingNumber(s[len("[*] "):])}, strings.Contains(s, "fixable with ")
	case strings.HasPrefix(s, "No fixes available ("), strings.HasPrefix(s, "No errors fixed ("):
		return ruffClosing{kind: ruffClosingMore}, true
	case strings.HasPrefix(s, "Fixed "):
		return readRuffFixed(s[len("Fixed "):])
	case s[0] >= '0' && s[0] <= '9':
		if strings.Contains(s, " available with ") && strings.Contains(s, "fix") || strings.Contains(s, " potentially fixable with the --fix option") {
			return ruffClosing{kind: ruffClosingMore}, true
		}
		return readRuffFiles(s)
	}
	return t, false
}

// readRuffFixed reads "3 errors.", "3 errors (2 additional fixes available with
// `--unsafe-fixes`)." and, above the list of --show-fixes, "3 errors:".
func readRuffFixed(s string) (t ruffClosing, ok bool) {
	n, rest, ok := lex.CutCount(s, "error")
	switch {
	case !ok:
		return t, false
	case rest == ":":
		return ruffClosing{kind: ruffClosingMore}, true
	}
	return ruffClosing{kind: ruffClosingFixed, fixed: n}, rest == "." || strings.HasPrefix(rest, " (") && strings.Contains(rest, " additional fix")
}

// readRuffFound reads "3 errors.", "3 errors (1 fixed, 2 remaining)." and what
// 0.0.200 says, "3 error(s).".
func readRuffFound(s string) (t ruffClosing, ok bool) {
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
func readRuffFiles(s string) (t ruffClosing, ok bool) {
	for part := range strings.SplitSeq(s, ", ") {
		n, what, is := lex.CutCount(part, "file")
		if !is {
			return t, false
		}
		switch what {
		case " would be reformatted":
			t.kind, t.changed = ruffClosingFormat, n
		case " already formatted":
			t.kind, t.right = ruffClosingFormat, n
		case " reformatted":
			t.kind, t.changed = ruffClosingWritten, n
		case " left unchanged":
			t.right = n
			if t.kind == ruffClosingFound {
				t.kind = ruffClosingWritten
			}
		default:
			return t, false
		}
	}
	return t, true
}
