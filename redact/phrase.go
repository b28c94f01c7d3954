package redact

import "strings"

const (
	toldPassword = "told-password"
	pipedSecret  = "piped-secret"
	sqlPassword  = "sql-password"
	basicAuth    = "basic-auth-pair"

	// stackArgument is the password in the arguments that PHP prints with a stack trace.
	stackArgument = "stack-argument"
)

// maxPhrase bounds the text between the word password and the value in a sentence, in bytes.
const maxPhrase = 80

// detectPhrase finds a password in a sentence: `password is X`, `using password 'X'`, `Password for bob (temporary):
// X`, and a value alone on the next line. Only a value that is no word counts.
func detectPhrase(sc *scan, at, end int) {
	s := sc.s
	if end >= len(s) || isWord(s[end]) || isQuote(s[end]) || !sc.startsWord(at) {
		return
	}
	i := skipAround(s, end, maxColumn, " \t")
	if i >= len(s) {
		return
	}
	if open := skipAround(s, i, 1, "("); open < len(s) && i > end-1 {
		if q := unwrapped(s, open); q < len(s) && (isQuote(s[q]) || strings.HasPrefix(s[q:], `\"`)) {
			sc.quotedPhrase(at, end, q)
			return
		}
	}
	if i == end {
		return
	}
	line, next, _ := strings.Cut(s[i:min(len(s), i+maxPhrase+maxValue)], "\n")
	line = strings.TrimRight(line, "\r")
	if rest, ok := strings.CutPrefix(line, "is "); ok {
		rest = strings.TrimLeft(strings.TrimPrefix(rest, ": "), " ")
		if sc.strongWord(i+len(line)-len(rest), minSecret) {
			return
		}
	}
	given := strings.Trim(strings.SplitN(line, " ", 2)[0], "[]")
	if word := wordBefore(s, at); word == "with" || word == "using" || len(given) >= 2*minSecret-4 && isRandom(given, false) && isLower(s[at:end]) {
		sc.strongWord(i, minSecret)
		return
	}
	colon := strings.LastIndex(line, ":")
	if colon < 0 || colon > maxPhrase || saysNoPassword(line[:colon]) {
		return
	}
	if tail := strings.TrimSpace(line[colon+1:]); tail != "" {
		start := i + colon + 1 + strings.Index(line[colon+1:], tail)
		if !strings.ContainsAny(tail, " \t") && start > i+colon+1 {
			sc.strongWord(start, minSecret)
		}
		return
	}
	alone := strings.TrimLeft(next, " \t\r\n")
	sc.strongWord(i+len(line)+strings.Index(s[i+len(line):], alone[:min(1, len(alone))]), 2*minSecret-4)
}

// quotedPhrase judges `password 'X'` and `PASSWORD('X')`; s[q] is the quote. Capitals mean SQL, where a word may be a
// password.
func (sc *scan) quotedPhrase(at, end, q int) {
	start, stop, quoted := valueAt(sc.s, q)
	v := sc.s[start:stop]
	if !quoted || len(v) < minPassword || strings.ContainsAny(v, " \t") || isFiller(v) || isMessageWord(v) || looksLikePath(v) {
		return
	}
	sql := isUpper(sc.s[at:end]) && sc.s[q] == '\''
	if sql || (hasLetterAndDigit(v) || hasSymbol(v)) && !looksLikeText(v) || isRandomLetters(v) {
		sc.add(toldPassword, vague, start, stop)
	}
}

// strongWord reports the word at s[i] if it cannot be a word of a sentence: letters and digits in no order.
func (sc *scan) strongWord(i, least int) bool {
	s := sc.s
	if i >= len(s) {
		return false
	}
	start := i
	if isQuote(s[i]) || s[i] == '[' {
		start++
	}
	stop := start
	for stop < len(s) && stop-start < maxValue && !isSpace(s[stop]) && !isQuote(s[stop]) && s[stop] != '<' && s[stop] != '\\' && s[stop] != '\x1b' {
		stop++
	}
	v := strings.TrimRight(s[start:stop], ".,;:!?)]")
	if len(v) < least || !hasLetterAndDigit(v) || looksLikeText(v) || looksLikePath(v) || isFiller(v) || strings.ContainsAny(v, "(){}[]|=:/,") || entropy(v) < secretEntropy {
		return false
	}
	sc.add(toldPassword, vague, start, start+len(v))
	return true
}

