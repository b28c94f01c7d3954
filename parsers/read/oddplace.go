package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// cutOdd is CutDiagnostic, extended by forms that only a few tools use:
//
//	a.py@4:11 rest              a.cmake:05,00: rest          a.cmake: 2:7: rest
//	a.fbs:2: 12: error: rest    "/src/b.mk" line 3: rest     a.ksh: syntax error at line 3: rest
//	b.l:3: warning, rest        a.rst:6: (ERROR/3) rest      a.xml:1:0:E: rest
//	(a.wdl Ln 4 Col 19) rest    a.vhd(2)port_014 -- rest
//	a.c:2: warning 112: rest    troff: a.1:4: warning: rest
//	error(56): a.g4:2:5: rest     [a.proto:3:7] rest
//	(a.conf: Line 5) rest         a.i(2) : Error: rest   a: 3: Syntax error: rest
//	E: a[3]: syntax error: rest   e: file:///src/a.kt:3:7 rest
func cutOdd(text string) (d Diagnostic, ok bool) {
	if letter, rest, is := strings.Cut(text, ": "); is && (letter == "e" || letter == "w") { // Kotlin's compiler, run by Gradle
		d, ok = CutDiagnostic(strings.TrimPrefix(rest, "file://"))
		d.Word, _ = cutOddSeverity(strings.ToUpper(letter) + ": ")
		return d, ok && place.IsFile(d.At.Path)
	}
	if rest, word, number := cutNumbered(text); word != "" {
		d, ok = cutOdd(rest)
		d.Word, d.Rule = word, number
		return d, ok
	}
	if d, ok = CutDiagnostic(text); !ok {
		if d.At, d.Message, ok = oddPlace(text); !ok {
			return d, false
		}
		d.Word, d.Message = CutSeverity(d.Message)
	}
	if rest, apart := strings.CutPrefix(d.Message, ": "); apart && d.Word == "" { // behind "a.i(2) "
		d.Word, d.Message = CutSeverity(rest)
	}
	if path, line, at := lex.CutLast(d.At.Path, "@"); at && d.At.Column == 0 && lex.IsDigits(line) && place.IsFile(path) {
		d.At = result.Location{Path: path, Line: lex.Atoi(line), Column: d.At.Line}
	}
	number, rest, numbered := strings.Cut(d.Message, ": ")
	numbered = numbered && lex.IsDigits(number) && len(number) < 6
	switch {
	case numbered && d.Word == "" && d.At.Column == 0:
		d.At.Column = lex.Atoi(number)
		d.Word, d.Message = CutSeverity(rest)
	case numbered && d.Word != "":
		d.Rule, d.Message = number, rest
	case d.Word == "":
		d.Word, d.Message = cutOddSeverity(d.Message)
	}
	return d, d.Message != ""
}

// cutNumbered removes "error(56): " from a text.
func cutNumbered(text string) (rest, word, number string) {
	word, behind, ok := strings.Cut(text, "(")
	number, rest, closed := strings.Cut(behind, "): ")
	if !ok || !closed || !lex.IsDigits(number) || SeverityOf(word) == "" {
		return text, "", ""
	}
	return rest, word, number
}

// cutOddSeverity removes "warning, ", "(ERROR/3) " or "E: " from a text.
func cutOddSeverity(text string) (word, rest string) {
	switch {
	case text == "":
	case text[0] == '(':
		level, behind, ok := strings.Cut(text[1:], ") ")
		if name, number, leveled := strings.Cut(level, "/"); ok && leveled && lex.IsDigits(number) && (SeverityOf(name) != "" || name == "SEVERE") {
			return lowered(strings.Replace(name, "SEVERE", "FATAL", 1)), behind
		}
	case strings.HasPrefix(text, "E: "), strings.HasPrefix(text, "X: "):
		return "error", text[3:]
	case strings.HasPrefix(text, "W: "):
		return "warning", text[3:]
	case strings.HasPrefix(text, "warning, "), strings.HasPrefix(text, "error, "):
		word, rest, _ = strings.Cut(text, ", ")
		return word, rest
	}
	return "", text
}

