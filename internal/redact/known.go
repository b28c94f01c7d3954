package redact

import "strings"

const (
	netrcPassword = "netrc-password"
	curlUser      = "curl-auth-user"
	awsSecret     = "aws-secret-access-key"
)

// maxEntry bounds one entry of a .netrc and one line of a command.
const maxEntry = 512

// detectNetrc finds the password in `machine HOST login NAME password SECRET`, on one line or several, and in
// `login NAME password SECRET`.
func detectNetrc(sc *scan, at, end int) {
	if !startsWord(sc.s, at) {
		return
	}
	w := words{s: sc.s, i: end, stop: min(len(sc.s), at+maxEntry)}
	if lower(sc.s[at]) == 'm' && (end >= len(sc.s) || !isSpace(sc.s[end])) {
		return
	}
	host, _, _ := w.next() // or the name of the login
	seenLogin := lower(sc.s[at]) == 'l'
	isHost := !seenLogin && (strings.IndexByte(host, '.') > 0 || host == "localhost")
	for {
		key, _, _ := w.next()
		value, start, stop := w.next()
		switch strings.ToLower(key) {
		case "login", "user", "account":
			seenLogin = true
		case "password":
			sure := isHost || hasLetterAndDigit(value) || hasSymbol(value) // else it may be a sentence
			if seenLogin && sure && len(value) >= minPassword && !isPlaceholder(value) && !isMessageWord(value) {
				sc.add(netrcPassword, named, start, stop)
			}
			return
		default:
			return
		}
	}
}

// words iterates over what is separated by blanks, and by the \n of a JSON string.
type words struct {
	s       string
	i, stop int
}

func (w *words) next() (word string, start, end int) {
	for w.i < w.stop && (isSpace(w.s[w.i]) || w.atEscape()) {
		if w.atEscape() {
			w.i++
		}
		w.i++
	}
	start = w.i
	for w.i < w.stop && !isSpace(w.s[w.i]) && !w.atEscape() && !isQuote(w.s[w.i]) && w.s[w.i] != '\x1b' {
		w.i++
	}
	if w.i == w.stop { // followed to its end: a secret is not cut by our own bound
		for w.i < len(w.s) && isToken(w.s[w.i]) {
			w.i++
		}
	}
	return w.s[start:w.i], start, w.i
}

func (w *words) atEscape() bool {
	return w.s[w.i] == '\\' && w.i+1 < w.stop && strings.IndexByte("nrt", w.s[w.i+1]) >= 0
}

// detectCurl finds the password of `curl -u user:password` in a command that was printed.
func detectCurl(sc *scan, at, end int) {
	s := sc.s
	if !startsWord(s, at) || end >= len(s) || s[end] != ' ' {
		return
	}
	line := s[end:min(len(s), end+maxEntry)]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	for _, flag := range [...]string{" -u ", " --user ", " --user=", " -U ", " --proxy-user "} {
		i := strings.Index(line, flag)
		if i < 0 {
			continue
		}
		start, stop, _ := valueAt(s, end+i+len(flag))
		colon := strings.IndexByte(s[start:stop], ':')
		if password := s[start+colon+1 : stop]; colon > 0 && len(password) >= 3 && !isPlaceholder(password) {
			sc.add(curlUser, named, start+colon+1, stop)
		}
	}
}

const (
	awsKeyID     = 20
	awsKeySecret = 40
	awsKeyNear   = 120 // from the id to its secret, in a CSV line, a profile or a JSON object
)

// detectAWSSecret finds the forty base64 digits of an AWS secret access key, behind its name or near its access key id.
func detectAWSSecret(sc *scan, at, end int) {
	s := sc.s
	from := end
	stop := min(len(s), end+awsKeyNear)
	if lower(s[at]) == 'a' {
		if !startsWord(s, at) || at+awsKeyID > len(s) || strings.Trim(s[at:at+awsKeyID], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
			return
		}
		from = at + awsKeyID
		stop = min(len(s), from+awsKeyNear)
	} else if _, ok := assignment(s, end); !ok {
		return
	}
	for i := from; i < stop; i++ {
		if k := colour(s, i); k > 0 {
			i += k - 1
			continue
		}
		if !isBase64Digit(s[i]) {
			continue
		}
		j := i
		for j < len(s) && j-i <= awsKeySecret && isBase64Digit(s[j]) {
			j++
		}
		if v := s[i:j]; j-i == awsKeySecret && mixed(v) && entropy(v) > 4 {
			sc.add(awsSecret, named, i, j)
			return
		}
		i = j
	}
}

func isBase64Digit(c byte) bool { return isAlnum(c) || c == '+' || c == '/' }