// detectPass finds the value of a name that is just pass or psk, or ends so in capitals (SSHPASS). Tests pass too, so
// the value must be neither a number nor a word.
func detectPass(sc *scan, at, end int) {
	capitals := isUpper(sc.s[nameStart(sc.s, at):end]) && end < len(sc.s) && sc.s[end] == '='
	if !capitals && !sc.startsWord(at) || end < len(sc.s) && isWord(sc.s[end]) {
		return
	}
	v, ok := strictAssignment(sc.s, at, end)
	text := v.text(sc.s)
	if !ok || v.suffix != "" || v.byPosition() || len(text) <= minPassword || strings.ContainsAny(text, " \t()[]{}<>") {
		return
	}
	if isFiller(text) || looksLikePath(text) || looksLikeText(text) {
		return
	}
	user := containsFold(sc.s[max(0, at-maxPhrase):at], "user")
	if (v.quoted || user || capitals) && (hasLetterAndDigit(text) || hasSymbol(text)) && !isCode(sc.s, v, text) {
		sc.add(assignedPassword, vague, v.start, v.end)
	}
}

// wordBefore is the word before s[i], in lower case.
func wordBefore(s string, i int) string {
	before := strings.TrimRight(s[max(0, i-maxColumn):i], " ")
	return strings.ToLower(before[strings.LastIndexAny(before, " \t\n(\"'")+1:])
}

// notPasswordWords show that a sentence with "password" is about something else.
var notPasswordWords = [...]string{"fail", "invalid", "error", "hash", "file", "path", "length", "expected", "wrong", "incorrect", "mismatch", "policy", "version", "test"}

func saysNoPassword(text string) bool {
	if containsAnyFold(text, notPasswordWords[:]) {
		return true
	}
	for _, w := range [...]string{"user", "username", "account", "host", "id"} {
		if strings.HasSuffix(strings.ToLower(text), " "+w) {
			return true
		}
	}
	return false
}

// detectSQL finds the password of `CREATE USER … IDENTIFIED BY 'X'`.
func detectSQL(sc *scan, at, end int) {
	w := words{s: sc.s, i: end, stop: min(len(sc.s), end+maxPhrase)}
	for range 3 {
		word, _, stop := w.next()
		if strings.EqualFold(word, "by") {
			i := skipAround(sc.s, stop, maxColumn, " \t")
			if rest := sc.s[i:]; hasPrefixFold(rest, "password ") || hasPrefixFold(rest, "values ") {
				i += strings.IndexByte(rest, ' ') + 1
			}
			if start, stop, quoted := valueAt(sc.s, i); quoted && (isUpper(sc.s[at:end]) || definesUser(sc.s, at)) {
				if v := sc.s[start:stop]; len(v) >= minPassword && !isFiller(v) && !isMessageWord(v) {
					sc.add(sqlPassword, named, start, stop)
				}
			}
			return
		}
		if !strings.EqualFold(word, "with") && word != "" && !isIdentifier(word) {
			return
		}
	}
}

// definesUser says whether the line of s[i], or the one before it, is a statement about a user.
func definesUser(s string, i int) bool {
	before := s[max(0, i-maxValue):i]
	before = before[strings.LastIndexByte(before[:max(0, strings.LastIndexByte(before, '\n'))], '\n')+1:]
	return containsFold(before, "user") || containsFold(before, "role") || containsFold(before, "grant")
}

// detectPiped finds text that is piped into a program that reads a password: echo X | docker login --password-stdin.
func detectPiped(sc *scan, at, _ int) {
	s := sc.s
	from := max(0, at-maxEntry)
	line := s[from:at]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		line, from = line[i+1:], from+i+1
	}
	pipe := strings.LastIndexByte(line, '|')
	if pipe < 0 || strings.ContainsAny(line[pipe:], ";&") {
		return
	}
	i := max(strings.LastIndex(line[:pipe], "echo "), strings.LastIndex(line[:pipe], "printf "))
	if i < 0 {
		return
	}
	i += strings.IndexByte(line[i:], ' ') + 1
	for i < pipe {
		if line[i] == ' ' {
			i++
			continue
		}
		start, end, next := shellWord(line[:pipe], i)
		v := line[start:end]
		i = next
		if strings.HasPrefix(v, "-") || strings.HasPrefix(v, "%") {
			continue
		}
		if user, _, ok := strings.Cut(v, ":"); ok && hasPrefixFold(s[at:], "chpasswd") {
			start += len(user) + 1
		}
		if v := line[start:end]; len(v) >= minPassword && !isFiller(v) && !isMessageWord(v) {
			sc.add(pipedSecret, named, from+start, from+end)
		}
		return
	}
}