// oddPlace reads forms of places that place.Cut does not know.
func oddPlace(text string) (at result.Location, rest string, ok bool) {
	if at, rest, ok = mkshPlace(text); ok {
		return at, rest, true
	}
	if name, behind, is := strings.Cut(text, ": "); is && lex.IsIdentifier(name) { // a program that another program called
		if at, rest, ok = place.Cut(behind); ok && at.Line > 0 {
			word, _ := CutSeverity(rest)
			return at, rest, word != ""
		}
		return at, "", false
	}
	if quoted, is := strings.CutPrefix(text, `"`); is {
		path, behind, both := strings.Cut(quoted, `" line `)
		line, rest, said := strings.Cut(behind, ": ")
		return result.Location{Path: path, Line: lex.LeadingNumber(line)}, rest, both && said && lex.IsDigits(line)
	}
	if at, rest, ok = oddBrackets(text); ok {
		return at, rest, true
	}
	path, behind, ok := strings.Cut(text, ":")
	path = path[strings.LastIndexByte(path, '\t')+1:] // as place.Cut does
	behind, apart := strings.CutPrefix(behind, " ")
	if what, line, is := cutSyntaxError(behind); is && apart && path != "" && !strings.ContainsAny(path, " \"'") {
		return result.Location{Path: path, Line: line}, what, true
	}
	if !ok || !place.IsFile(path) {
		return at, "", false
	}
	mark := ","
	if apart {
		mark = ":"
	}
	line, behind, both := strings.Cut(behind, mark)
	column, rest, said := strings.Cut(behind, ": ")
	if !both || !said || !lex.IsDigits(line) || !lex.IsDigits(column) || len(line)+len(column) > 12 {
		return at, "", false
	}
	return result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, rest, true
}

// mkshPlace reads "E: bin/a[3]: text", possibly behind a name and a tab.
func mkshPlace(text string) (at result.Location, rest string, ok bool) {
	said, ok := strings.CutPrefix(text, "E: ")
	if !ok {
		_, said, ok = strings.Cut(text, "\tE: ")
	}
	script, rest, _ := strings.Cut(said, "]: ")
	path, line, _ := strings.Cut(script, "[")
	if !ok || !lex.IsDigits(line) || strings.Contains(path, " ") {
		return at, "", false
	}
	return result.Location{Path: path, Line: lex.Atoi(line)}, rest, true
}

// cutSyntaxError reads the line number in ksh's "syntax error at line 3: text" and dash's "3: Syntax error: text".
// Both are about scripts, which usually have no extension.
func cutSyntaxError(text string) (whole string, line int, ok bool) {
	if number, rest, _ := strings.Cut(text, ": "); lex.IsDigits(number) && len(number) < 8 && strings.HasPrefix(rest, "Syntax error: ") {
		return rest, lex.Atoi(number), true
	}
	rest, ok := strings.CutPrefix(text, "syntax error ")
	_, number, named := strings.Cut(rest, "line ")
	line = lex.LeadingNumber(number)
	return text, line, ok && named && line > 0
}

// oddBrackets reads "[a.proto:3:7] rest", "(a.wdl Ln 4 Col 19) rest" and "a.vhd(2)port_014 -- rest".
func oddBrackets(text string) (at result.Location, rest string, ok bool) {
	if where, rest, closed := strings.Cut(strings.TrimPrefix(text, "["), "] "); closed && text[0] == '[' {
		if at := place.LastColons(where); at != nil && at.Column > 0 && place.IsFile(at.Path) {
			return *at, rest, true
		}
	}
	path, behind, ok := strings.Cut(text, "(")
	if !ok {
		return at, "", false
	}
	where, rest, ok := strings.Cut(behind, ")")
	if file, line, named := strings.Cut(where, ": Line "); path == "" && named {
		return result.Location{Path: file, Line: lex.Atoi(line)}, strings.TrimSpace(rest), ok && lex.IsDigits(line) && place.IsFile(file)
	}
	if words := strings.Fields(where); path == "" && len(words) == 5 {
		at = result.Location{Path: words[0], Line: lex.Atoi(words[2]), Column: lex.Atoi(words[4])}
		return at, strings.TrimSpace(rest), ok && words[1] == "Ln" && words[3] == "Col" && lex.IsDigits(words[2]) && lex.IsDigits(words[4]) && place.IsFile(at.Path)
	}
	rule, message, named := strings.Cut(rest, " -- ")
	ok = ok && named && lex.IsDigits(where) && len(where) < 9 && place.IsFile(path) && lex.IsIdentifier(rule)
	return result.Location{Path: path, Line: lex.Atoi(where)}, message + " [" + rule + "]", ok
}
