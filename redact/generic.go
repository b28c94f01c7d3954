package redact

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

const genericKey = "generic-api-key"

// genericNames are gitleaks' keywords for names that may be a credential's.
var genericNames = [...]string{"access", "auth", "api", "credential", "creds", "key", "passwd", "password", "secret", "token"}

const (
	genericEntropy = 3.5 // gitleaks' value
	genericMin     = 10
	genericMax     = 150
)

var (
	allowedName lazy
	stopMatcher = sync.OnceValue(newStopMatcher)
)

// stopWords are words that mark a value as ordinary text, in lower case, one per line.
//
//go:embed stopwords.txt
var stopWords string

func newStopMatcher() *matcher { return newMatcher(strings.Fields(stopWords)) }

// detectGeneric is gitleaks' generic-api-key without its pattern, which is slow and reads the whole text: the name has
// been found, the value must have the right alphabet and length, and then entropy, allow-lists and stop words decide.
func detectGeneric(sc *scan, at, end int) {
	s := sc.s
	if name := s[at:end]; hasPrefixFold(name, "api") && name != "api" && name != "Api" && name != "API" {
		return // only these three spellings, as in gitleaks: others occur in base64 by chance
	}
	value, ok := assignment(s, end)
	if !ok {
		return
	}
	stop := genericValue(s, value)
	v := s[value:stop]
	if v == "" || !hasLetterAndDigit(v) || entropy(v) <= genericEntropy || isAllowed(v) {
		return
	}
	if !isQuote(s[value-1]) && isAttribute(v) {
		argument := strings.IndexByte(v, '.') > 0 && strings.IndexByte(s[end:value], ',') >= 0
		if argument || stop < len(s) && s[stop] == '(' {
			return // f(key, pkg.Name2), key: name2()
		}
	}
	name := nameStart(s, at)
	if hashLike(v) && !namesStrongly(s[name:value]) || namesDigest(s[name:value]) || looksLikePath(v) || looksLikeText(v) || isHexLiteral(v) {
		return
	}
	sc.generic = append(sc.generic, genericFind{name, span{value, stop, genericKey, vague}})
}

// A genericFind is a value that has not been checked against stop words and allow-list: both are too slow for values
// that another rule finds anyway.
type genericFind struct {
	name int
	span
}

// addGeneric adds the values that no other find covers and that are neither ordinary text nor allowed.
func (sc *scan) addGeneric() {
	slices.SortFunc(sc.finds, byPlace)
	slices.SortFunc(sc.generic, func(a, b genericFind) int { return byPlace(a.span, b.span) })
	known := sc.finds
	start, covered := -1, 0
	for _, g := range sc.generic {
		for len(known) > 0 && known[0].start <= g.start {
			start, covered = known[0].start, max(covered, known[0].end)
			known = known[1:]
		}
		if g.rule == brandedToken {
			if g.start == start || g.start >= covered && (len(known) == 0 || g.end <= known[0].start) {
				sc.finds = append(sc.finds, g.span)
			}
			continue
		}
		if g.end <= covered || stopMatcher().contains(sc.s[g.start:g.end]) {
			continue
		}
		if !allowedName.get(func() string { return allowedNames }).MatchString(sc.s[g.name:g.end]) {
			sc.finds = append(sc.finds, g.span)
		}
	}
}

// genericValue returns the end of the value that begins at s[i], or i if it does not have the right form.
func genericValue(s string, i int) int {
	end := i
	for end < len(s) && end-i <= genericMax && (isWord(s[end]) || strings.IndexByte(".=-", s[end]) >= 0 || s[end] == ':' && end-i >= minKeyed && end+1 < len(s) && isAlnum(s[end+1])) {
		end++
	}
	end = withoutFullStop(s, i, end)
	if n := end - i; n >= genericMin && n <= genericMax && endsValue(s, end) {
		return end
	}
	if i < len(s) && isAlnum(s[i]) {
		end = i
		for end < len(s) && end-i <= maxValue && (isAlnum(s[end]) || s[end] == '+' || s[end] == '/') {
			end++
		}
		for n := 0; n < 3 && end < len(s) && s[end] == '='; n++ {
			end++
		}
		if end-i >= genericMin+2 && endsValue(s, end) {
			return end
		}
	}
	return i
}

