package redact

import (
	b64 "encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
)

const (
	netrcPassword = "netrc-password"
	awsSecret     = "aws-secret-access-key"
	telegramToken = "telegram-bot-token"
)

// detectNetrc finds the password in `machine HOST login NAME password SECRET`, on one line or several, and in
// `login NAME password SECRET`.
func detectNetrc(sc *scan, at, end int) {
	if !sc.startsWord(at) {
		return
	}
	w := words{s: sc.s, i: end, stop: min(len(sc.s), at+maxEntry)}
	if lower(sc.s[at]) == 'm' && (end >= len(sc.s) || !isSpace(sc.s[end])) {
		return
	}
	host, _, _ := w.next() // the host, or the login's name
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

// words iterates over words separated by blanks or by the \n of a JSON string.
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
	if w.i == w.stop { // the word is followed to its end: our own bound must not cut a secret
		for w.i < len(w.s) && isToken(w.s[w.i]) {
			w.i++
		}
	}
	return w.s[start:w.i], start, w.i
}

func (w *words) atEscape() bool {
	return w.s[w.i] == '\\' && w.i+1 < w.stop && strings.IndexByte("nrt", w.s[w.i+1]) >= 0
}

const (
	awsKeyID     = 20
	awsKeySecret = 40
	awsKeyNear   = 120 // from the id to its secret, in a CSV line, a profile or a JSON object
)

// detectAWSSecret finds the forty base64 digits of an AWS secret access key, after its name or near its access key id.
func detectAWSSecret(sc *scan, at, end int) {
	s := sc.s
	from := end
	stop := min(len(s), end+awsKeyNear)
	if lower(s[at]) == 'a' {
		if !sc.startsWord(at) && s[at-1] != '_' || at+awsKeyID > len(s) || strings.Trim(s[at:at+awsKeyID], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
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

// detectTelegram finds a bot's token, 123456789:AA…, by the two letters after the bot's number.
func detectTelegram(sc *scan, at, _ int) {
	const least, most, length = 8, 12, 36 // digits of the number; bytes from the colon on
	s := sc.s
	start := at
	for start > 0 && at-start <= most && isDigit(s[start-1]) {
		start--
	}
	if n := at - start; n < least || n > most || at+length > len(s) || s[at+1:at+3] != "AA" {
		return
	}
	if !sc.startsWord(start) && !strings.HasSuffix(s[:start], "bot") && s[start-1] != '_' {
		return
	}
	stop := at + length
	outside := strings.IndexFunc(s[at+1:stop], func(r rune) bool { return r > 127 || !isWord(byte(r)) && r != '-' })
	if outside < 0 && (stop == len(s) || !isAlnum(s[stop])) && entropy(s[at+1:stop]) > genericEntropy {
		sc.add(telegramToken, specific, start, stop)
	}
}

// known are values that are secrets because of their variables' names.
var known atomic.Pointer[[]string]

// minKnown is the length in bytes below which a variable's value does not count as a secret: "1" and "none" occur in
// any text.
const minKnown = 8

// keyNames are the ends of the names of variables with keys, among them those of model providers, which agents leave in
// the environment of every command.
var keyNames = []string{"_API_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_SECRET_KEY", "_ACCESS_KEY", "_PASSWORD", "_BEARER_TOKEN_BEDROCK"}

// Know makes the values of such variables secrets from now on, in this process: as they are, in base64, in hex and as
// part of a URL. Rules find keys by their form; a value that looks like words is found only by this.
func Know(environ []string) {
	var values []string
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || len(value) < minKnown || !slices.ContainsFunc(keyNames, func(end string) bool { return strings.HasSuffix(strings.ToUpper(name), end) }) {
			continue
		}
		for _, form := range []string{value, b64.StdEncoding.EncodeToString([]byte(value)), b64.URLEncoding.EncodeToString([]byte(value)),
			hex.EncodeToString([]byte(value)), url.QueryEscape(value)} {
			if !slices.Contains(values, form) {
				values = append(values, form)
			}
		}
	}
	// A longer value may contain a shorter one.
	slices.SortStableFunc(values, func(a, b string) int { return len(b) - len(a) })
	known.Store(&values)
}

// withoutKnown replaces the values of known in s.
func (r *Redactor) withoutKnown(s string) string {
	values := known.Load()
	if values == nil {
		return s
	}
	for _, v := range *values {
		if n := strings.Count(s, v); n > 0 {
			for range n - 1 {
				r.placeholder("environment") // each occurrence counts
			}
			s = strings.ReplaceAll(s, v, r.placeholder("environment"))
		}
	}
	return s
}
