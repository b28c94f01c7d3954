package redact

import (
	b64 "encoding/base64"
	"slices"
	"strings"
	"sync"
)

const (
	// brandedToken is a token of a vendor that no rule knows. Tokens are made to be recognized: a word of the vendor's, perhaps
	// others that say what the token is for, and then random letters and digits (acme_live_…).
	brandedToken = "branded-token"
	encodedToken = "encoded-token"
)

// The least number of random bytes after any word, and of all if joints are among them; the same after one of brandWords; the
// shortest word that is not followed by one, with its joint, and the longest word; the same in a line that refuses it; a token without
// any word; and the longest text that is decoded.
const (
	minBranded, minJoined    = 32, 40
	minKeyed                 = 24
	minShort, maxBrand       = 4, 12
	minRefused, minUnbranded = 16, 150
	maxCoded                 = 4 << 10
)

// brandWords say what a token is for.
var brandWords = [...]string{"live", "test", "prod", "production", "sandbox", "dev", "api", "apikey", "key", "pat", "oat", "sk", "secret", "token", "access", "server", "v1", "v2"}

// longWord returns the next word from s[i] on that can be such a token, or base64 that a secret was encoded in; end is 0 without one. Either
// has a byte at every multiple of minKeyed, so that most of the text is not read.
func longWord(s string, i int) (start, end int) {
	for i += minKeyed - 1; i < len(s); i = end + minKeyed - 1 {
		all := inLongWord[s[i]]
		if end = i + 1; all == 0 {
			continue
		}
		for start = i; start > 0 && i-start < maxCoded && inLongWord[s[start-1]] != 0; start-- {
			all |= inLongWord[s[start-1]]
		}
		for ; end < len(s) && end-i < maxCoded && inLongWord[s[end]] != 0; end++ {
			all |= inLongWord[s[end]]
		}
		if end-start >= minKeyed && all&1 != 0 && all > 3 && (start == 0 || inLongWord[s[start-1]] == 0) {
			return start, end
		}
	}
	return 0, 0
}

// long judges a word that longWord returned.
func (sc *scan) long(start, end int) {
	v, before := sc.s[start:end], sc.s[max(0, start-maxBrand):start]
	sc.coded(start, end)
	n := brand(v, minBranded, minJoined)
	if n == 0 && strings.IndexByte(v, '/') < 0 && refused(sc.s, start, end) {
		n = brand(v, minRefused, minRefused)
	}
	if n > 0 && !strings.HasSuffix(before, "@") && !namesDigest(before) {
		sc.generic = append(sc.generic, genericFind{start, span{start, start + n, brandedToken, vague}})
	}
}

// inLongWord tells the bytes of such a word: 1 digits, 4 letters, 2 others.
var inLongWord = func() (set [256]uint8) {
	for kind, bytes := range [...]string{1: "0123456789", 2: "_-.+/", 4: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
		for i := range len(bytes) {
			set[bytes[i]] = uint8(kind)
		}
	}
	return set
}()

// brand is the length of the token with which v begins, or 0. It has at least so many random bytes, or so many if joints are among them.
func brand(v string, least, joined int) int {
	if strings.ContainsAny(v, "+/") {
		if n := strings.IndexAny(v, "_-"); n < minShort-1 || n > maxBrand || !isUpper(v[:n]) || !isBrand(v[:n]) || len(v)-n <= joined || !isBase64(v[n+1:]) || !isRandom(v[n+1:], false) {
			return 0 // a path, or base64 without a brand
		}
		return len(v)
	}
	if len(v) >= minUnbranded && !strings.ContainsAny(v, "_-.") && isRandom(v, false) && !strings.HasPrefix(v, "MI") {
		return len(v) // base64 of this length has other bytes
	}
	for at := 0; ; {
		n, rest := strings.IndexAny(v[at:], "_-."), v[at:]
		if n < 0 {
			joined = least
		}
		switch {
		case at == 0, at <= minShort && least == minBranded && (n >= 0 || v[at-1] != '_'):
		case n >= least && isRandom(rest[:n], false):
			if tail := rest[n:]; len(tail) > minSecret && isRandom(tail, false) {
				n = len(strings.TrimRight(rest, "._-"))
			}
			return at + n
		case len(rest) >= joined && isRandom(rest, least <= minKeyed && n < 0):
			return len(strings.TrimRight(v, "._-"))
		case least == minRefused && v[at-1] == '_' && hashLike(rest):
			return len(v)
		}
		switch word := v[at : at+max(n, 0)]; {
		case slices.Contains(brandWords[:], strings.ToLower(word)):
			least, joined = min(least, minKeyed), min(joined, minKeyed)
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

// isRandom says whether the letters and digits of v are mixed as chance does it; keyed means that letters of one case will do, unless v is
// hexadecimal.
func isRandom(v string, keyed bool) bool {
	var of [3]int // digits, lower case, capitals
	changes, last, hex := 0, -1, true
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
		hex = hex && isHex(v[i])
	}
	if keyed && min(of[1], of[2]) == 0 && !hex {
		return of[0] > 0 && changes*5 > len(v)
	}
	return of[0] > 0 && min(of[1], of[2])*8 > len(v) && changes*3 > len(v)
}

// refusals are said of credentials.
var refusals = sync.OnceValue(func() *matcher {
	return newMatcher([]string{"unauthori", "revoked", "forbidden", "expired", "inactive", " 401", " 403", "api key", "access key", "access token", "credential"})
})

// refused says whether the word s[start:end] stands beside one of these.
func refused(s string, start, end int) bool {
	before, after := s[max(0, start-maxColumn):start], s[end:min(len(s), end+maxColumn)]
	after, _, _ = strings.Cut(after, "\n")
	return (before == "" || isSpace(before[len(before)-1])) && (refusals().contains(before[strings.LastIndexByte(before, '\n')+1:]) || refusals().contains(after))
}

// coded decodes the base64 of s[at:end], or behind a joint of it, and redacts it if a secret, or a URL with one, was encoded.
func (sc *scan) coded(at, end int) {
	for from := at; end-at >= minKeyed && at-from <= 4*maxBrand; {
		if mixed(sc.s[at:end]) && decoded(sc.s[at:at+minSecret]) != "" {
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
