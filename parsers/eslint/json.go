package eslint

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unsafe"

	"cairn/parsers/read"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintJSONStarts: json and json-with-metadata are one line, with the absolute
// path of the first file at its beginning.
var eslintJSONStarts = []string{`[{"filePath":"`, `{"results":[{"filePath":"`}

// eslintFile is what eslint found in a file.
type eslintFile struct {
	FilePath            string
	Messages            []eslintMessage
	Source              string
	ErrorCount          int
	WarningCount        int
	FixableErrorCount   int
	FixableWarningCount int
}

type eslintMessage struct {
	RuleID      string `json:"ruleId"`
	Severity    int
	Message     string
	Line        int
	Column      int
	EndLine     int
	EndColumn   int
	Fix         *eslintFix
	Suggestions []struct {
		Desc string
		Fix  *eslintFix
	}
}

// eslintFix replaces a range of the source, in UTF-16 units from its beginning.
type eslintFix struct {
	Range [2]int
	Text  string
}

func parseESLintJSON(in *tool.Input) *tool.Report {
	run := newESLintRun(in)
	docs, whole, problems, errors := 0, true, 0, 0
	for l := range in.Lines() {
		if !strings.HasPrefix(l.Text, eslintJSONStarts[0]) && !strings.HasPrefix(l.Text, eslintJSONStarts[1]) {
			run.aside(l)
			continue
		}
		s := jsonElements{take: func(item []byte, start, end int64) {
			run.rep.Signed = run.rep.Signed || bytes.Contains(item, []byte(`"usedDeprecatedRules":`)) || bytes.Contains(item, []byte(`"fatalErrorCount":`))
			file, ok := readESLintFile(item, len(run.rep.Findings) >= tool.MaxFindings)
			whole = whole && ok
			problems, errors = problems+file.ErrorCount+file.WarningCount, errors+file.ErrorCount
			run.file(&file, read.PartOfLine(l, start, end))
		}}
		for at, piece := range read.WholeLine(in, l) {
			s.feed(at, piece)
		}
		docs++
		whole = whole && s.whole()
		run.own(l)
	}
	if docs == 0 {
		return nil
	}
	run.rep.Claimed, run.sure = errors, true
	run.missing(problems)
	return run.finish(whole)
}

// readESLintFile reads an element of the list, or only its counts. Most files
// are clean, and hold nothing that is worth reading.
func readESLintFile(item []byte, onlyCounts bool) (f eslintFile, ok bool) {
	if onlyCounts {
		if counts, ok := countESLintFile(unsafe.String(unsafe.SliceData(item), len(item))); ok {
			return counts, true
		}
	}
	if bytes.Contains(item, []byte(`"messages":[],`)) {
		return f, true
	}
	if onlyCounts {
		return f, false
	}
	ok = json.Unmarshal(item, &f) == nil && f.FilePath != ""
	return f, ok
}

// countESLintFile keeps nothing of the item.
func countESLintFile(item string) (f eslintFile, ok bool) {
	jsontext.Numbers(item, func(key string, n int) {
		switch key {
		case "errorCount":
			f.ErrorCount, ok = n, true
		case "warningCount":
			f.WarningCount = n
		case "fixableErrorCount":
			f.FixableErrorCount = n
		case "fixableWarningCount":
			f.FixableWarningCount = n
		}
	})
	return f, ok
}

func (r *eslintRun) file(file *eslintFile, l tool.Line) {
	r.fixable(file.FixableErrorCount + file.FixableWarningCount)
	if file.Messages == nil {
		r.rep.Drop(result.SevError, file.ErrorCount)
		r.rep.Drop(result.SevWarning, file.WarningCount)
	}
	var lines []int
	for i := range file.Messages {
		m := &file.Messages[i]
		at := result.Location{Path: file.FilePath, Line: max(m.Line, 0), Column: max(m.Column, 0), EndLine: max(m.EndLine, 0), EndColumn: max(m.EndColumn, 0)}
		if r.rep.Full(eslintSeverity(m.Severity != 1)) {
			continue
		}
		f := eslintProblem(m.RuleID, m.Message, m.Severity != 1, at, l)
		if lines == nil && file.Source != "" && (m.Fix != nil || len(m.Suggestions) > 0) {
			lines = utf16Lines(file.Source)
		}
		m.help(&f, file.FilePath, lines)
		r.rep.Add(f)
	}
}

