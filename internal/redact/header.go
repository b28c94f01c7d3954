package redact

import "strings"

const (
	authHeader  = "authorization-header"
	tokenHeader = "token-header"
	cookie      = "cookie"
)

// authSchemes are the schemes of RFC 7617, RFC 6750 and of practice whose credential is one word.
var authSchemes = [...]string{"bearer", "basic", "token", "apikey", "api-key", "negotiate", "ntlm", "key", "jwt", "bot"}

const minCredential = 6

// detectAuthorization finds the credential of `Authorization: Bearer …`, in a header, a map or a call, and of a bare `Bearer …`.
func detectAuthorization(sc *scan, at, end int) {
	s := sc.s
	bare := lower(s[at]) == 'b'
	i := end
	if !bare {
		var ok bool
		if i, ok = headerValue(s, end); !ok {
			return
		}
	} else if !startsWord(s, at) {
		return
	}
	start, scheme := i, bare
	for _, name := range authSchemes {
		if !bare && hasPrefixFold(s[i:], name) && i+len(name) < len(s) && (s[i+len(name)] == ' ' || s[i+len(name)] == '\t') {
			start, scheme = i+len(name)+1, true
			break
		}
	}
	start = skipAround(s, start, maxAfter, " \t'\"`\\")
	stop := credentialEnd(s, start)
	v := s[start:stop]
	if len(v) < minCredential || isPlaceholder(v) || isAllowed(v) {
		return
	}
	if scheme && !bare && !isMessageWord(v) || hasLetterAndDigit(v) && len(v) >= 2*minSecret && entropy(v) > 3 && !looksLikeText(v) {
		sc.add(authHeader, named, start, stop)
	}
}

// headerValue returns where the value of a header begins whose name ends at s[i]: `: `, `": "`, `', '`, `=`, `=>`, ` => [`.
func headerValue(s string, i int) (int, bool) {
	i = skipAround(s, i, maxBefore, " \t'\"\\])")
	i, ok := operator(s, i)
	if !ok {
		return i, false
	}
	return skipAround(s, i, maxAfter, " \t'\"`=\\[{("), true
}

// credentialEnd returns the end of the token68 or JWT that begins at s[i].
func credentialEnd(s string, i int) int {
	end := i
	for end < len(s) && end-i < 8*maxValue && (isToken(s[end]) || strings.IndexByte(".~:%!*", s[end]) >= 0) {
		end++
	}
	return withoutFullStop(s, i, end)
}

// detectTokenHeader finds the value of the headers that carry a key alone.
func detectTokenHeader(sc *scan, _, end int) {
	i, ok := headerValue(sc.s, end)
	if !ok {
		return
	}
	stop := credentialEnd(sc.s, i)
	v := sc.s[i:stop]
	if len(v) >= minSecret && hasLetterAndDigit(v) && !isPlaceholder(v) && !isAllowed(v) && !looksLikeText(v) {
		sc.add(tokenHeader, named, i, stop)
	}
}

// maxCookies bounds the pairs of one header.
const maxCookies = 64

// detectCookie finds the values in `Cookie: a=1; b=2` and `Set-Cookie: a=1; Path=/` that can be a session: random and not
// short. Attributes and preferences stay.
func detectCookie(sc *scan, _, end int) {
	s := sc.s
	i, ok := headerValue(s, end)
	if !ok {
		return
	}
	for range maxCookies {
		name := i
		for i < len(s) && (isToken(s[i]) && s[i] != '=' || s[i] == '.') {
			i++
		}
		if i == name || i >= len(s) || s[i] != '=' {
			return
		}
		start := i + 1
		for i = start; i < len(s) && i-start < 8*maxValue && s[i] > ' ' && s[i] < 0x7f && strings.IndexByte(";,\"'\\<>", s[i]) < 0; i++ {
		}
		if isSession(s[name:start-1], s[start:i]) {
			sc.add(cookie, named, start, i)
		}
		for i < len(s) && (s[i] == ';' || s[i] == ' ') {
			i++
		}
	}
}

// isSession says whether a cookie lets its bearer in. A name that says so needs less of a value.
func isSession(name, v string) bool {
	if isPlaceholder(v) || isAllowed(v) || looksLikeText(v) && len(v) < 20 {
		return false
	}
	for _, w := range [...]string{"sess", "sid", "auth", "token", "csrf", "jwt", "login", "remember"} {
		if containsFold(name, w) {
			return len(v) >= minSecret && hasLetterAndDigit(v)
		}
	}
	return len(v) >= 20 && hasLetterAndDigit(v) && entropy(v) > genericEntropy
}
