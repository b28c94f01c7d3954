package redact

import (
	"slices"
	"strings"
	"sync"
)

// Limits of gitleaks between a name and its value, in bytes.
const (
	maxNameRest = 20 // the rest of the name: DISCORD_bot_token
	maxBefore   = 4  // quotes, brackets and blanks before the operator
	maxAfter    = 6  // the same after the operator
	maxName     = 50 // bytes of a name before its keyword
	maxColumn   = 32 // blanks that align the operators of several lines
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

// skipAround skips at most n bytes of the set, and any colours.
func skipAround(s string, i, n int, bytes string) int {
	for i < len(s) && !isAlnum(s[i]) { // none of the bytes is a letter or digit
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

// maxColours is how many escape sequences are skipped beyond the limit.
const maxColours = 4

// operator skips one of gitleaks' assignment operators; ok is false if there is no operator.
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

// credentialWords are the parts of names that suggest a credential.
var credentialWords = [...]string{"key", "token", "secret", "auth", "passw", "pwd", "cred", "api", "dsn", "login"}

func namesCredential(name string) bool { return containsAnyFold(name, credentialWords[:]) }

// An assignedValue is a value, and how it was assigned.
type assignedValue struct {
	start, end int
	quoted     bool
	op         byte // '=', ':', '>' of <name>, ' ' of --name value, ',' of a list, '|' of a table
	compared   bool // ==, !=
	spaced     bool // a blank after the operator
	suffix     string
}

func (v assignedValue) text(s string) string { return s[v.start:v.end] }

// strictAssignment is assignment for a name that is the only evidence, so the text between name and value must be
// exact: `password`, `password: `, `"password": "`, `password' => '`, `<password>`, `--password `.
func strictAssignment(s string, at, end int) (v assignedValue, ok bool) {
	i := end
	for i < len(s) && i-end < maxNameRest && (isWord(s[i]) || s[i] == '-') {
		i++
	}
	v.suffix = s[end:i]
	if rest, ok := strings.CutPrefix(s[i:], `\u003e`); ok && strings.HasPrefix(s[nameStart(s, at):], "u003c") {
		v.op, v.start = '>', len(s)-len(rest) // <name>value in JSON with HTML's brackets escaped
		_, v.end, _ = valueAt(s, v.start)
		return v, v.start < v.end
	}
	i = skipAround(s, i, maxBefore, "'\"\\])")
	before := i
	if j, ok := pairedValue(s, at, i); ok {
		v.op, v.spaced = ':', true
		v.start, v.end, v.quoted = valueAt(s, j)
		return v, v.start < v.end
	}
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
	case c == '.' && strings.HasPrefix(s[i:], "...."):
		v.op = ':'
		i += len(s[i:]) - len(strings.TrimLeft(s[i:], "."))
	case c == '>' && (opensElement(s, nameStart(s, at)) || isQuote(s[before-1])):
		v.op = '>'
		i++
	case i > before && opensElement(s, nameStart(s, at)) && attributes(s, i) > 0: // <Password Type="x">
		v.op = '>'
		i += attributes(s, i)
	case c == '-' && i > before && strings.HasPrefix(s[i:], "-> "):
		v.op = ':'
		i += 2
	case c == '|' && i > before && (beginsCell(s, nameStart(s, at)) || aloneInColumns(s, nameStart(s, at), before, skipAround(s, i+1, maxColumn, " "))), c == ',' && (isQuote(s[before-1]) || nameStart(s, at) > 0 && s[nameStart(s, at)-1] == '{'):
		v.op = c
		i++
	case i > before && strings.HasPrefix(s[nameStart(s, at):], "--"):
		v.op = ' '
	case i > before && aloneInColumns(s, nameStart(s, at), before, i):
		v.op = '|'
	default:
		return v, false
	}
	v.spaced = i < len(s) && isSpace(s[i])
	i = unwrapped(s, blockScalar(s, skipAround(s, i, maxColumn, " \t"), v.op))
	if strings.HasPrefix(s[i:], "{") && (v.op == '>' || v.op == '=' && hasPrefixFold(s[at:], "pwd")) {
		i++ // Maven encrypted it, ODBC quotes so
	}
	v.start, v.end, v.quoted = valueAt(s, i)
	if v.op == '>' && !strings.HasPrefix(strings.TrimPrefix(s[v.end:], "}"), "<") {
		return v, false // <password> in a sentence, not an element
	}
	if v.op == ',' && !v.quoted || v.byPosition() && !isWholeName(s, at) {
		return v, false
	}
	return v, v.start < v.end
}

// blockScalar skips the mark by which YAML, or HCL, puts a value on the lines below: >-, |, <<EOT.
func blockScalar(s string, i int, op byte) int {
	if n := strings.IndexByte(s[i:min(len(s), i+maxColumn)], '\n'); op == '=' && n > 0 && strings.HasPrefix(s[i:], "<<") {
		return skipAround(s, i+n, maxColumn, " \n")
	}
	if op != ':' || i >= len(s) || s[i] != '>' && s[i] != '|' {
		return i
	}
	j := i + 1
	for j < len(s) && j-i < 3 && (s[j] == '-' || s[j] == '+' || isDigit(s[j])) {
		j++
	}
	if j < len(s) && s[j] == '\n' {
		return skipAround(s, j, maxColumn, " \n")
	}
	return i
}

// opensElement says whether a name that begins at s[i] is an XML element's, with or without a prefix.
func opensElement(s string, i int) bool {
	if i > 0 && s[i-1] == ':' {
		i = nameStart(s, i-1)
	}
	return i > 0 && s[i-1] == '<'
}

// attributes is the length of an element's attributes at s[i], with the closing bracket, or 0.
func attributes(s string, i int) int {
	rest := s[i:min(len(s), i+maxValue)]
	n := strings.IndexAny(rest, "<>\n")
	if n < 1 || rest[n] != '>' || rest[n-1] == '/' || strings.IndexByte(rest[:n], '=') < 0 {
		return 0
	}
	return n + 1
}

// isWholeName says whether the word at s[at] is a name or a name's last word: db_password, dbPassword; not tiktoken,
// go/token.
func isWholeName(s string, at int) bool {
	if start := nameStart(s, at); start > 0 && s[start-1] == '/' {
		return false
	}
	return at == 0 || s[at] == '_' || !isAlnum(s[at-1]) || isUpper(s[at:at+1]) && !isUpper(s[at-1:at])
}

// byPosition says whether the value was assigned only by its position in a list or a table.
func (v assignedValue) byPosition() bool { return v.op == ',' || v.op == '|' }

// beginsCell says whether a name that begins at s[i] is in the first cell of a row of a table: | name | value |.
func beginsCell(s string, i int) bool {
	before := strings.TrimRight(s[max(0, i-maxColumn):i], " ")
	before, ok := strings.CutSuffix(before, "|")
	before = strings.TrimRight(before, " ")
	return ok && (before == "" || before[len(before)-1] == '\n')
}

// aloneInColumns says whether the line has just two words, the name s[name:end] and the value at s[value]: a table
// without rules or, with one blank between them, one of directives. A name in capitals is a type's field, unless it is a variable's.
func aloneInColumns(s string, name, end, value int) bool {
	if !isLower(s[name:end]) && !(isUpper(s[name:end]) && strings.IndexByte(s[name:end], '_') > 0) || value < end+2 && strings.IndexByte(s[name:end], '.') < 0 && !slices.Contains(directives[:], s[name:end]) {
		return false
	}
	before := strings.TrimRight(s[max(0, name-maxColumn):name], " \t")
	if before != "" && before[len(before)-1] != '\n' {
		return false
	}
	line, _, _ := strings.Cut(s[value:min(len(s), value+maxValue)], "\n")
	return !strings.ContainsAny(strings.TrimRight(line, " \t\r"), " \t")
}

// directives are settings of servers that are written without an operator.
var directives = [...]string{"requirepass", "masterauth", "rootpw", "bindpw"}

// maxPair bounds the text between the name of a pair and its value, which pairTail matches: {"name":"DB_PASSWORD","value":"…"},
// "db_password": {"sensitive": true, "type": "string", "value": "…"}, env[0].name=DB_PASSWORD,env[0].value=….
const maxPair = 80

var pairTail lazy

// pairNames are the names of values in pairTail: most texts have none of them.
var pairNames = sync.OnceValue(func() *matcher { return newMatcher([]string{"value", "default", "result"}) })

func pairTailText() string {
	return `(?i)^(?:[ \t\r\n,:{'"]|\\[n"])*(?:["\\]{0,2}[a-z_]+["\\]{0,2}: ?["\\]{0,2}[a-z]+["\\]{0,2},\s*){0,3}["'\\]{0,2}(?:[\w.-]+\[\d+\]\.)?(?:parametervalue|value|default|result)["'\\ \t]{0,4}[:=]`
}

// pairedValue returns where the value of such a pair begins. The pair's name, at s[at], ends with its quotes at s[i].
// The name must be quoted or end its line or its part of a list.
func pairedValue(s string, at, i int) (int, bool) {
	if i >= len(s) || !isQuote(s[i-1]) && strings.IndexByte("\n\r,", s[i]) < 0 && !strings.HasPrefix(s[i:], `\n`) || nameStart(s, at) == 0 {
		return 0, false
	}
	tail := s[i:min(len(s), i+maxPair)]
	if !pairNames().contains(tail) {
		return 0, false
	}
	m := pairTail.get(pairTailText).FindStringIndex(tail)
	if m == nil {
		return 0, false
	}
	return unwrapped(s, skipAround(s, i+m[1], maxAfter, " \t")), true
}

// wrappers precede a value that is printed with its type, in Rust, Swift, Haskell, Python and Lua.
var wrappers = [...]string{"Some(", "Ok(", "Optional(", "Just ", "SecretStr(", "Secret(", "[["}

// unwrapped returns where the value at s[i] begins inside of a wrapper: Some("…"), string(6) "…", N'…', b'…'.
func unwrapped(s string, i int) int {
	j := i
	for range 2 {
		j = skipAround(s, j, maxColumn, " \t\r\n")
		from := j
		for _, w := range wrappers {
			if rest, ok := strings.CutPrefix(s[j:], w); ok {
				j = len(s) - len(rest)
				break
			}
		}
		j += max(sizedString(s[j:], "string("), sizedString(s[j:], "(string) (len="))
		if j+1 < len(s) && strings.IndexByte("NnbBuUrRfF", s[j]) >= 0 && isQuote(s[j+1]) {
			j++
		}
		if j == from {
			break
		}
		i = skipAround(s, j, maxColumn, " \t\r\n")
		j = i
	}
	return i
}

// sizedString is the length of a prefix that gives a text's size: PHP's string(6) and a blank, or (string) (len=14) and
// a blank as github.com/davecgh/go-spew prints it. It is 0 without such a prefix.
func sizedString(s, start string) int {
	rest, ok := strings.CutPrefix(s, start)
	if !ok {
		return 0
	}
	if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, "0123456789"), ") "); !ok {
		return 0
	}
	return len(s) - len(rest)
}

// Bounds of a value in bytes: how much of it is judged, and how long a quoted value may be. Further bytes up to a blank
// or a quote belong to the value in any case: see whole.
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

// quotedValue ends at the closing quote, at the end of the line, or at the end of the text. escaped says whether the
// quotes are. A value without a blank in its first maxValue bytes is no phrase: it also ends at a blank.
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

// endsBareValue reports whether a value without quotes ends at c. The bytes 0xfe and 0xff occur in no UTF-8.
func endsBareValue(c byte) bool {
	return c <= ' ' || c == 0x7f || c >= 0xfe || strings.IndexByte("'\"`,;&<>|)]}\\", c) >= 0
}
