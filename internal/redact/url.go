package redact

import "strings"

const (
	urlPassword = "url-password"
	dsnPassword = "dsn-password"
)

// maxAuthority bounds the part of a URL that can hold user and password.
const maxAuthority = 512

// detectURL finds the password of scheme://user:password@host, and the user when it is itself a token. Only databases and
// the like write an unescaped slash into the password; in http it begins the path.
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

// isPort says whether what was taken for a password is a port and a path: //host:8080/@scope.
func isPort(v string) bool {
	port, _, path := strings.Cut(v, "/")
	return path && port != "" && strings.Trim(port, "0123456789") == ""
}

// isPlaceholder says whether v only stands where a password would: ***, $PASS, ${PASS}, <password>, {password}, [redacted:…].
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
