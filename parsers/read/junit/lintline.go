package junit

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/result"
)

// lintStated reads a failure whose text gives the position, while a name around it gives the file. The class may be
// the file without its extension.
func (r *junitReader) lintStated(f *result.Finding, name, class string, o *junitOutcome) bool {
	text := strings.TrimSpace(strings.Join(o.text.lines(), " "))
	line, column, ok := statedIn(text, strings.TrimSpace(o.message))
	if !ok {
		return false
	}
	files := []string{xmltext.Meant(r.test.file), r.suite().name, class, name[strings.LastIndexByte(name, ' ')+1:]}
	i := slices.IndexFunc(files, place.IsFile)
	switch {
	case i >= 0:
		f.At = &result.Location{Path: files[i], Line: line, Column: column}
	case class != "" && !strings.Contains(class, ".") && strings.HasPrefix(text, "line "):
		f.Rule = name[strings.LastIndexByte(name, '.')+1:]
		f.At = &result.Location{Path: class, Line: line, Column: column}
	default:
		return false
	}
	if o.class != "" && !strings.Contains(o.class, " ") && read.SeverityOf(o.class) == "" && exceptionClass(o.class) == "" {
		f.Rule, f.RawSeverity = o.class, ""
	}
	return true
}

// statedIn reads "MESSAGE at line 3, column 7", "line 3, col 7" and "3:7 MESSAGE".
func statedIn(text, message string) (line, column int, ok bool) {
	if message == "" {
		return 0, 0, false
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, message+" at "), " "+message)
	from, behind, both := strings.Cut(text, ":")
	if where, named := strings.CutPrefix(text, "line "); named {
		from, behind, both = strings.Cut(where, ", col")
		behind = strings.TrimPrefix(strings.TrimPrefix(behind, "umn"), " ")
	}
	return lex.Atoi(from), lex.Atoi(behind), both && lex.IsDigits(from) && lex.IsDigits(behind)
}

// lintLine reads "line 3, col 7, Warning - text (rule)" in a case that is, or whose suite is, named after its file.
func (r *junitReader) lintLine(f *result.Finding, name string, o *junitOutcome) {
	all := strings.TrimSpace(strings.Join(o.text.lines(), "\n"))
	text, ok := strings.CutPrefix(all, "line ")
	file := cmp.Or(xmltext.Meant(r.test.file), r.suite().name)
	for _, line := range o.text.lines() { // gosec: "[a.go:3] - text (Confidence: 2, …)"
		where, message, ok := strings.Cut(line, "] - ")
		if path, n, placed := place.CutLineNumber(strings.TrimPrefix(where, "[")); ok && placed && strings.HasPrefix(where, "[") {
			f.At, f.Rule = &result.Location{Path: path, Line: n}, ""
			f.Message, _, _ = strings.Cut(message, " (Confidence: ")
			return
		}
		said, where, _ := lex.CutLast(strings.TrimSuffix(line, ")"), "(")
		if path, n, ok := place.CutLineNumber(where); ok && strings.HasPrefix(said, "Line ") { // esvalidate: "Line 3: text(a.js:3)"
			f.At, f.Rule, f.RawSeverity, f.Message = &result.Location{Path: path, Line: n}, "", "", said[strings.Index(said, ": ")+2:]
			return
		}
	}
	if where, on := strings.CutPrefix(all, "On line "); on {
		line, rest, _ := strings.Cut(where, ", column ")
		if column, path, said := strings.Cut(rest, " in "); said && lex.IsDigits(line) && lex.IsDigits(column) {
			f.At = &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
			f.Message = strings.TrimSuffix(f.Message, " ("+name+")")
		}
		return
	}
	if parts := strings.SplitN(text, ":", 3); len(parts) == 3 && place.IsFile(file) && lex.IsDigits(parts[0]) && lex.IsDigits(parts[1]) {
		f.At = &result.Location{Path: file, Line: lex.Atoi(parts[0]), Column: lex.Atoi(parts[1])}
		return
	}
	parts := strings.SplitN(text, ", ", 3)
	if !ok || len(parts) < 3 || file == "" {
		return
	}
	_, column, _ := strings.Cut(parts[1], " ")
	f.At = &result.Location{Path: file, Line: lex.Atoi(parts[0]), Column: lex.Atoi(column)}
	if word, message, said := strings.Cut(parts[2], " - "); said && read.SeverityOf(word) != "" {
		f.Severity, f.RawSeverity = read.SeverityOf(word), word
		f.Message = strings.TrimSuffix(message, " ("+name+")")
	}
}
