package result

import "strings"

// durationLen is the length of the duration at s[i]: "1.5s", "200 ms",
// "1m30.25s", "3 seconds".
func durationLen(s string, i int) int {
	if i > 0 && s[i-1] == '.' { // the end of a version: 1.2.3s
		return 0
	}
	for j, first := i, true; ; first = false {
		n := digits(s, j)
		if n == 0 {
			return 0
		}
		j += n
		if has(s, j, ".") {
			if n := digits(s, j+1); n > 0 {
				j += 1 + n
			}
		}
		spaced := first && has(s, j, " ")
		if spaced {
			j++
		}
		n = unitLen(s, j)
		if n == 0 {
			return 0
		}
		j += n
		if endsWord(s, j) {
			return j - i
		}
		if spaced {
			return 0
		}
	}
}

// unitLen is the length of the unit of time at s[i].
func unitLen(s string, i int) int {
	n := 0
	for i+n < len(s) && (isLetter(s[i+n]) || s[i+n] == 0xc2 && has(s, i+n, "µ") || s[i+n] == 0xce && has(s, i+n, "μ")) {
		if isLetter(s[i+n]) {
			n++
		} else {
			n += len("µ")
		}
		if n > len("microseconds") {
			return 0
		}
	}
	switch s[i : i+n] {
	case "ns", "µs", "μs", "us", "ms", "s", "m", "h",
		"sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "hour", "hours",
		"millisecond", "milliseconds", "microsecond", "microseconds", "nanosecond", "nanoseconds":
		return n
	}
	return 0
}

// timeLen is the length of the date with a time of day at s[i]. A date alone
// stays: it is more often data than a stamp.
func timeLen(s string, i int) int {
	n := 0
	if isDigit(s[i]) {
		n = isoLen(s, i)
	} else if strings.IndexByte("MTWFS", s[i]) >= 0 {
		n = rfcLen(s, i)
	}
	if n == 0 || !endsWord(s, i+n) {
		return 0
	}
	return n
}

// shape is the length of pattern at s[i], where "0" stands for any digit and "A" for
// any letter; 0 if s does not match.
func shape(s string, i int, pattern string) int {
	if len(s)-i < len(pattern) {
		return 0
	}
	for k := range len(pattern) {
		c, p := s[i+k], pattern[k]
		if p == '0' && isDigit(c) || p == 'A' && isLetter(c) || p == c {
			continue
		}
		return 0
	}
	return len(pattern)
}

// isoLen matches ISO 8601 and RFC 3339, also with a space for the T and with
// slashes, as Go's log package writes: 2006-01-02T15:04:05.123Z.
func isoLen(s string, i int) int {
	if digits(s, i) != 4 {
		return 0
	}
	n := shape(s, i, "0000-00-00T00:00")
	for _, other := range []string{"0000-00-00 00:00", "0000/00/00 00:00"} {
		if n == 0 {
			n = shape(s, i, other)
		}
	}
	if n == 0 {
		return 0
	}
	n += secondsLen(s, i+n)
	if has(s, i+n, ".") || has(s, i+n, ",") {
		if k := digits(s, i+n+1); k > 0 && endsStamp(s, i+n+1+k) {
			n += 1 + k
		}
	}
	return n + zoneLen(s, i+n)
}

// An optional part belongs to a date only if it ends cleanly. Otherwise the text after
// it would decide whether there is a date, and be masked itself.

func secondsLen(s string, i int) int {
	if n := shape(s, i, ":00"); n > 0 && endsStamp(s, i+n) {
		return n
	}
	return 0
}

// endsStamp says that a date may end at s[i], or go on with its zone.
func endsStamp(s string, i int) bool {
	return endsWord(s, i) || (s[i] == 'Z' || s[i] == 'z') && endsWord(s, i+1)
}

func zoneLen(s string, i int) int {
	if (has(s, i, "Z") || has(s, i, "z")) && endsWord(s, i+1) {
		return 1
	}
	for _, zone := range []string{"+00:00", "-00:00", " +00:00", " -00:00", "+0000", "-0000", " +0000", " -0000"} {
		if n := shape(s, i, zone); n > 0 && endsWord(s, i+n) {
			return n
		}
	}
	return 0
}

// rfcLen matches RFC 1123 and 5322: Mon, 02 Jan 2006 15:04:05 GMT.
func rfcLen(s string, i int) int {
	n := shape(s, i, "AAA, 00 AAA 0000 00:00")
	if n == 0 {
		n = shape(s, i, "AAA, 0 AAA 0000 00:00")
	}
	if n == 0 || !strings.Contains("Mon Tue Wed Thu Fri Sat Sun", s[i:i+3]) {
		return 0
	}
	n += secondsLen(s, i+n)
	for _, zone := range []string{" GMT", " UTC", " UT"} {
		if has(s, i+n, zone) && endsWord(s, i+n+len(zone)) {
			return n + len(zone)
		}
	}
	return n + zoneLen(s, i+n)
}