// withoutFullStop leaves the full stop of a sentence out of the value s[i:end].
func withoutFullStop(s string, i, end int) int {
	if end > i && s[end-1] == '.' {
		return end - 1
	}
	return end
}

// endsValue does the same as valueEnds: it says whether a value ends before s[i].
func endsValue(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	if s[i] == '.' {
		return i+1 >= len(s) || !isAlnum(s[i+1])
	}
	return !isToken(s[i])
}

func hasLetterAndDigit(v string) bool {
	letter, digit := false, false
	for i := range len(v) {
		letter, digit = letter || isLetter(v[i]), digit || isDigit(v[i])
	}
	return letter && digit
}

// strongWords are names whose values are credentials even if they are digests or UUIDs.
var strongWords = [...]string{"secret", "token", "passw", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "private_key", "privatekey", "auth_key", "authkey", "credential"}

func namesStrongly(name string) bool { return containsAnyFold(name, strongWords[:]) }

// digestWords are names of values that are not secret.
var digestWords = [...]string{"h1:", "sha1", "sha256", "sha384", "sha512", "md5", "digest", "checksum", "integrity", "fingerprint"}

func namesDigest(name string) bool { return containsAnyFold(name, digestWords[:]) }

// isHexLiteral recognizes addresses and numbers: 0x7ffd1234abcd.
func isHexLiteral(v string) bool {
	return len(v) <= 18 && hasPrefixFold(v, "0x") && strings.IndexFunc(v[2:], func(r rune) bool { return r > 127 || !isHex(byte(r)) }) < 0
}

// looksLikePath says whether v is a path: relative with dots, absolute and made of words, or with an extension. A slash alone
// is not enough, since base64 has it too.
func looksLikePath(v string) bool {
	if strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/") {
		return true
	}
	slash := strings.LastIndexByte(v, '/')
	return slash >= 0 && strings.IndexByte(v[slash:], '.') > 0 || v != "" && v[0] == '/' && looksLikeText(v)
}

// looksLikeText says whether v is made of words and numbers joined by punctuation, as test names, versions and dates
// are: every part between the joints is letters only or digits only.
func looksLikeText(v string) bool {
	parts := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("_.-/=+:", r) })
	for _, p := range parts {
		if hasLetterAndDigit(strings.TrimRight(p, "0123456789")) || mixedCase(p) && len(p) > 12 {
			return false
		}
		if tail := len(p) - len(strings.TrimRight(p, "0123456789")); tail > 4 && tail < len(p) {
			return false
		}
	}
	return true
}

// mixedCase says whether letters change their case more often than in camel case.
func mixedCase(v string) bool {
	ups := 0
	for i := range len(v) {
		if 'A' <= v[i] && v[i] <= 'Z' {
			ups++
		}
	}
	return ups*3 > len(v) && ups < len(v)
}

// Bounds of a table: bytes of its first line, and how many rows are read.
const (
	maxHeader = 512
	maxRows   = 256
)

