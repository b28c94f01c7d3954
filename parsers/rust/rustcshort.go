package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// readRustcShort reads a line of --message-format=short:
//
//	src/lib.rs:7:14: error[E0308]: mismatched types: expected `String`, found `&str`
//
// rustc puts the label of the place after the message. The label is cut off, since it is
// no part of the message in other formats.
func readRustcShort(s string) (d rustcDiag, at result.Location, ok bool) {
	for _, level := range []string{": error", ": warning"} {
		i := strings.Index(s, level)
		if i <= 0 {
			continue
		}
		path, line, column, ok := cutRustcPosition(s[:i])
		if !ok || strings.ContainsAny(path, "\t`'\"") {
			continue
		}
		d.level, d.code, d.message, ok = cutRustcHeadline(s[i+2:])
		if !ok {
			continue
		}
		at = result.Location{Path: path, Line: line, Column: column}
		d.message, at.Label = cutRustcLabel(d.message)
		return d, at, true
	}
	return d, at, false
}

// cutRustcLabel splits message and label at the last colon that is outside of backticks and before words, or in the
// middle if both halves are the same. Messages that quote a reason may have such a colon of their own. A label that
// proposes a change is kept whole, even if it has colons.
func cutRustcLabel(s string) (message, label string) {
	if n := len(s)/2 - 1; n > 0 && s[n:n+2] == ": " && s[:n] == s[n+2:] {
		return s[:n], s[n+2:]
	}
	if strings.HasPrefix(s, "use of deprecated ") { // such a message never has a label
		return s, ""
	}
	for _, own := range []string{"cannot find macro ", "internal compiler error: ", "failed to resolve: "} {
		if strings.HasPrefix(s, own) && strings.Count(rustcShape(s), ": ") < 2 {
			return s, ""
		}
	}
	if i := strings.Index(s, ": help: "); i > 0 && strings.Count(s[:i], "`")%2 == 0 {
		return s[:i], s[i+2:]
	}
	quoted, at := false, -1
	for i := 0; i+2 < len(s); i++ {
		switch {
		case s[i] == '`':
			quoted = !quoted
		case s[i] == ':' && s[i+1] == ' ' && !quoted && s[i+2] != ' ' && (s[i+2] != '`' || quotesFirst(s[i+2:])):
			at = i
		}
	}
	if at <= 0 {
		return s, ""
	}
	return s[:at], s[at+2:]
}

// quotesFirst says whether s begins with a quoted name and a word: "`x` is moved here". If the word is "and" or "or",
// it is a message's list instead: "unused imports: `A` and `B`".
func quotesFirst(s string) bool {
	_, rest, ok := strings.Cut(s[1:], "` ")
	return ok && rest != "" && lex.Letter(rest[0]) != 0 && !strings.HasPrefix(rest, "and ") && !strings.HasPrefix(rest, "or ")
}
