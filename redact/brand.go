package redact

import (
	b64 "encoding/base64"
	"slices"
	"strings"
)

const (
	// brandedToken is a token of a vendor that no rule knows. Tokens are made to be recognized: a word of the vendor's, perhaps
	// others that say what the token is for, and then random letters and digits (acme_live_…).
	brandedToken = "branded-token"
	encodedToken = "encoded-token"
)

// The least number of random bytes after any word, and of all if joints are among them; the same after one of brandWords; the
// shortest word that is not followed by one, with its joint, and the longest word; and the longest text that is decoded.
const (
	minBranded, minJoined = 32, 40
	minKeyed              = 24
	minShort, maxBrand    = 4, 12
	maxCoded              = 4 << 10
)

// brandWords say what a token is for.
var brandWords = [...]string{"live", "test", "prod", "production", "sandbox", "dev", "api", "apikey", "key", "pat", "oat", "sk", "secret", "token", "access", "server", "v1", "v2"}

// longWord returns the next word from s[i] on that can be such a token, or base64 that a secret was encoded in; end is 0 without one. Either
// has a byte at every multiple of minKeyed, so that most of the text is not read.
func longWord(s string, i int) (start, end int) {
	for i += minKeyed - 1; i < len(s); i = end + minKeyed - 1 {
		if end = i + 1; !inLongWord(s[i]) {
			continue
		}
		for start = i; start > 0 && i-start < maxCoded && inLongWord(s[start-1]); start-- {
		}
		for end < len(s) && end-i < maxCoded && inLongWord(s[end]) {
			end++
		}
		if end-start >= minKeyed && (start == 0 || !inLongWord(s[start-1])) && mixed(s[start:end]) {
			return start, end
		}
	}
	return 0, 0
}

// long judges a word that longWord returned.
func (sc *scan) long(start, end int) {
	sc.coded(start, end)
	before := sc.s[max(0, start-maxBrand):start]
	if n := brand(sc.s[start:end]); n > 0 && !strings.HasSuffix(before, "@") && !namesDigest(before) {
		sc.generic = append(sc.generic, genericFind{start, span{start, start + n, brandedToken, vague}})
	}
}

func inLongWord(c byte) bool { return isWord(c) || strings.IndexByte("-.+/", c) >= 0 }

// brand is the length of the token with which v begins, or 0.
func brand(v string) int {
	if strings.ContainsAny(v, "+/") {
		return 0 // a path, or base64
	}
	least, joined := minBranded, minJoined
	for at := 0; ; {
		n, rest := strings.IndexAny(v[at:], "_-."), v[at:]
		if n < 0 {
			joined = least
		}
		switch {
		case at == 0, at <= minShort && least == minBranded && (n >= 0 || v[at-1] != '_'):
		case n >= least && isRandom(rest[:n]):
			return at + n
		case len(rest) >= joined && isRandom(rest):
			return len(strings.TrimRight(v, "._-"))
		}
		switch word := v[at : at+max(n, 0)]; {
		case slices.Contains(brandWords[:], strings.ToLower(word)):
			least, joined = minKeyed, minKeyed
		case len(word) > maxBrand || !isBrand(word):
			return 0
		}
		at += n + 1
	}
}

func isBrand(word string) bool {
	letters := strings.TrimRight(word, "0123456789")
	return len(letters) > 1 && onlyLetters(letters) && (isUpper(word) || isLower(word[1:])) && !namesDigest(word)
}

// isRandom says whether the letters and digits of v are mixed as chance does it.
func isRandom(v string) bool {
	var of [3]int // digits, lower case, capitals
	changes, last := 0, -1
	for i := range len(v) {
		class := 0
		switch c := v[i]; {
		case !isAlnum(c):
			continue
		case isLetter(c) && c == lower(c):
			class = 1
		case isLetter(c):
			class = 2
		}
		if of[class]++; class != last {
			changes, last = changes+1, class
		}
	}
	return of[0] > 0 && min(of[1], of[2])*8 > len(v) && changes*3 > len(v)
}

// coded decodes the base64 of s[at:end], or behind a joint of it, and redacts it if a secret, or a URL with one, was encoded.
func (sc *scan) coded(at, end int) {
	for from := at; end-at >= minKeyed && at-from <= 4*maxBrand; {
		if decoded(sc.s[at:at+minSecret]) != "" {
			finds, _ := sc.engine.scan(decoded(sc.s[at:end]), nil)
			if slices.ContainsFunc(finds, func(f span) bool { return f.rank >= named || f.rule == brandedToken }) {
				for end < len(sc.s) && sc.s[end] == '=' {
					end++
				}
				sc.add(encodedToken, named, at, end)
			}
		}
		n := strings.IndexAny(sc.s[at:end], "-_./")
		if n < 0 {
			return
		}
		at += n + 1
	}
}

// decoded is the text that v is the base64 of, up to the last bytes if v is cut, and "" if v is not base64 of a text.
func decoded(v string) string {
	if strings.ContainsAny(v, "-_") {
		v = strings.NewReplacer("-", "+", "_", "/").Replace(v)
	}
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	var some [minSecret]byte
	plain, err := b64.RawStdEncoding.AppendDecode(some[:0], []byte(v))
	if err != nil || slices.ContainsFunc(plain, func(c byte) bool { return c < ' ' && !isSpace(c) || c > '~' }) {
		return ""
	}
	return string(plain)
}
