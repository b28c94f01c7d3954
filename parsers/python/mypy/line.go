package mypy

import (
	"cmp"
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// mypyLine is "path:line:column:line:column: error: message  [code]". The numbers and the code are optional.
type mypyLine struct {
	at      result.Location
	word    string // error, note or warning
	message string
	code    string
}

// maxMypyPath bounds the bytes of a line in which the end of the path is searched.
const maxMypyPath = 4096

func cutMypyLine(s string) (m mypyLine, ok bool) {
	if strings.HasPrefix(s, "error: "+internalError) { // a plugin failed before any file was read
		return mypyLine{word: "error", message: s[len("error: "):]}, true
	}
	if strings.HasPrefix(s, "##[") {
		s = place.CutAnnotation(s)
	}
	for i := strings.Index(s, ": "); i > 0 && i < maxMypyPath; i = lex.NextIndex(s, ": ", i) {
		word, rest, found := strings.Cut(s[i+2:], ":")
		if !found {
			return m, false
		}
		goesOn := rest == "" && word == "error" // the message is on the next line: the terminal is narrow
		if !lex.IsOneOf(word, "error note warning") || !goesOn && !strings.HasPrefix(rest, " ") {
			continue
		}
		rest = strings.TrimPrefix(rest, " ")
		m.word = word
		m.at = mypyPlace(strings.TrimSuffix(s[:i], ": ")) // a crash prints "path:3: : note: "
		m.message, m.code = cutMypyCode(rest)
		return m, m.at.Path != "" && s[0] != ' ' && s[0] != '"' // a line of a wrapped message may begin with a quote, which is not a path
	}
	return m, false
}

// mypyPlace reads a place, "path:line:column:line:column" or a shorter form. The last column is inclusive,
// while a finding's end is not.
func mypyPlace(s string) result.Location {
	var numbers [4]int
	n := 0
	path := s
	for n < len(numbers) {
		before, number, ok := place.CutLineNumber(path)
		if !ok || before == "" {
			break
		}
		path, numbers[n] = before, number
		n++
	}
	at := result.Location{Path: path}
	switch n {
	case 1:
		at.Line = numbers[0]
	case 2:
		at.Line, at.Column = numbers[1], numbers[0]
	case 4:
		at.Line, at.Column, at.EndLine, at.EndColumn = numbers[3], numbers[2], numbers[1], numbers[0]+1
	default:
		at.Path = s
	}
	at.Path, at.Label = lex.CutCell(at.Path)
	return at
}

// cutMypyCode splits "  [arg-type]" from the end of a message.
func cutMypyCode(s string) (message, code string) {
	i := strings.LastIndex(s, "  [")
	if i < 0 || !strings.HasSuffix(s, "]") || !isMypyCode(s[i+3:len(s)-1]) {
		return s, ""
	}
	return strings.TrimRight(s[:i], " "), s[i+3 : len(s)-1]
}

// endMypyCode returns the code at the end of s, a line of a wrapped message, or "". The code may be on a
// line of its own.
func endMypyCode(s string) string {
	if s = strings.TrimRight(s, " "); !strings.HasSuffix(s, "]") {
		return ""
	}
	if s[0] == '[' && isMypyCode(s[1:len(s)-1]) {
		return s[1 : len(s)-1]
	}
	_, code := cutMypyCode(s)
	return code
}

func isMypyCode(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s != ""
}

// python reports whether the line is about a file that mypy checks, or about mypy itself.
func (m mypyLine) python() bool {
	return m.at.Path == "" || lex.IsOneOf(path.Ext(m.at.Path), ".py .pyi .ipynb") || m.at.Path == "<string>" || m.at.Path == "mypy"
}

// configured reports whether the line is about mypy's configuration, with a message that only mypy has.
func (m mypyLine) configured() bool {
	if !isMypyConfig(m.at.Path) {
		return false
	}
	return strings.HasPrefix(m.message, "unused section(s): ") || m.word == "error" && lex.HasAnyPrefix(m.message, mypyPlugins...)
}

// mypyPlugins lists the beginnings of errors about a plugin that cannot be loaded.
var mypyPlugins = []string{`Error importing plugin "`, `Can't find plugin "`, `Plugin "`, "Type object expected as the return value of ", "Return value of "}

// unread reports whether the line says that a file cannot be read, whatever the file's name.
func (m mypyLine) unread() bool {
	return m.word == "error" && m.at.Line == 0 && lex.HasAnyPrefix(m.message, "Cannot read file: ", "Cannot decode file: ")
}

// context reports whether the line introduces the next error: a line of --show-error-context, "In function", or the
// imports through which mypy reached the file, "In module imported here,", "... from here:".
func (m mypyLine) context() bool {
	if m.word != "note" {
		return false
	}
	if m.at.Line > 0 {
		return m.code == "" && lex.HasAnyPrefix(m.message, "In module imported here", "... from here")
	}
	return strings.HasPrefix(m.message, "In ") || m.message == "At top level:"
}

// internalError begins the message of a crash.
const internalError = "INTERNAL ERROR"

func (m mypyLine) severity() result.Severity {
	switch m.word {
	case "note":
		return result.SevInfo
	case "warning":
		return result.SevWarning
	}
	return result.SevError
}

func (m mypyLine) finding() result.Finding {
	at := m.at
	f := result.Finding{Kind: result.Diagnostic, Severity: m.severity(), Rule: m.code, Message: cmp.Or(lex.OnOneLine(m.message), m.word), At: &at} // the word alone, if the line is cut off behind it
	switch {
	case m.word == "note":
		f.RawSeverity = "note"
	case m.word == "warning":
	case m.panics():
		f.Kind = result.Panic
		f.Message, _, _ = strings.Cut(f.Message, " --") // a request to report the crash follows
		if m.at.Path == "" {
			f.At = nil
		}
	case m.usage():
		f.Kind, f.At = result.GenericFinding, nil
	case m.fatal():
		f.Kind = result.GenericFinding
	}
	return f
}

// usage reports whether the line is about the command line: "mypy: error: unrecognized arguments: --frob".
func (m mypyLine) usage() bool { return m.at.Path == "mypy" && m.at.Line == 0 }

// fatal reports whether mypy stopped before it read any code.
func (m mypyLine) fatal() bool {
	return m.word == "error" && (isMypyConfig(m.at.Path) || m.at.Line == 0 && strings.HasPrefix(m.message, "Cannot read file"))
}

// panics reports whether mypy itself crashed.
func (m *mypyLine) panics() bool {
	return m.word == "error" && strings.HasPrefix(m.message, internalError)
}

// explains reports whether the line is a note to a message at a place. Such a note is at the same place, or says
// where the function was defined. isError is set if the message is an error.
func (m mypyLine) explains(at *result.Location, isError bool) bool {
	if m.word != "note" || at == nil {
		return false
	}
	if strings.HasSuffix(m.message, " defined here") {
		return true
	}
	return (isError || m.link()) && m.at.Path == at.Path && m.at.Line == at.Line && m.at.Column == at.Column &&
		!strings.HasPrefix(m.message, "Revealed ") && !strings.HasPrefix(m.message, "(Skipping most remaining errors ")
}

func (m mypyLine) explainsFinding(f *result.Finding) bool {
	return f != nil && m.explains(f.At, f.Severity == result.SevError)
}

// place returns the line's place, or nil if the line is about the run.
func (m *mypyLine) place() *result.Location {
	if m.at.Path == "" || m.at.Path == "mypy" && m.at.Line == 0 {
		return nil
	}
	return &m.at
}

// link reports whether the line is one of --show-error-code-links, "See https://mypy.… for more info".
func (m mypyLine) link() bool {
	return m.word == "note" && strings.HasPrefix(m.message, "See https://mypy.") && strings.Contains(m.message, "_refs.html#code-")
}

// explain adds the note to a finding: as a suggestion, as the rule's URL or as related.
func (m mypyLine) explain(f *result.Finding) {
	text := strings.TrimSpace(m.message)
	if hint, ok := strings.CutPrefix(text, "Hint: "); ok && len(f.Suggestions) < result.MaxSuggestions {
		f.Suggestions = append(f.Suggestions, hint)
		return
	}
	if url, ok := strings.CutPrefix(text, "See https://mypy."); ok && m.link() {
		f.RuleURL = "https://mypy." + strings.TrimSuffix(url, " for more info")
		return
	}
	related := result.Related{Message: text}
	if strings.HasSuffix(text, " defined here") {
		at := m.at
		related.At = &at
	}
	lex.Keep(&f.Related, maxMypyNotes, related)
}

// maxMypyNotes bounds the notes of one error, which has a note for each variant of an overloaded function.
const maxMypyNotes = 50

// mypySummary reads "Found 3 errors in 2 files (checked 9 source files)" and "Success: no
// issues found in 9 source files".
func mypySummary(text string) (errors int, ok bool) {
	if rest, success := strings.CutPrefix(text, "Success: no issues found in "); success {
		_, rest, ok = lex.CutCount(rest, "source file")
		return 0, ok && rest == ""
	}
	errors, rest, ok := lex.CutCount(strings.TrimPrefix(text, "Found "), "error")
	if !ok || !strings.HasPrefix(text, "Found ") || !strings.HasPrefix(rest, " in ") {
		return 0, false
	}
	_, rest, ok = lex.CutCount(rest[len(" in "):], "file")
	return errors, ok && (rest == " (errors prevented further checking)" || strings.HasPrefix(rest, " (checked ") && strings.HasSuffix(rest, ")"))
}
