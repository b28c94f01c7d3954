package lex

import "strings"

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
