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

// units are the units in which test runners print durations, in microseconds. A number without a unit counts
// seconds.
var units = map[string]int64{
	"us": 1, "µs": 1, "μs": 1, "ms": 1000, "millis": 1000, "msec": 1000, "s": 1_000_000, "sec": 1_000_000, "secs": 1_000_000, "second": 1_000_000,
	"seconds": 1_000_000, "": 1_000_000, "m": 60_000_000, "min": 60_000_000, "h": 3600_000_000,
}

// Millis reads a duration such as "0.05s", "12ms", "1.5 sec", "1m 2.5s", "659.0us" or "3" (seconds). A duration
// above zero gives at least 1.
func Millis(s string) (ms int64, ok bool) {
	micros := int64(0)
	s = strings.TrimSpace(s)
	for s != "" {
		end := 0
		for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || s[end] == ',') {
			end++
		}
		number, rest := s[:end], strings.TrimLeft(s[end:], " ")
		end = 0
		for end < len(rest) && rest[end] != ' ' && (rest[end] < '0' || rest[end] > '9') {
			end++
		}
		unit, known := units[rest[:end]]
		n, valid := decimal(number, unit)
		if !known || !valid {
			return 0, false
		}
		micros, ok = micros+n, true
		s = strings.TrimLeft(rest[end:], " ")
	}
	return (micros + 999) / 1000, ok
}

// maxWhole is the most digits that a duration has before the decimal point; a longer number means something else.
const maxWhole = 12

// decimal returns number times unit; number may have a decimal point or comma.
func decimal(number string, unit int64) (n int64, ok bool) {
	whole, fraction, _ := strings.Cut(strings.ReplaceAll(number, ",", "."), ".")
	if whole+fraction == "" || len(whole) > maxWhole || !IsDigits(whole+fraction) {
		return 0, false
	}
	n = int64(Atoi(whole)) * unit
	scale := unit
	for i := 0; i < len(fraction) && scale >= 10; i++ {
		scale /= 10
		n += int64(fraction[i]-'0') * scale
	}
	return n, true
}

// OfSeconds converts seconds to milliseconds. A duration above zero gives at least 1.
func OfSeconds(s float64) int64 {
	if !(s > 0 && s < 1e12) {
		return 0
	}
	return max(1, int64(s*1000+0.5))
}

// Hash is a 64-bit FNV-1a hash (Fowler, Noll and Vo), used to remember what was seen in sets whose size does not
// depend on the length of their elements. Unlike hash/fnv, it allocates nothing for strings.
type Hash uint64

const fnvPrime = 1099511628211

func NewHash() Hash { return 14695981039346656037 }

// Text adds a string and a mark for its end.
func (h Hash) Text(s string) Hash {
	for i := range len(s) {
		h = (h ^ Hash(s[i])) * fnvPrime
	}
	return (h ^ 0xff) * fnvPrime // 0xff occurs in no UTF-8 text
}

func (h Hash) Number(n int) Hash {
	for range 8 {
		h = (h ^ Hash(n&0xff)) * fnvPrime
		n >>= 8
	}
	return h
}
