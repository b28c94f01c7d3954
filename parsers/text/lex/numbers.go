package lex

import (
	"strconv"
	"strings"
)

// Letter folds a byte to five bits: letters to 1–26 whatever their case,
// everything else to 0.
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

// Atoi is the positive number that s is; 0 for all else.
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

// LeadingNumber is the number that s begins with, 0 if none.
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

// CutCount reads "3 errors" and "1 error" at the start of s.
func CutCount(s, noun string) (n int, rest string, ok bool) {
	digits := strings.TrimLeft(s, "0123456789")
	rest, ok = strings.CutPrefix(digits, " "+noun)
	if !ok || digits == s {
		return 0, "", false
	}
	return LeadingNumber(s), strings.TrimPrefix(rest, "s"), true
}

// HasAnyPrefix: the text begins with one of them.
func HasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// CutAnyPrefix takes the first of prefixes that the text begins with off it.
func CutAnyPrefix(text string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(text, p); ok {
			return rest, true
		}
	}
	return text, false
}

// IsOneOf: the word is in a list of words with blanks between them.
func IsOneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// Means is what a word stands for in a table such as "error: E, F; warning: W"; "" where
// it is not there.
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

// IsAssignment: a word that gives a variable a value, as shells read it.
func IsAssignment(w string) bool {
	name, _, found := strings.Cut(w, "=")
	return found && name != "" && !strings.ContainsAny(name, "/-. ")
}
