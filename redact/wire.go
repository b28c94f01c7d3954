package redact

import (
	"slices"
	"strings"
)

const (
	urlPassword = "url-password"
	dsnPassword = "dsn-password"
)

// maxAuthority bounds the part of a URL that can have user and password, in bytes.
const maxAuthority = 512

// detectURL finds the password of scheme://user:password@host, and the user if it is a token. An unescaped slash may be
// part of the password for databases and the like; in http it begins the path.
func detectURL(sc *scan, at, end int) {
	s := sc.s
	scheme := at
	for scheme > 0 && at-scheme < maxName && (isAlnum(s[scheme-1]) || s[scheme-1] == '+' || s[scheme-1] == '-' || s[scheme-1] == '.') {
		scheme--
	}
	if scheme == at {
		return
	}
	web := containsFold(s[scheme:at], "http") || containsFold(s[scheme:at], "file") || containsFold(s[scheme:at], "ws")
	userEnd, signAt, stop := -1, -1, end
	for stop < len(s) && stop-end < maxAuthority && !endsAuthority(s, stop, web) {
		switch s[stop] {
		case ':':
			if userEnd < 0 {
				userEnd = stop
			}
		case '@':
			signAt = stop
		}
		stop++
	}
	if signAt < 0 {
		return
	}
	if userEnd < 0 || userEnd > signAt {
		sc.urlUser(end, signAt)
		return
	}
	if v := s[userEnd+1 : signAt]; v == "" || v == "x-oauth-basic" || strings.Trim(v, "xX") == "" {
		sc.urlUser(end, userEnd)
	}
	if host := s[userEnd+1 : signAt]; !isPort(host) && !isPlaceholder(host) {
		sc.add(urlPassword, named, userEnd+1, signAt)
	}
}

// urlUser redacts a user that is a token: https://TOKEN@host.
func (sc *scan) urlUser(start, end int) {
	v := sc.s[start:end]
	if len(v) >= 20 && hasLetterAndDigit(v) && entropy(v) > genericEntropy && !strings.ContainsAny(v, "./@") && !isPlaceholder(v) {
		sc.add(urlPassword, named, start, end)
	}
}

func endsAuthority(s string, i int, web bool) bool {
	c := s[i]
	if c <= ' ' || c == 0x7f || isQuote(c) || strings.IndexByte("<>()|\\", c) >= 0 {
		return true
	}
	return web && strings.IndexByte("/?#", c) >= 0 || c == '/' && strings.IndexByte(s[max(0, i-maxAuthority):i], '@') >= 0 && lastIsHost(s, i)
}

// lastIsHost says whether the slash at s[i] follows a host: an @ and then only bytes of a host and port.
func lastIsHost(s string, i int) bool {
	for j := i - 1; j >= 0 && i-j < maxAuthority; j-- {
		if s[j] == '@' {
			return true
		}
		if !isAlnum(s[j]) && strings.IndexByte(".-:,[]_", s[j]) < 0 {
			return false
		}
	}
	return false
}

// isPort says whether a supposed password is a port and a path: //host:8080/@scope.
func isPort(v string) bool {
	port, _, path := strings.Cut(v, "/")
	return path && port != "" && strings.Trim(port, "0123456789") == ""
}

// isPlaceholder says whether v only replaces a password: ***, $PASS, ${PASS}, <password>, {password}, [redacted:…].
func isPlaceholder(v string) bool {
	if v == "" || isRepeated(v) || enclosed(v, '<', '>') || enclosed(v, '{', '}') || enclosed(v, '[', ']') || strings.Trim(v, ".") == "" {
		return true
	}
	if v[0] == '$' && len(v) > 1 {
		return isWord(v[1]) && isUpper(v) || v[1] == '{' || v[1] == '('
	}
	return v[0] == '%' && len(v) <= 3 || strings.Contains(v, "****") || strings.Trim(v, "xX") == "" || strings.HasPrefix(v, placeholderStart)
}

func enclosed(v string, open, close byte) bool { return v[0] == open && v[len(v)-1] == close }

// detectDSN finds the password of a Go MySQL data source: user:password@tcp(host:3306)/db.
func detectDSN(sc *scan, at, _ int) {
	s := sc.s
	i, colon := at, -1
	for i > 0 && at-i < maxAuthority && s[i-1] > ' ' && !isQuote(s[i-1]) && s[i-1] != '/' && s[i-1] != '=' {
		i--
		if s[i] == ':' {
			colon = i
		}
	}
	if colon >= 0 && !isPlaceholder(s[colon+1:at]) {
		sc.add(dsnPassword, named, colon+1, at)
	}
}

const (
	authHeader  = "authorization-header"
	tokenHeader = "token-header"
	cookie      = "cookie"
)

// authSchemes are the schemes of RFC 7617, of RFC 6750 and in common use whose credential is one word.
var authSchemes = [...]string{"bearer", "basic", "token", "apikey", "api-key", "negotiate", "ntlm", "key", "jwt", "bot"}

const (
	minCredential = 6
	maxScheme     = 20
)

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
	} else if !sc.startsWord(at) {
		return
	}
	if sc.signedParts(i) {
		return
	}
	start, scheme := i, bare
	if !bare {
		start, scheme = authScheme(s, i)
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

// maxParts bounds the parts of a credential that has several.
const maxParts = 1024

// signedParts finds the proof of identity in a credential of several parts: the response of Digest, the signature of
// AWS or of OAuth 1. It says whether s[i] begins such a credential.
func (sc *scan) signedParts(i int) bool {
	s := sc.s
	rest := s[i:min(len(s), i+maxParts)]
	if !hasPrefixFold(rest, "digest ") && !hasPrefixFold(rest, "aws4-") && !hasPrefixFold(rest, "oauth ") && !hasPrefixFold(rest, "hawk ") {
		return false
	}
	rest, _, _ = strings.Cut(rest, "\n")
	for _, name := range [...]string{"response=", "Signature=", "oauth_signature=", "oauth_token=", "mac="} {
		n := strings.Index(rest, name)
		if n < 0 {
			continue
		}
		if start, stop, _ := valueAt(s, i+n+len(name)); stop-start >= minSecret && !isFiller(s[start:stop]) {
			sc.add(authHeader, named, start, stop)
		}
	}
	return true
}

// authScheme returns where the credential after a scheme at s[i] begins, and whether the scheme is known.
func authScheme(s string, i int) (start int, known bool) {
	stop := i
	for stop < len(s) && stop-i < maxScheme && (isLetter(s[stop]) || s[stop] == '-') {
		stop++
	}
	if stop == i || stop >= len(s) || s[stop] != ' ' && s[stop] != '\t' {
		return i, false
	}
	return stop + 1, slices.Contains(authSchemes[:], strings.ToLower(s[i:stop]))
}

// headerValue returns where the value of the header whose name ends at s[i] begins: `: `, `": "`, `', '`, `=`, `=>`, `
// => [`.
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
	for end < len(s) && end-i < 8*maxValue && (isToken(s[end]) || strings.IndexByte(".~:%!*@", s[end]) >= 0) {
		end++
	}
	return withoutFullStop(s, i, end)
}

// detectTokenHeader finds the value of headers that contain only a key.
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

// detectCookie finds the values in `Cookie: a=1; b=2` and `Set-Cookie: a=1; Path=/` that can identify a session: random
// and not short. Attributes and preferences stay.
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

// isSession says whether a cookie may grant access. If its name says so, the value may be less random.
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