// column says whether the name s[at:end] is a column's header in comma-separated values or similar, and if so redacts
// the column. All cells of the first line must be names; a row has as many cells.
func (sc *scan) column(at, end int) bool {
	s := sc.s
	if end < len(s) && isQuote(s[end]) {
		end++
	}
	padded := end
	end = skipAround(s, end, maxColumn, " ")
	if end == len(s) || !separates(s[end]) && s[end] != '\r' && s[end] != '\n' || sc.table[0] <= at && at < sc.table[1] {
		return false
	}
	from := at
	for from > 0 && at-from < maxHeader && s[from-1] != '\n' {
		if from--; !inNames(s[from]) {
			return false
		}
	}
	n := strings.IndexByte(s[from:min(len(s), from+maxHeader)], '\n')
	if n < end-from-1 {
		return false
	}
	header := strings.TrimRight(s[from:from+n], "\r")
	comma := strings.IndexFunc(header, func(r rune) bool { return r < 128 && separates(byte(r)) })
	if comma < 0 || padded < end && header[comma] != '|' {
		return false
	}
	names := strings.Split(header, header[comma:comma+1])
	if last := len(names) - 1; last > 1 && comma == strings.IndexByte(header, '|') && strings.Trim(names[0]+names[last], " ") == "" { // | name | name |
		names[0], names[last] = names[1], names[1]
	}
	if !areNames(names) {
		return false
	}
	col := strings.Count(s[from:at], header[comma:comma+1])
	sc.table = [2]int{from + n + 1, sc.rows(from+n+1, header[comma], col, len(names))}
	return true
}

// separates says whether c separates the cells of a row.
func separates(c byte) bool { return c == ',' || c == ';' || c == '\t' || c == '|' }

// areNames says whether the cells of a line can be the names of columns.
func areNames(cells []string) bool {
	for _, c := range cells {
		c = strings.Trim(c, `"' `)
		if c == "" || isDigit(c[0]) || len(c) > maxName {
			return false
		}
		for i := range len(c) {
			if !inNames(c[i]) {
				return false
			}
		}
	}
	return true
}

// inNames says whether c may occur in the first line of a table.
func inNames(c byte) bool {
	switch c {
	case ' ', '-', '.', '(', ')', '"', '\'', ',', ';', '|', '\t', '\r':
		return true
	}
	return isWord(c)
}

// rows redacts column col of the rows from s[i] on, and returns where the rows end.
func (sc *scan) rows(i int, comma byte, col, cols int) int {
	for range maxRows {
		line, _, more := strings.Cut(sc.s[i:min(len(sc.s), i+maxQuoted)], "\n")
		start, stop, n := cellOf(line, comma, col)
		ruler := comma == '|' && strings.Trim(line, "|+-: \r") == ""
		if n != cols && !ruler || line == "" {
			break
		}
		if v := line[start:stop]; len(v) >= minPassword && !strings.ContainsAny(v, " \t") && !isFiller(v) && !isMessageWord(v) && (hasLetterAndDigit(v) || hasSymbol(v)) && !looksLikePath(v) {
			sc.add(assignedSecret, vague, i+start, i+stop)
		}
		if i += len(line) + 1; !more {
			break
		}
	}
	return i
}

// cellOf returns where a cell of a row is, without its quotes, and how many cells the row has.
func cellOf(line string, comma byte, col int) (start, stop, n int) {
	quoted, from := false, 0
	for i := 0; i <= len(line); i++ {
		if i < len(line) && line[i] == '"' {
			quoted = !quoted
		}
		if i < len(line) && (quoted || line[i] != comma) {
			continue
		}
		if n == col {
			start, stop = from, i
		}
		n, from = n+1, i+1
	}
	for stop > start && strings.IndexByte("\" `\r", line[stop-1]) >= 0 {
		stop--
	}
	for start < stop && strings.IndexByte("\" `", line[start]) >= 0 {
		start++
	}
	return start, stop, n
}

// detectForm finds the value of a part of multipart/form-data whose name means a secret.
func detectForm(sc *scan, at, end int) {
	s := sc.s
	name, rest, ok := strings.Cut(s[end:min(len(s), end+maxHeader)], `"`)
	if !ok || !namesSecret(name) {
		return
	}
	_, body, ok := strings.Cut(strings.ReplaceAll(rest, "\r\n", "\n"), "\n\n")
	if !ok {
		return
	}
	value, _, _ := strings.Cut(body, "\n")
	if start := strings.Index(rest, "\n"+value); value != "" && start >= 0 && len(value) >= minPassword && !isFiller(value) {
		start += end + len(name) + 2
		sc.add(assignedSecret, named, start, start+len(value))
	}
}
