package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	assignedPassword = "assigned-password"
	assignedSecret   = "assigned-secret"
)

// passwordNames end a name whose value is a password, secretNames a name whose value is a random credential.
var (
	passwordNames = [...]string{"password", "passwd", "passphrase", "pwd", "_pass", "_pw", "bindpw", "rootpw", "requirepass", "masterauth", "authtok"}
	secretNames   = [...]string{"secret", "token", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey",
		"private_key", "private-key", "privatekey", "account_key", "accountkey", "signing_key", "encryption_key", "master_key", "master-key", "auth_key",
		"credential", "_seed", "mnemonic"}
)

// nameEndings may follow a password's or secret's name without changing its meaning: SECRET_KEY, password2, TOKEN_PROD.
var nameEndings = [...]string{"", "s", "key", "base", "keybase", "key_base", "value", "prod", "production", "dev", "test", "staging", "live", "base64", "b64", "text", "plain", "hex"}

func leavesName(suffix string) bool {
	suffix = strings.TrimRight(strings.TrimLeft(suffix, "_-"), "0123456789")
	suffix = strings.TrimRight(suffix, "_-")
	return slices.ContainsFunc(nameEndings[:], func(e string) bool { return strings.EqualFold(suffix, e) })
}

// detectPassword finds password=value. A password can be short and simple, so the form decides: a call, an attribute, a
// type or a word of prose after the name is code or a message.
func detectPassword(sc *scan, at, end int) {
	if sc.column(at, end) {
		return
	}
	v, ok := strictAssignment(sc.s, at, end)
	if !ok || !leavesName(v.suffix) {
		return
	}
	text := v.text(sc.s)
	if sc.s[at] == '_' && v.op != '=' && (strings.EqualFold(sc.s[at:end], "_pw") || !(hasLetterAndDigit(text) && !looksLikeText(text))) {
		return // "_pass: 3" counts passed tests
	}
	if isPassword(sc, at, end, v, text) {
		sc.add(assignedPassword, vague, v.start, v.end)
	}
}

// The least length, in bytes, of a value that counts as a password or a secret.
const (
	minPassword = 5
	minSecret   = 8
)

func isPassword(sc *scan, at, end int, v assignedValue, text string) bool {
	if len(text) < minPassword || isFiller(text) || isCode(sc.s, v, text) {
		return false
	}
	if strings.ContainsAny(text, " \t") {
		return v.quoted && !v.byPosition() && isPassphrase(text)
	}
	if v.byPosition() && (looksLikeText(text) || !hasLetterAndDigit(text) && !hasSymbol(text)) {
		return v.op == '|' && isRandomLetters(text)
	}
	if hasLetterAndDigit(text) || hasSymbol(text) {
		return !containsFold(text, "password_") && !containsFold(text, "_password")
	}
	if strings.Trim(text, "0123456789") == "" {
		return v.op == '=' && !v.spaced || v.quoted
	}
	return isWordSecret(sc.s, at, end, v, text)
}

// isWordSecret decides about a value of letters only after a name that means a secret: the value may be a word, and
// code and messages have words in that place.
func isWordSecret(s string, at, end int, v assignedValue, text string) bool {
	switch {
	case v.op == ' ' || isMessageWord(text):
		return false
	case v.byPosition():
		return v.op == '|' && isRandomLetters(text)
	case v.quoted:
		return true
	case isRandomLetters(text) && !v.compared:
		return true
	}
	if v.op != '=' || v.spaced || v.compared {
		return false
	}
	if isUpper(s[at:end]) {
		return true // NAME= of an environment
	}
	// password=swordfish: a keyword argument is inside of a call, a usage line has capitals or underscores.
	return isLower(text) && (v.end >= len(s) || strings.IndexByte("),.[(:|", s[v.end]) < 0) && !inCall(s, nameStart(s, at))
}

// inCall says whether a name that begins at s[i] follows an opening bracket or a comma: f(password=x).
func inCall(s string, i int) bool {
	before := strings.TrimRight(s[max(0, i-maxBefore):i], " \t")
	return before != "" && strings.IndexByte("(,", before[len(before)-1]) >= 0
}

