package lex

import (
	"strconv"
	"strings"
)

// Letter maps a byte to five bits: letters of either case to 1–26, everything else to 0.
func Letter(b byte) uint32 {
	if b |= 0x20; b >= 'a' && b <= 'z' {
		return uint32(b-'a') + 1
	}
	return 0
}

func IsDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Atoi parses a decimal number below 2³¹ without a sign; it returns 0 for anything else.
func Atoi(s string) int {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func NextIndex(s, sep string, i int) int {
	n := strings.Index(s[i+1:], sep)
	if n < 0 {
		return -1
	}
	return i + 1 + n
}

func LeadingBlanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func LastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func IsIdentifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// LeadingNumber is the number at the start of s, 0 without one.
func LeadingNumber(s string) (n int) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<30; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func Btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// CutCount reads a count such as "3 errors" or "1 error" at the start of s; noun is the singular.
func CutCount(s, noun string) (n int, rest string, ok bool) {
	digits := strings.TrimLeft(s, "0123456789")
	rest, ok = strings.CutPrefix(digits, " "+noun)
	if !ok || digits == s {
		return 0, "", false
	}
	return LeadingNumber(s), strings.TrimPrefix(rest, "s"), true
}

// HasAnyPrefix reports whether text begins with one of prefixes.
func HasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// CutAnyPrefix removes the first of prefixes that text begins with.
func CutAnyPrefix(text string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(text, p); ok {
			return rest, true
		}
	}
	return text, false
}

// IsOneOf reports whether word is one of the words in list, which are separated by blanks.
func IsOneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// Means looks a word up in a table such as "error: E, F; warning: W", where E means "error"; "" for a word that is
// not in the table.
func Means(word, table string) string {
	for entry := range strings.SplitSeq(table, "; ") {
		meaning, words, _ := strings.Cut(entry, ": ")
		for w := range strings.SplitSeq(words, ", ") {
			if w == word {
				return meaning
			}
		}
	}
	return ""
}

// IsAssignment reports whether a shell reads the word as NAME=VALUE.
func IsAssignment(w string) bool {
	name, _, found := strings.Cut(w, "=")
	return found && name != "" && !strings.ContainsAny(name, "/-. ")
}
