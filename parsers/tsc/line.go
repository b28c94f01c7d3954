package tsc

import (
	"strconv"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// tscHead is the first line of a diagnostic.
type tscHead struct {
	at       *result.Location // nil: of no file
	severity string           // as printed: error, warning, message, suggestion
	rule     string
	message  string
	pretty   bool
	wrapped  bool // another program put its own words before it
}

// readTscHead reads "a.ts(1,2): error TS1005: …", "a.ts:1:2 - error TS1005: …"
// and "error TS5023: …", which stand at the beginning of a line.
func readTscHead(s string) (h tscHead, ok bool) {
	if s == "" || s[0] == ' ' || s[0] == '\t' {
		return h, false
	}
	whole := len(s)
	s = place.CutAnnotation(s)
	h.wrapped = len(s) < whole
	return h, h.readBy(s, " TS") || strings.Contains(s, " - error NG") && h.readBy(s, " NG")
}

// readBy tries what may be a code by its first letters.
func (h *tscHead) readBy(s, letters string) bool {
	for i := strings.Index(s, letters); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, letters, i) {
		if h.read(s, i) {
			return true
		}
	}
	return false
}

// read takes the line apart where i is before its code.
func (h *tscHead) read(s string, i int) bool {
	code, message, ok := strings.Cut(s[i+1:], ":")
	if !ok || !isTscCode(code) || message != "" && message[0] != ' ' {
		return false
	}
	from := strings.LastIndexByte(s[:i], ' ') + 1
	spot, severity := s[:from], s[from:i]
	switch severity {
	case "error", "warning", "message", "suggestion", "info":
	default:
		return false
	}
	if spot != "" && !h.place(spot) {
		return false
	}
	h.severity, h.rule, h.message = severity, code, strings.TrimSpace(message)
	return true
}

func (h *tscHead) place(s string) bool {
	if p, ok := strings.CutSuffix(s, " - "); ok {
		h.pretty = true
		h.at = tscColons(p)
	} else if p, ok := strings.CutSuffix(s, "): "); ok {
		h.at = tscParens(p)
	}
	if h.at == nil {
		return false
	}
	if i := strings.LastIndex(h.at.Path, "Error: "); i >= 0 { // "(plugin rpt2) RollupError: src/a.ts"
		h.at.Path, h.wrapped = h.at.Path[i+len("Error: "):], true
	}
	return true
}

// isTscCode: "TS2322", and "NG8001" or "TS-998001" of Angular.
func isTscCode(s string) bool {
	if len(s) < 3 || len(s) > 9 || s[:2] != "TS" && s[:2] != "NG" {
		return false
	}
	return lex.IsDigits(strings.TrimPrefix(s[2:], "-"))
}

// isNG: the code is one of Angular's own.
func (h *tscHead) isNG() bool {
	return strings.HasPrefix(h.rule, "NG") || strings.HasPrefix(h.rule, "TS-")
}

// tscColons reads "path:3:7".
func tscColons(s string) *result.Location {
	rest, column, ok := place.CutLineNumber(s)
	path, line, two := place.CutLineNumber(rest)
	if !ok || !two {
		return nil
	}
	return &result.Location{Path: path, Line: line, Column: column}
}

// tscParens reads "path(3,7", the parenthesis taken off.
func tscParens(s string) *result.Location {
	open := strings.LastIndexByte(s, '(')
	if open <= 0 {
		return nil
	}
	first, second, ok := strings.Cut(s[open+1:], ",")
	line, err1 := strconv.ParseUint(first, 10, 31)
	column, err2 := strconv.ParseUint(second, 10, 31)
	if !ok || err1 != nil || err2 != nil || line == 0 {
		return nil
	}
	return &result.Location{Path: s[:open], Line: int(line), Column: int(column)}
}

// tscFound reads the closing line of pretty output.
func tscFound(s string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(s, "Found ")
	if !ok {
		return 0, false
	}
	count, rest, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(count)
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "error"), "s")
	if err != nil || n < 0 {
		return 0, false
	}
	switch {
	case rest == ".", strings.HasPrefix(rest, " in the same file, starting at: "):
		return n, true
	case strings.HasPrefix(rest, " in "): // "2 files." or, of one error, "a.ts:1"
		return n, strings.HasSuffix(rest, " files.") || n == 1 && tscEndsInLine(rest)
	}
	return 0, false
}

// tscFoundInWords knows the closing line in any language by the number of
// errors that were printed: "4 Fehler gefunden.", "在 2 个文件中找到 4 个错误。"
func tscFoundInWords(s string, errors int) bool {
	for rest := s; ; {
		from := strings.IndexAny(rest, "0123456789")
		if from < 0 {
			return false
		}
		rest = rest[from:]
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if lex.Atoi(rest[:n]) == errors {
			return n < len(s)
		}
		rest = rest[n:]
	}
}

func tscEndsInLine(s string) bool {
	_, _, ok := place.CutLineNumber(s)
	return ok
}

// tscClock takes the time of day off a line of build and watch mode:
// "[12:45:04 AM] …" or "12:45:04 AM - …", in the words of any language.
func tscClock(s string) (rest string, ok bool) {
	var clock string
	if inner, pretty := strings.CutPrefix(s, "["); pretty {
		clock, rest, ok = strings.Cut(inner, "] ")
	} else {
		clock, rest, ok = strings.Cut(s, " - ")
	}
	return rest, ok && len(clock) < 24 && strings.Count(clock, ":") >= 2 && strings.ContainsAny(clock, "0123456789")
}

// tscSource tells a line of source from the text around it by its margin: the
// number of the line or, where lines are left out, "...". The margin is painted
// where colour is on; its width says nothing.
func tscSource(s string) (number int, ok bool) {
	digits, _, _ := strings.Cut(s, " ")
	if digits == "..." {
		return 0, true
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0
}

// tscSquiggle finds the squiggles that are all of a line, as columns of it.
func tscSquiggle(s string) (from, to int, ok bool) {
	rest := strings.TrimLeft(s, " ")
	if rest == "" || strings.Trim(rest, "~") != "" {
		return 0, 0, false
	}
	return len(s) - len(rest), len(s), true
}

// isTscThrown knows the line with which node begins to tell that the compiler
// threw something: "/shop/node_modules/typescript/lib/_tsc.js:1743".
func isTscThrown(s string) bool {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || !lex.IsDigits(s[i+1:]) {
		return false
	}
	s = strings.ReplaceAll(s[:i], `\`, "/")
	return strings.HasSuffix(s, "/lib/tsc.js") || strings.HasSuffix(s, "/lib/_tsc.js")
}