// detectSecret finds secret=value, token: "value". A generated credential has letters, digits and some length; a word
// counts only after a name that can mean nothing else.
func detectSecret(sc *scan, at, end int) {
	if sc.column(at, end) {
		return
	}
	v, ok := strictAssignment(sc.s, at, end)
	if !ok || !leavesName(v.suffix) {
		return
	}
	text := v.text(sc.s)
	if i := strings.IndexAny(text, "(){}<>["); i > 0 && (!isAttribute(text[:i]) || hashLike(text[:i])) {
		v.end, text = v.start+i, text[:i] // text after a bracket does not belong to the value; after an identifier, the bracket opens a call
	}
	if i := strings.IndexFunc(text, beyondASCII); i > 0 && !v.quoted {
		v.end, text = v.start+i, text[:i]
	}
	if isSecret(sc, at, end, v, text) {
		sc.add(assignedSecret, vague, v.start, v.end)
	}
}

func isSecret(sc *scan, at, end int, v assignedValue, text string) bool {
	if len(text) < minSecret || isFiller(text) || isCode(sc.s, v, text) || strings.ContainsAny(text, "(){}<>") {
		return false
	}
	if strings.ContainsAny(text, " \t") {
		return v.quoted && !v.byPosition() && saysSecret(sc.s, at, end) && isPassphrase(text)
	}
	if !v.quoted && strings.IndexByte(text, '*') >= 0 {
		return false // an expression
	}
	if onlyLetters(text) {
		return v.op != ',' && isRandomLetters(text) && !v.compared && v.op != ' ' || saysSecret(sc.s, at, end) && isWordSecret(sc.s, at, end, v, text)
	}
	ofEnvironment := v.op == '=' && !v.spaced && !v.compared && isUpper(sc.s[nameStart(sc.s, at):end]) // NAME=
	if ofEnvironment && hasLetterAndDigit(text) && saysSecret(sc.s, at, end) && !looksLikePath(text) && strings.IndexByte(text, '.') < 0 {
		return true
	}
	if !hasLetterAndDigit(text) || looksLikePath(text) || looksLikeText(text) || entropy(text) < secretEntropy {
		return false
	}
	return v.op != ':' || v.quoted || entropy(text) >= genericEntropy || hashLike(text) // "unexpected token: foo2bar"
}

// saysSecret says whether the name can only be a credential's: api_key, client_secret, auth_token. Parsers have tokens
// too, and clusters secrets, both of which have names.
func saysSecret(s string, at, end int) bool {
	if word := strings.ToLower(s[at:end]); word != "token" && word != "secret" && word != "credential" {
		return true
	}
	return nameStart(s, at) < at || isUpper(s[at:end])
}

// secretEntropy is below gitleaks' 3.5, which no value of eight bytes reaches: eight different bytes have 3 bits.
const secretEntropy = 2.5

// fillerHead is how many bytes of a value are searched for the marks of a filler.
const fillerHead = 32

// isFiller says whether the value only replaces a secret, such as <token> or ****.
func isFiller(v string) bool {
	if isAllowed(v) || strings.HasPrefix(v, "[") || strings.HasPrefix(v, "<") || strings.HasPrefix(v, "{") || strings.HasPrefix(v, "*") && (len(v) < 2*minSecret-4 || !hasLetterAndDigit(v)) {
		return true
	}
	if strings.HasPrefix(v, "$") && len(v) > 1 && (isWord(v[1]) || v[1] == '{' || v[1] == '(') {
		return true
	}
	if v[0] == '%' && (v[len(v)-1] == '%' || len(v) <= 3) {
		return true
	}
	head := v[:min(len(v), fillerHead)]
	return strings.Contains(head, "://") || containsFold(head, "redacted") || containsFold(head, "xxxx") || strings.Contains(head, "****") || strings.HasPrefix(v, "...")
}

// isCode says whether an unquoted value is an expression: a call, an attribute, an index, an identifier.
func isCode(s string, v assignedValue, text string) bool {
	if v.quoted {
		return looksLikePath(text) || strings.HasPrefix(text, "+") && !hasLetterAndDigit(text) // "PWD=" + dir
	}
	if open := strings.IndexAny(text, "([{"); open > 0 && isAttribute(text[:open]) {
		return true
	}
	if v.end < len(s) && s[v.end] == '(' && isAttribute(text) && !hashLike(text) {
		return true
	}
	if looksLikePath(text) || strings.IndexByte(text, '.') > 0 && isAttribute(text) {
		return true
	}
	return v.compared && isIdentifier(text)
}

// isAttribute recognizes identifiers: self.password, os.environ, user.tokens.
func isAttribute(v string) bool {
	begins := true
	for i := range len(v) {
		c := v[i]
		if !isWord(c) && c != '.' || begins && (isDigit(c) || c == '.') {
			return false
		}
		begins = c == '.'
	}
	return !begins
}

func isIdentifier(v string) bool {
	for i := range len(v) {
		if !isWord(v[i]) {
			return false
		}
	}
	return v != "" && !isDigit(v[0])
}

