package redact

import "strings"

const (
	assignedPassword = "assigned-password"
	assignedSecret   = "assigned-secret"
)

// passwordNames end a name whose value is a password, secretNames one whose value is a random credential.
var (
	passwordNames = [...]string{"password", "passwd", "passphrase", "pwd", "_pass"}
	secretNames   = [...]string{"secret", "token", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey",
		"private_key", "privatekey", "account_key", "accountkey", "signing_key", "encryption_key", "master_key", "auth_key",
		"credential"}
)

// nameEndings may follow a password's or secret's name and leave it one: SECRET_KEY, password2, TOKEN_PROD.
var nameEndings = [...]string{"", "s", "key", "value", "prod", "production", "dev", "test", "staging", "live", "base64", "b64", "text", "plain", "hex"}

func leavesName(suffix string) bool {
	suffix = strings.TrimRight(strings.TrimLeft(suffix, "_-"), "0123456789")
	suffix = strings.TrimRight(suffix, "_-")
	for _, e := range nameEndings {
		if strings.EqualFold(suffix, e) {
			return true
		}
	}
	return false
}

// detectPassword finds password=value. A password can be short and simple, so the form decides what is one: a call, an
// attribute, a type or a word of prose after the name is code or a message.
func detectPassword(sc *scan, at, end int) {
	v, ok := strictAssignment(sc.s, at, end)
	if !ok || !leavesName(v.suffix) {
		return
	}
	if sc.s[at] == '_' && v.op != '=' {
		return // "_pass: 3" counts passed tests
	}
	if text := v.text(sc.s); isPassword(sc, at, end, v, text) {
		sc.add(assignedPassword, vague, v.start, v.end)
	}
}

// Shortest values that are taken for a password or secret.
const (
	minPassword = 5
	minSecret   = 8
)

func isPassword(sc *scan, at, end int, v assignedValue, text string) bool {
	if len(text) < minPassword || isFiller(text) || isCode(sc.s, v, text) || strings.ContainsAny(text, " \t") {
		return false
	}
	if hasLetterAndDigit(text) || hasSymbol(text) {
		return !containsFold(text, "password_") && !containsFold(text, "_password")
	}
	digits := strings.Trim(text, "0123456789") == ""
	if digits {
		return v.op == '=' && !v.spaced || v.quoted
	}
	// Letters only: a word. Behind NAME= of an environment it is a password, in quotes too unless it is a usual message.
	shell := v.op == '=' && !v.spaced && !v.compared && isUpper(sc.s[at:end])
	return (shell || v.quoted) && v.op != ' ' && !isMessageWord(text)
}

// detectSecret finds secret=value, token: "value". A credential that a machine made has letters, digits and some length.
func detectSecret(sc *scan, at, end int) {
	v, ok := strictAssignment(sc.s, at, end)
	if !ok || !leavesName(v.suffix) {
		return
	}
	text := v.text(sc.s)
	if i := strings.IndexAny(text, "(){}<>["); i > 0 && (!isAttribute(text[:i]) || hashLike(text[:i])) {
		v.end, text = v.start+i, text[:i] // what follows a bracket is not the value's; behind an identifier it is a call
	}
	if len(text) < minSecret || isFiller(text) || isCode(sc.s, v, text) || strings.ContainsAny(text, " \t(){}<>") {
		return
	}
	if !v.quoted && strings.IndexByte(text, '*') >= 0 {
		return // an expression
	}
	if !hasLetterAndDigit(text) || looksLikePath(text) || looksLikeText(text) || entropy(text) < secretEntropy {
		return
	}
	if v.op == ':' && !v.quoted && entropy(text) < genericEntropy {
		return // "unexpected token: foo2bar"
	}
	sc.add(assignedSecret, vague, v.start, v.end)
}

// secretEntropy is below gitleaks' 3.5, which no value of eight bytes reaches: eight different bytes have 3 bits.
const secretEntropy = 2.5

// fillerHead is how much of a value is searched for the signs of a filler.
const fillerHead = 32

// isFiller says whether the value stands for a secret that is not there.
func isFiller(v string) bool {
	if isAllowed(v) || strings.HasPrefix(v, "[") || strings.HasPrefix(v, "<") || strings.HasPrefix(v, "{") || strings.HasPrefix(v, "*") {
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
		return looksLikePath(text)
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

// isAttribute recognises an identifier, self.password, os.environ, user.tokens.
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

// hasSymbol says whether v holds a byte that neither an identifier nor a sentence does, beside letters.
func hasSymbol(v string) bool {
	letter, symbol := false, false
	for i := range len(strings.TrimRight(v, "!?")) {
		letter = letter || isLetter(v[i])
		symbol = symbol || strings.IndexByte("!@#$%^&*+=~?", v[i]) >= 0
	}
	return letter && symbol
}

// messageWords are what programs say in the place of a password.
var messageWords = [...]string{"password", "passwd", "passphrase", "secret", "token", "required", "missing", "invalid", "string", "str", "text", "bytes", "number",
	"integer", "boolean", "object", "array", "optional", "undefined", "none", "null", "nil", "true", "false", "empty", "blank", "hidden", "masked", "unset",
	"default", "value", "wrong", "incorrect", "expected", "unknown", "error", "failed", "prompt", "input", "field", "tooshort", "toolong", "notset", "changeme",
	"example", "disabled", "enabled", "never", "always", "valid", "short", "weak", "strong", "stdin"}

func isMessageWord(v string) bool {
	v = strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(v))
	for _, w := range messageWords {
		if v == w {
			return true
		}
	}
	return strings.Contains(v, "passw")
}