// help adds what eslint proposes. --fix does a fix; a suggestion is for an
// editor, for it may change what the program does.
func (m *eslintMessage) help(f *result.Finding, path string, lines []int) {
	if m.Fix != nil {
		f.Fixable = true
		f.Fixes = append(f.Fixes, m.Fix.fix("", "safe", path, lines))
	}
	for _, s := range m.Suggestions {
		f.Suggestions = append(f.Suggestions, s.Desc)
		if s.Fix != nil {
			f.Fixes = append(f.Fixes, s.Fix.fix(s.Desc, "unsafe", path, lines))
		}
	}
}

func (x *eslintFix) fix(what, applicability, path string, lines []int) result.Fix {
	fix := result.Fix{Description: what, Applicability: applicability}
	if len(lines) > 0 && x.Range[0] >= 0 && x.Range[0] <= x.Range[1] {
		fix.Edits = []result.Edit{{Path: path, Start: utf16Position(lines, x.Range[0]), End: utf16Position(lines, x.Range[1]), Text: x.Text}}
	}
	return fix
}

// utf16Lines gives where the lines of a source begin, in UTF-16 units, by the
// line terminators of ECMAScript.
func utf16Lines(source string) []int {
	lines, n := []int{0}, 0
	for i, c := range source {
		n++
		if c > 0xffff {
			n++
		}
		if c == '\n' || c == '\u2028' || c == '\u2029' || c == '\r' && (i+1 == len(source) || source[i+1] != '\n') {
			lines = append(lines, n)
		}
	}
	return lines
}

// utf16Position is the offset as "line:column", both from 1.
func utf16Position(lines []int, offset int) string {
	line := len(lines) - 1
	for low := 0; low < line; {
		if mid := (low + line + 1) / 2; lines[mid] <= offset {
			low = mid
		} else {
			line = mid - 1
		}
	}
	return strconv.Itoa(line+1) + ":" + strconv.Itoa(offset-lines[line]+1)
}

// jsonElements takes the objects out of the first list of a JSON document that
// arrives in pieces, and holds one of them at a time.
type jsonElements struct {
	take func(item []byte, start, end int64)

	depth, list      int // levels that are open; at which the list's elements are
	quoted, escape   bool
	item             []byte
	start            int64
	tooLong, started bool
}

func (s *jsonElements) feed(at int64, piece string) {
	from := 0 // of what belongs to the item that is open
	for i := 0; i < len(piece); i++ {
		if s.quoted {
			if i = s.unquote(piece, i); i == len(piece) {
				break
			}
		}
		c := piece[i]
		switch c {
		case '"':
			s.quoted = true
		case '[', '{':
			if c == '{' && s.list > 0 && s.depth == s.list {
				from, s.start, s.item = i, at+int64(i), s.item[:0]
			}
			s.depth++
			s.started = true
			if c == '[' && s.list == 0 {
				s.list = s.depth
			}
		case ']', '}':
			s.depth--
			if c == '}' && s.list > 0 && s.depth == s.list {
				s.hold(piece[from : i+1])
				s.take(s.item, s.start, at+int64(i)+1)
			}
			if c == ']' && s.depth < s.list {
				s.list = -1 // the list has ended
			}
		}
	}
	if s.list > 0 && s.depth > s.list {
		s.hold(piece[from:])
	}
}

// unquote finds what follows a string that is open at i.
func (s *jsonElements) unquote(piece string, i int) int {
	for i < len(piece) {
		if s.escape {
			s.escape = false
			i++
			continue
		}
		n := strings.IndexByte(piece[i:], '"')
		if n < 0 {
			n = len(piece) - i
		}
		if k := strings.IndexByte(piece[i:i+n], '\\'); k >= 0 {
			s.escape = true
			i += k + 1
			continue
		}
		if i += n; i < len(piece) {
			s.quoted = false
			i++
			break
		}
	}
	return i
}

func (s *jsonElements) hold(piece string) {
	if len(s.item)+len(piece) > maxESLintFile {
		s.tooLong = true
		return
	}
	s.item = append(s.item, piece...)
}

// maxESLintFile bounds what is kept of one file: its source stands in it, and
// that of a bundle is a few megabytes long.
const maxESLintFile = 16 << 20

// whole: the document ended, and nothing in it was too long.
func (s *jsonElements) whole() bool {
	return s.started && s.depth == 0 && !s.quoted && !s.tooLong
}
