package ruff

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// readRuffPlaced reads "path:1:2: F401 [*] message" and "path:1: [F401] message".
func readRuffPlaced(s string) (at result.Location, h ruffHead, ok bool) {
	for i := strings.Index(s, ": "); i > 0; i = lex.NextIndex(s, ": ", i) {
		if at, ok = ruffPlace(s[:i]); !ok {
			continue
		}
		rest := s[i+2:]
		if at.Column > 0 {
			h, ok = headAt(at, rest)
			return at, h, ok
		}
		if message, old := strings.CutPrefix(rest, "SyntaxError: "); old {
			return at, ruffHead{message: "SyntaxError: " + message, bare: true}, true
		}
		code, message, two := strings.Cut(strings.TrimPrefix(rest, "["), "] ")
		if two && rest[0] == '[' && (isRuffCode(code) || isRuffName(code)) {
			return at, ruffHead{code: code, message: message, bare: true}, true
		}
		return at, ruffHead{message: rest, bare: true}, isNotebookTrouble(at, rest)
	}
	return at, h, false
}

// headAt is cutRuffHead for a finding with a place. Until 0.11, what is wrong with a whole notebook has no rule.
func headAt(at result.Location, s string) (h ruffHead, ok bool) {
	if h, ok = cutRuffHead(s); !ok && isNotebookTrouble(at, s) {
		return ruffHead{message: s}, true
	}
	return h, ok
}

// isNotebookTrouble reports whether a message says that a whole notebook is malformed. Until 0.11, such a message
// has neither a code nor "SyntaxError: ".
func isNotebookTrouble(at result.Location, message string) bool {
	return strings.HasSuffix(at.Path, ".ipynb") &&
		(strings.HasPrefix(message, "Expected a Jupyter Notebook") || strings.HasPrefix(message, "This file does not match the schema expected of Jupyter Notebooks"))
}

// readRuffUnread reads "path: io: message", about a file that ruff format could not read, and "path: panic: message".
func readRuffUnread(s string) (at result.Location, h ruffHead, ok bool) {
	for _, code := range [...]string{ruffIO, ruffPanic} {
		if !strings.Contains(s, code) {
			continue // most lines; this saves the concatenation
		}
		if path, message, found := strings.Cut(s, ": "+code+": "); found && message != "" && path != "" && strings.IndexByte(" :#", path[0]) < 0 {
			return result.Location{Path: path}, ruffHead{code: code, message: message}, true
		}
	}
	return at, h, false
}

// ruffPlace reads "path:1:2", "path:1" and "book.ipynb:cell 3:1:2".
func ruffPlace(s string) (at result.Location, ok bool) {
	if file, zero := strings.CutSuffix(s, ":0:0"); zero { // 0.0.200, for a file that it cannot read
		s = file + ":1:1"
	}
	path, n, ok := place.CutLineNumber(s)
	if !ok || path == "" || strings.HasPrefix(path, "::") || strings.HasPrefix(path, "##") {
		return at, false
	}
	at.Path, at.Line = path, n
	if path, line, two := place.CutLineNumber(path); two {
		at.Path, at.Line, at.Column = path, line, n
	}
	at.Path, at.Label = lex.CutCell(at.Path)
	return at, at.Line > 0 && at.Path != ""
}

// isRuffCode reports whether s is one to eight capitals and two to five digits: F401, PLR0913. Codes such as MD013
// are left out: they are of linters for Markdown.
func isRuffCode(s string) bool {
	digits := strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	n := len(s) - len(digits)
	return n > 0 && n <= 8 && len(digits) >= 2 && len(digits) <= 5 && lex.IsDigits(digits) && s[:n] != "MD"
}

// isRuffName reports whether s is like the name of a rule: words in lower case with hyphens, as in
// unused-import. Words with which rustc and others begin a message, such as "error", are left out.
func isRuffName(s string) bool {
	return s != "" && !lex.IsOneOf(s, "error warning note help info debug fatal usage") &&
		s[0] >= 'a' && s[0] <= 'z' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && s[len(s)-1] != '-'
}

// ruffHead is the rule and the message of a diagnostic, without the place.
type ruffHead struct {
	code, message string
	fixable       bool // "[*]": --fix would mend the finding
	named         bool // code ends with ":", as a rule's name does
	bare          bool // pylint's format, whose places have no column
}

// cutRuffHead reads "F401 [*] message", "invalid-syntax: message", "unused-import:
// [*] message" and, in groups, "unused-import [*] message".
func cutRuffHead(s string) (h ruffHead, ok bool) {
	if rest, isOld := strings.CutPrefix(s, "SyntaxError: "); isOld {
		return ruffHead{message: rest}, true
	}
	word, rest, ok := strings.Cut(s, " ")
	if !ok {
		return h, false
	}
	h.code, h.named = strings.CutSuffix(word, ":")
	h.message, h.fixable = strings.CutPrefix(strings.TrimLeft(rest, " "), "[*] ")
	switch {
	case h.message == "":
		return h, false
	case isRuffCode(h.code):
		return h, true
	case isRuffName(h.code):
		return h, h.named || h.fixable
	}
	return h, false
}

// ruffHelp adds a line of advice to a finding's suggestions.
func ruffHelp(f *result.Finding, help string) {
	if help != "" && len(f.Suggestions) < result.MaxSuggestions {
		f.Suggestions = append(f.Suggestions, help)
	}
}
