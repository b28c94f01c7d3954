package mypy

import (
	"cmp"
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// mypyLine is "path:line:column:line:column: error: message  [code]", of which
// only the path, the word and the message must be there.
type mypyLine struct {
	at      result.Location
	word    string // for the severity: error, note, warning
	message string
	code    string
}

// maxMypyPath bounds where the word that ends the path is looked for.
const maxMypyPath = 4096

func cutMypyLine(s string) (m mypyLine, ok bool) {
	if strings.HasPrefix(s, "error: "+internalError) { // of a plugin that did not even begin
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
		goesOn := rest == "" && word == "error" // below: the terminal is narrow
		if !lex.IsOneOf(word, "error note warning") || !goesOn && !strings.HasPrefix(rest, " ") {
			continue
		}
		rest = strings.TrimPrefix(rest, " ")
		m.word = word
		m.at = mypyPlace(strings.TrimSuffix(s[:i], ": ")) // a crash says "path:3: : note: "
		m.message, m.code = cutMypyCode(rest)
		return m, m.at.Path != "" && s[0] != ' ' && s[0] != '"' // what a wrapped message quotes is no path
	}
	return m, false
}

// mypyPlace reads the place. The last column of --show-error-end is inclusive.
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

// cutMypyCode takes "  [arg-type]" off the end of a message.
func cutMypyCode(s string) (message, code string) {
	i := strings.LastIndex(s, "  [")
	if i < 0 || !strings.HasSuffix(s, "]") || !isMypyCode(s[i+3:len(s)-1]) {
		return s, ""
	}
	return strings.TrimRight(s[:i], " "), s[i+3 : len(s)-1]
}

// endMypyCode is the code at the end of a message whose last line, where it wraps,
// is s. The code may have a line to itself.
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

// python: the place is in something that mypy reads.
func (m mypyLine) python() bool {
	return m.at.Path == "" || lex.IsOneOf(path.Ext(m.at.Path), ".py .pyi .ipynb") || m.at.Path == "<string>" || m.at.Path == "mypy"
}

// configured: it is about the file of its configuration, in words that only mypy
// has.
func (m mypyLine) configured() bool {
	if !isMypyConfig(m.at.Path) {
		return false
	}
	return strings.HasPrefix(m.message, "unused section(s): ") || m.word == "error" && lex.HasAnyPrefix(m.message, mypyPlugins...)
}

// mypyPlugins begin what mypy says of a plugin that it cannot load.
var mypyPlugins = []string{`Error importing plugin "`, `Can't find plugin "`, `Plugin "`, "Type object expected as the return value of ", "Return value of "}

// unread: what was to be checked is no file that mypy can read, whatever its name.
func (m mypyLine) unread() bool {
	return m.word == "error" && m.at.Line == 0 && lex.HasAnyPrefix(m.message, "Cannot read file: ", "Cannot decode file: ")
}

// context: a line of --show-error-context, which says where the next error is,
// or by which imports mypy came to its file: "In module imported here,", "... from
// here:".
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
	f := result.Finding{Kind: result.Diagnostic, Severity: m.severity(), Rule: m.code, Message: cmp.Or(lex.OnOneLine(m.message), m.word), At: &at} // cut off behind the word
	switch {
	case m.word == "note":
		f.RawSeverity = "note"
	case m.word == "warning":
	case m.panics():
		f.Kind = result.Panic
		f.Message, _, _ = strings.Cut(f.Message, " --") // what follows asks to report it
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

// usage: "mypy: error: unrecognized arguments: --frob".
func (m mypyLine) usage() bool { return m.at.Path == "mypy" && m.at.Line == 0 }

// fatal: mypy stopped before it looked at any code.
func (m mypyLine) fatal() bool {
	return m.word == "error" && (isMypyConfig(m.at.Path) || m.at.Line == 0 && strings.HasPrefix(m.message, "Cannot read file"))
}

// panics: mypy itself crashed.
func (m *mypyLine) panics() bool {
	return m.word == "error" && strings.HasPrefix(m.message, internalError)
}

// explains says whether a note belongs to what is reported at a place: it stands
// there too, or says where what that is about was defined.
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

// place is nil where the line is about the run.
func (m *mypyLine) place() *result.Location {
	if m.at.Path == "" || m.at.Path == "mypy" && m.at.Line == 0 {
		return nil
	}
	return &m.at
}

// link: a line of --show-error-code-links.
func (m mypyLine) link() bool {
	return m.word == "note" && strings.HasPrefix(m.message, "See https://mypy.") && strings.Contains(m.message, "_refs.html#code-")
}

// explain adds a note to a finding.
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
	if len(f.Related) < maxMypyNotes {
		f.Related = append(f.Related, related)
	}
}

// maxMypyNotes bounds the notes of one error; the variants of an overload are
// many.
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