func isUpper(v string) bool { return strings.ToUpper(v) == v }
func isLower(v string) bool { return strings.ToLower(v) == v }

func onlyLetters(v string) bool {
	for i := range len(v) {
		if !isLetter(v[i]) {
			return false
		}
	}
	return v != ""
}

// isRandomLetters says whether v can be neither a word nor words in camel case: its case changes too often, or it has
// more consonants in a row than any word.
func isRandomLetters(v string) bool {
	if i := strings.IndexFunc(v, beyondASCII); i > 0 {
		v = v[:i]
	}
	if len(v) < minSecret || !onlyLetters(v) {
		return false
	}
	row, longest, changes := 0, 0, 0
	for i := range len(v) {
		if strings.IndexByte("aeiouy", lower(v[i])) >= 0 {
			row = 0
		} else if row++; row > longest {
			longest = row
		}
		if i > 0 && (v[i] == lower(v[i])) != (v[i-1] == lower(v[i-1])) {
			changes++
		}
	}
	return changes*3 >= len(v) || longest > 5 && !isUpper(v)
}

// beyondASCII holds for bytes that are no UTF-8, too.
func beyondASCII(r rune) bool { return r >= utf8.RuneSelf }

// isPassphrase says whether a quoted value with blanks is a secret, not a message: it has none of the words that every
// message has, and does not end like one.
func isPassphrase(v string) bool {
	words := strings.FieldsFunc(strings.ToLower(v), func(r rune) bool { return r == ' ' || r == '\t' })
	if len(words) < 2 || len(words) > 8 && (len(words)%3 > 0 || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz ") != "") || strings.HasSuffix(v, ":") || strings.HasSuffix(v, ".") || strings.HasSuffix(v, "…") {
		return false
	}
	for _, w := range words {
		w = strings.Trim(w, "'.,;:!?()")
		if w == "" || isMessageWord(w) || slices.Contains(sentenceWords[:], w) {
			return false
		}
	}
	return true
}

// sentenceWords are words that any sentence may have.
var sentenceWords = [...]string{"a", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "cannot", "char", "character", "characters", "contain", "contains", "could",
	"do", "does", "else", "end", "enter", "for", "forgot", "from", "given", "got", "has", "have", "if", "in", "is", "it", "least", "long", "match", "may", "more", "most",
	"must", "new", "no", "not", "of", "old", "on", "only", "or", "please", "reset", "same", "set", "should", "than", "that", "the", "then", "this", "to", "too", "use", "used",
	"using", "was", "were", "when", "will", "with", "without", "you", "your"}

// hasSymbol says whether v has letters and a byte that occurs neither in identifiers nor in sentences.
func hasSymbol(v string) bool {
	letter, symbol := false, false
	for i := range len(strings.TrimRight(v, "!?")) {
		letter = letter || isLetter(v[i])
		symbol = symbol || strings.IndexByte("!@#$%^&*+=~?", v[i]) >= 0
	}
	return letter && symbol
}

// messageWords are words that programs print in the place of a password.
var messageWords = [...]string{"password", "passwd", "passphrase", "secret", "token", "required", "missing", "invalid", "string", "str", "text", "bytes", "number",
	"integer", "boolean", "object", "array", "optional", "undefined", "none", "null", "nil", "true", "false", "empty", "blank", "hidden", "masked", "unset",
	"default", "value", "wrong", "incorrect", "expected", "unknown", "error", "failed", "prompt", "input", "field", "tooshort", "toolong", "notset", "changeme",
	"example", "disabled", "enabled", "never", "always", "valid", "short", "weak", "strong", "stdin"}

func isMessageWord(v string) bool {
	v = strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(v))
	if slices.Contains(messageWords[:], v) {
		return true
	}
	for _, name := range [...]string{"passwords", "password", "passwd", "passphrase"} {
		if rest, ok := strings.CutSuffix(v, name); ok && (rest == "" || slices.Contains(passwordWords[:], rest)) {
			return true // new_password
		}
		if rest, ok := strings.CutPrefix(v, name); ok && (slices.Contains(messageWords[:], rest) || slices.Contains(passwordWords[:], rest)) {
			return true // passwordRequired
		}
	}
	return false
}

// passwordWords form a name together with "password", so that the whole is no password.
var passwordWords = [...]string{"a", "the", "my", "your", "user", "new", "old", "raw", "db", "confirm", "current", "repeat", "bad", "no", "hashed", "plain", "hash", "encrypted",
	"confirmation", "field", "input", "reset", "mismatch", "manager", "type", "hasher", "is", "has", "check", "set", "get"}
