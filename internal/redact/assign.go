package redact

import "strings"

// gitleaks' limits between a name and its value.
const (
	maxNameRest = 20 // the rest of the name: DISCORD_bot_token
	maxBefore   = 4  // quotes, brackets and blanks before the operator
	maxAfter    = 6  // and after it
	maxName     = 50 // of a name before its keyword
	maxColumn   = 32 // blanks that put the operators of several lines below one another
)

// assignment finds the value assigned to the name whose keyword ends at s[i]: `rest of name`, quotes, an operator, quotes.
// It is the middle of gitleaks' rules, and also sees through backslashes (JSON in JSON) and colours.
func assignment(s string, i int) (value int, ok bool) {
	for n := 0; n < maxNameRest && i < len(s) && isNameByte(s[i]); n++ {
		i++
	}
	i = skipAround(s, i, maxBefore, " \t\r\n'\"\\])")
	i, ok = operator(s, i)
	if !ok {
		return 0, false
	}
	return skipAround(s, i, maxAfter, " \t\r\n'\"`=\\"), true
}

func isNameByte(c byte) bool { return isWord(c) || c == ' ' || c == '\t' || c == '.' || c == '-' }

// skipAround passes over at most n of the bytes, and over colours.
func skipAround(s string, i, n int, bytes string) int {
	for i < len(s) {
		if k := colour(s, i); k > 0 {
			i += k
		} else if n > 0 && strings.IndexByte(bytes, s[i]) >= 0 {
			i++
		} else {
			break
		}
		n--
		if n < -maxColours {
			break
		}
	}
	return i
}

// maxColours is how many escape sequences more than the limit are passed over.
const maxColours = 4

// operator passes over one of gitleaks' assignment operators.
func operator(s string, i int) (int, bool) {
	if i >= len(s) {
		return i, false
	}
	rest := s[i:]
	switch rest[0] {
	case '=', '>', ',':
		i++
	case ':':
		for n := 0; n < 3 && i < len(s) && s[i] == ':'; n++ {
			i++
		}
	case '|', '?':
		if !strings.HasPrefix(rest, "||") && !strings.HasPrefix(rest, "?=") {
			return i, false
		}
		i += 2
	default:
		return i, false
	}
	if i < len(s) && s[i] == '>' && rest[0] == '=' {
		i++
	}
	return i, true
}

// nameStart returns where the name around s[at] begins.
func nameStart(s string, at int) int {
	i := at
	for i > 0 && at-i < maxName && (isWord(s[i-1]) || s[i-1] == '.' || s[i-1] == '-') {
		i--
	}
	return i
}

// credentialWords are parts of names that speak of a credential.
var credentialWords = [...]string{"key", "token", "secret", "auth", "passw", "pwd", "cred", "api", "dsn", "login"}

func namesCredential(name string) bool {
	for _, w := range credentialWords {
		if containsFold(name, w) {
			return true
		}
	}
	return false
}

// An assigned value and how it was written.
type assignedValue struct {
	start, end int
	quoted     bool
	op         byte // '=', ':', '>' of <name>, ' ' of --name value
	compared   bool // ==, !=
	spaced     bool // a blank after the operator
	suffix     string
}

func (v assignedValue) text(s string) string { return s[v.start:v.end] }

// strictAssignment is assignment for a name that is itself the evidence, so that what stands between it and the value must be
// exact: `password`, `password: `, `"password": "`, `password' => '`, `<password>`, `--password `.
func strictAssignment(s string, at, end int) (v assignedValue, ok bool) {
	i := end
	for i < len(s) && i-end < maxNameRest && (isWord(s[i]) || s[i] == '-') {
		i++
	}
	v.suffix = s[end:i]
	if rest, ok := strings.CutPrefix(s[i:], `\u003e`); ok && strings.HasPrefix(s[nameStart(s, at):], "u003c") {
		v.op, v.start = '>', len(s)-len(rest) // <name>value in JSON that was made safe for HTML
		_, v.end, _ = valueAt(s, v.start)
		return v, v.start < v.end
	}
	i = skipAround(s, i, maxBefore, "'\"\\])")
	before := i
	i = skipAround(s, i, maxColumn, " \t")
	if i >= len(s) {
		return v, false
	}
	switch c := s[i]; {
	case c == '=' || c == ':':
		v.op = c
		for i++; i < len(s) && strings.IndexByte("=:>", s[i]) >= 0; i++ {
			v.compared = v.compared || c == '=' && s[i] == '='
		}
	case c == '!' && strings.HasPrefix(s[i:], "!="):
		v.op, v.compared = '=', true
		for i++; i < len(s) && s[i] == '='; i++ {
		}
	case c == '>' && nameStart(s, at) > 0 && s[nameStart(s, at)-1] == '<':
		v.op = '>'
		i++
	case i > before && strings.HasPrefix(s[nameStart(s, at):], "--"):
		v.op = ' '
	default:
		return v, false
	}
	v.spaced = i < len(s) && isSpace(s[i])
	i = skipAround(s, i, 3, " \t")
	v.start, v.end, v.quoted = valueAt(s, i)
	if v.op == '>' && (v.end >= len(s) || s[v.end] != '<') {
		return v, false // <password> in a sentence, not an element
	}
	return v, v.start < v.end
}

// Bounds of a value in bytes: how much of it is judged, and how long it may be in
// quotes. What goes on without a blank or a quote is part of it in any case: see whole.
const (
	maxValue  = 256
	maxQuoted = 4 << 10
)

// valueAt returns the value that begins at s[i], without its quotes.
func valueAt(s string, i int) (start, end int, quoted bool) {
	i = skipAround(s, i, 0, "")
	open := i
	for open < len(s) && s[open] == '\\' && open-i < 8 {
		open++
	}
	if open < len(s) && isQuote(s[open]) && open-i < 8 {
		return quotedValue(s, open+1, s[open], open > i)
	}
	end = i
	for end < len(s) && end-i < maxValue && !endsBareValue(s[end]) {
		end++
	}
	return i, end, false
}

// quotedValue ends at the closing quote, at the end of the line, or where the text ends. Escaped says that the quotes are.
// What has no blank in its first maxValue bytes is no phrase: it ends at a blank, too.
func quotedValue(s string, start int, quote byte, escaped bool) (int, int, bool) {
	start += colour(s, start)
	phrase := strings.ContainsAny(s[start:min(len(s), start+maxValue)], " \t")
	for i := start; i < len(s) && i-start < maxQuoted; i++ {
		switch c := s[i]; {
		case c == '\n' || c == '\r' || c == '\x1b' || !phrase && c == ' ':
			return start, i, true
		case c == quote:
			return start, i, true
		case c == '\\' && (escaped || colour(s, i) > 0):
			return start, i, true
		case c == '\\' && i+1 < len(s):
			i++
		}
	}
	return start, min(len(s), start+maxQuoted), true
}

func endsBareValue(c byte) bool {
	return c <= ' ' || c == 0x7f || strings.IndexByte("'\"`,;&<>|)]}\\", c) >= 0
}
