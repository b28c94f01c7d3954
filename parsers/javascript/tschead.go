package javascript

import (
	"strconv"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// tscHead is the first line of a diagnostic.
type tscHead struct {
	at      *result.Location // nil: the diagnostic is not about a file
	word    string           // severity: error, warning, message, suggestion, info
	rule    string
	message string
	pretty  bool
	wrapped bool // another program's words precede the diagnostic
}

func (h *tscHead) severity() result.Severity {
	switch h.word {
	case "error":
		return result.SevError
	case "warning":
		return result.SevWarning
	}
	return result.SevInfo
}

// isNG reports whether the code is one of Angular's own.
func (h *tscHead) isNG() bool {
	return strings.HasPrefix(h.rule, "NG") || strings.HasPrefix(h.rule, "TS-")
}

// cutTscHead reads "a.ts(1,2): error TS1005: …", "a.ts:1:2 - error TS1005: …" and "error TS5023: …" at the beginning
// of a line.
func cutTscHead(line string) (h tscHead, ok bool) {
	if line == "" || line[0] == ' ' || line[0] == '\t' {
		return h, false
	}
	text := place.CutAnnotation(line)
	h.wrapped = len(text) < len(line)
	return h, h.cut(text, " TS") || strings.Contains(text, " - error NG") && h.cut(text, " NG")
}

// cut looks in text for a code that begins with letters, and fills h from the text around the code.
func (h *tscHead) cut(text, letters string) bool {
	for i := strings.Index(text, letters); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(text, letters, i) {
		code, message, _ := strings.Cut(text[i+1:], ":")
		from := strings.LastIndexByte(text[:i], ' ') + 1
		if !isTscCode(code) || len(text) == i+1+len(code) || message != "" && message[0] != ' ' || !lex.IsOneOf(text[from:i], "error warning message suggestion info") {
			continue
		}
		if from == 0 || h.place(text[:from]) {
			h.word, h.rule, h.message = text[from:i], code, strings.TrimSpace(message)
			return true
		}
	}
	return false
}

func (h *tscHead) place(text string) bool {
	if spot, ok := strings.CutSuffix(text, " - "); ok {
		h.pretty, h.at = true, tscColons(spot)
	} else if spot, ok := strings.CutSuffix(text, "): "); ok {
		h.at = tscParens(spot)
	}
	if h.at == nil {
		return false
	}
	if i := strings.LastIndex(h.at.Path, "Error: "); i >= 0 { // "(plugin rpt2) RollupError: src/a.ts"
		h.at.Path, h.wrapped = h.at.Path[i+len("Error: "):], true
	}
	return true
}

// isTscCode reports whether a word is a code: "TS2322", or of Angular "NG8001" or "TS-998001".
func isTscCode(code string) bool {
	return len(code) > 2 && len(code) < 10 && lex.HasAnyPrefix(code, "TS", "NG") && lex.IsDigits(strings.TrimPrefix(code[2:], "-"))
}

// tscColons reads "path:3:7".
func tscColons(text string) *result.Location {
	if at := place.LastColons(text); at != nil && at.Line > 0 && at.Column > 0 {
		return at
	}
	return nil
}

// tscParens reads "path(3,7", from which the caller removed the closing parenthesis.
func tscParens(text string) *result.Location {
	open := strings.LastIndexByte(text, '(')
	if open <= 0 {
		return nil
	}
	first, second, ok := strings.Cut(text[open+1:], ",")
	line, err1 := strconv.ParseUint(first, 10, 31)
	column, err2 := strconv.ParseUint(second, 10, 31)
	if !ok || err1 != nil || err2 != nil || line == 0 {
		return nil
	}
	return &result.Location{Path: text[:open], Line: int(line), Column: int(column)}
}

// tscFound reads the closing line of pretty output, "Found 2 errors in 2 files.", and returns the number of errors.
func tscFound(text string) (n int, ok bool) {
	rest, found := strings.CutPrefix(text, "Found ")
	n, rest, counted := lex.CutCount(rest, "error")
	switch {
	case !found || !counted:
		return 0, false
	case rest == ".", strings.HasPrefix(rest, " in the same file, starting at: "):
		return n, true
	case strings.HasPrefix(rest, " in "): // "2 files." or, for one error, "a.ts:1"
		_, _, isPlace := place.CutLineNumber(rest)
		return n, strings.HasSuffix(rest, " files.") || n == 1 && isPlace
	}
	return 0, false
}

// tscCounted reads the line that nest's builder prints above the compiler's errors, "Found 2 error(s).", and returns
// their number.
func tscCounted(text string) (n int, ok bool) {
	count, head := strings.CutPrefix(text, "Found ")
	count, tail := strings.CutSuffix(count, " error(s).")
	return lex.Atoi(count), head && tail && lex.IsDigits(count)
}

// tscFoundInWords recognizes the closing line in any language, by the number of errors printed so far:
// "4 Fehler gefunden.", "在 2 个文件中找到 4 个错误。"
func tscFoundInWords(text string, errors int) bool {
	for rest := text; ; {
		from := strings.IndexAny(rest, "0123456789")
		if from < 0 {
			return false
		}
		rest = rest[from:]
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if lex.Atoi(rest[:n]) == errors {
			return n < len(text)
		}
		rest = rest[n:]
	}
}

// tscClock removes the time of day from a line of build and watch mode, in any language: "[12:45:04 AM] …" or
// "12:45:04 AM - …".
func tscClock(text string) (rest string, ok bool) {
	mark := " - "
	text, pretty := strings.CutPrefix(text, "[")
	if pretty {
		mark = "] "
	}
	clock, rest, ok := strings.Cut(text, mark)
	return rest, ok && len(clock) < 24 && strings.Count(clock, ":") >= 2 && strings.ContainsAny(clock, "0123456789")
}

// isTscThrown recognizes the first line of node's report that the compiler threw an exception:
// "/shop/node_modules/typescript/lib/_tsc.js:1743".
func isTscThrown(text string) bool {
	path, _, ok := place.CutLineNumber(text)
	path = strings.ReplaceAll(path, `\`, "/")
	return ok && (strings.HasSuffix(path, "/lib/tsc.js") || strings.HasSuffix(path, "/lib/_tsc.js"))
}
