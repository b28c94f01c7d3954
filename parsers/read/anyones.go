package read

import (
	"slices"
	"strings"
	"unsafe"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Diagnostics reads what any program may print when it fails: one diagnostic a
// line, as compilers and linters write it; "error: text" and "PROGRAM: text";
// a sentence of alarm with a place in it. Nothing says whose they are.
func Diagnostics(in *tool.Input) *tool.Report {
	a := anyones{programs: programsOf(in)}
	a.forms = a.template.formsIn(in.Command(), nil)
	return Text{Line: a.line, Count: a.count, Passes: a.passes, End: a.end}.Parse(in)
}

// anyones is what is kept of an output in which no tool is known.
type anyones struct {
	Framed
	programs []string    // that the command runs
	own      []tool.Line // what they say of themselves without a word of alarm: the last ones
	alarms   []tool.Line // lines of alarm that have no form; two are enough to know that there are several
	lines    int
	template Template
	forms    [][]*Form // of templates on the command line
	call     howto
	yaml     YAMLMarks
	table    table
	thrown   thrown
	headed   bool            // the word "Error:" stood alone: the next line says which
	path     []byte          // of the last finding, where it is not kept, …
	at       result.Location // … and where in it,
	said     []byte          // or the sentence that may name it
}

// maxOwn bounds what is kept of a program's own lines. In an output of at most maxShort
// lines, the only line with a word of alarm is taken for the reason.
const (
	maxOwn   = 64
	maxShort = 10
)

func programsOf(in *tool.Input) (programs []string) {
	command := in.Command()
	programs = append(programs, command.Program())
	for _, l := range command.Listed {
		programs = append(programs, l.Program())
	}
	return programs
}

func (a *anyones) line(s *Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if text == "" {
		return false
	}
	a.lines++
	if len(a.forms) > 0 && a.template.line(a.forms, s, l, new(bool)) {
		return true
	}
	if a.call.told(s, l) || a.yaml.Line(s, l) || a.Line(s, l) || a.table.line(s, l, text) || a.thrown.line(s, l, text) {
		return true
	}
	if isPrefixedFrame(text) {
		return false
	}
	if headed := a.headed; headed || text == "Error:" || text == "ERROR:" {
		a.headed = !headed
		return headed && a.underHead(s, l)
	}
	rest, own := a.cutProgram(text)
	f, ok := a.toldBy(rest, own)
	switch {
	case ok && f.Severity == result.SevInfo:
		return false
	case !ok && own && tellsTrouble(rest) && !isHeading(rest):
		f, ok = result.Finding{Kind: result.GenericFinding, Message: text}, true
	case ok && own && f.At == nil:
		f.Message = text
	}
	if !ok {
		if len(s.Findings) == 0 {
			a.keep(l, own, rest)
		}
		return false
	}
	caret, below := strings.CutPrefix(f.Message, "^ ")
	if below && f.At != nil && a.isUnder(s, *f.At) { // the finding before it is the source that the caret stands under
		if last := s.Last(); last != nil {
			last.Message = caret
		}
		s.More(l)
		return true
	}
	if s.Find(l, f); s.Last() == nil {
		a.remember(f.At)
	}
	return true
}

// isPrefixedFrame: "[11ty]     at f (node_modules/a.js:3:5)", a line of a stack behind
// the name of what printed it.
func isPrefixedFrame(text string) bool {
	name, rest, ok := strings.Cut(text, "] ")
	rest = strings.TrimLeft(rest, " ")
	if !ok || !strings.HasPrefix(name, "[") || !strings.HasPrefix(rest, "at ") {
		return false
	}
	_, ok = frame.Cut(rest)
	return ok
}

// underHead takes the line below the word "Error:", unless it is a place or a sentence
// that has a form of its own.
func (a *anyones) underHead(s *Sink, l tool.Line) bool {
	f, ok := a.toldBy(l.Text, false)
	if !ok {
		f = result.Finding{Kind: result.GenericFinding, Message: l.Text}
	}
	s.Find(l, f)
	return true
}

// isUnder: the last finding has this place.
func (a *anyones) isUnder(s *Sink, at result.Location) bool {
	if last := s.Last(); last != nil {
		return last.At != nil && *last.At == at
	}
	if len(a.said) > 0 {
		a.remember(a.within(string(a.said)))
	}
	path := at.Path
	at.Path = ""
	return s.Open() && at == a.at && path == string(a.path)
}

// remember keeps the place of a finding that is not kept.
func (a *anyones) remember(at *result.Location) {
	a.path, a.at, a.said = a.path[:0], result.Location{}, a.said[:0]
	if at != nil {
		a.path, a.at = append(a.path, at.Path...), *at
		a.at.Path = ""
	}
}

// rememberIn is remember for the place that a sentence names, if it does: hardly ever is
// it asked for.
func (a *anyones) rememberIn(text string) { a.said = append(a.said[:0], text...) }

// keep remembers a line that may be the reason if nothing else is.
func (a *anyones) keep(l tool.Line, own bool, rest string) {
	switch {
	case own && rest != "":
		if a.own = append(a.own, l); len(a.own) > maxOwn {
			a.own = slices.Delete(a.own, 0, 1)
		}
	case len(a.alarms) < 2 && alarms(l.Text) && !slices.ContainsFunc(noReason[:], func(is func(string) bool) bool { return is(l.Text) }):
		a.alarms = append(a.alarms, l)
	}
}

// noReason are the kinds of lines that hold a word of alarm and do not say why a
// command failed.
var noReason = [...]func(line string) bool{isBinary, isMarkup, isHeading, isTally, warns, isQuoted, denies}

func isBinary(line string) bool { return strings.ContainsRune(line, '\uFFFD') }

// isHeading: what it announces stands below it.
func isHeading(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " "), ":") }

// warns: "warning: …", and what a program says under its own name: "npm warn Unknown user
// config", "pnpm notice …".
func warns(line string) bool {
	if name, rest, ok := strings.Cut(line, " "); ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" && strings.HasPrefix(rest, "notice ") {
		return true
	} else if ok && strings.HasPrefix(rest, "warn ") || strings.HasPrefix(rest, "WARN ") {
		line = rest
	}
	return len(line) >= 4 && strings.EqualFold(line[:4], "warn")
}

// isQuoted: a line of a difference, of a mail, or of a table.
func isQuoted(text string) bool {
	return strings.IndexByte("<>+-|#", text[0]) >= 0 || strings.Contains(text, " | ") || strings.Contains(text, " │ ")
}

// denies: a sentence says that nothing failed: "no errors", "nothing failed".
func denies(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	for i, word := range words[:max(0, len(words)-1)] {
		counts := slices.ContainsFunc(counted[:], func(w string) bool { return strings.HasPrefix(words[i+1], w) })
		if counts && lex.IsOneOf(word, "no nothing none never without zero") {
			return true
		}
	}
	return false
}

// end: where a program tells how it is to be called, and of nothing but one
// trouble, that trouble is the command line.
func (a *anyones) end(s *Sink) {
	if len(s.Findings) == 0 {
		a.lastReason(s)
	}
	if a.call.usage && len(s.Findings) == 1 && s.Findings[0].At == nil {
		s.Meaning = result.MeansUsage
	}
}

// lastReason takes what a program said last of itself, and what it said in the
// same words before; else the only line of a short output that has a word of alarm.
func (a *anyones) lastReason(s *Sink) {
	reasons := a.own
	if n := len(a.own); n > 0 {
		why := lastWords(a.own[n-1].Text)
		reasons = slices.DeleteFunc(slices.Clone(a.own), func(l tool.Line) bool { return lastWords(l.Text) != why })
	} else if len(a.alarms) == 1 && a.lines <= maxShort {
		reasons = a.alarms
	}
	for _, l := range reasons {
		message, _, _ := cutLevel(l.Text)
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message, At: a.within(l.Text)})
	}
}

// isMarkup: a line of a document that no reader took.
func isMarkup(text string) bool {
	text = strings.TrimLeft(text, " \t[")
	return text != "" && strings.IndexByte("<{\"", text[0]) >= 0
}

func lastWords(text string) string { return text[strings.LastIndex(text, ": ")+1:] }

// within is the place that a sentence names, unless it is in the program itself.
func (a *anyones) within(text string) *result.Location {
	at := place.InSentence(text)
	if at != nil && (strings.HasPrefix(at.Path, "/usr/") || slices.Contains(a.programs, at.Path)) {
		return nil
	}
	return at
}

// cutProgram takes "PROGRAM: ", "/usr/bin/PROGRAM: ", "PROGRAM[17]: ", "PROGRAM v1.8
// (nft): " off a line.
func (a *anyones) cutProgram(text string) (rest string, own bool) {
	for _, p := range a.programs {
		if text[0] == '/' {
			if path, behind, ok := strings.Cut(text, ": "); ok && strings.HasSuffix(path, "/"+p) {
				return behind, true
			}
		}
		behind, ok := strings.CutPrefix(text, p)
		if !ok || p == "" {
			continue
		}
		if rest, ok = strings.CutPrefix(behind, ": "); ok {
			return rest, true
		}
		version, rest, ok := strings.Cut(behind, ": ")
		if ok && len(version) < 24 && (strings.HasPrefix(version, "[") || strings.HasPrefix(version, " v") && len(version) > 2 && lex.IsDigits(version[2:3])) {
			return rest, true
		}
	}
	return text, false
}

// toldBy is the finding that a line reports by its form. For a line of mere
// information its severity is info, and the caller drops it.
func (a *anyones) toldBy(text string, own bool) (f result.Finding, ok bool) {
	bare, word, timed := cutLevel(text)
	severity := SeverityOf(word)
	if severity == result.SevInfo {
		return result.Finding{Severity: result.SevInfo}, true
	}
	logged := severity != "" && strings.HasPrefix(text[len(word):], " ") && strings.EqualFold(text[:len(word)], word) // "ERROR a.rst:3 text": the word is no part of the path
	if f, ok = placed(text, severity); ok && !logged {
		return f, true
	}
	if len(bare) != len(text) { // a time or a word was cut off
		if f, ok = placed(bare, severity); ok {
			return f, true
		}
	}
	if text[0] != ' ' && text[0] != '\t' && (severity != "" || own || saysLine(text) || alarms(text) && !isTally(text)) {
		if at := a.within(text); at != nil {
			return sentence(severity, bare, at), true
		}
	}
	switch {
	case severity == result.SevError && bare != "" && timed:
		return result.Finding{Kind: result.GenericFinding, Message: bare}, true
	case severity == result.SevError && bare != "":
		return result.Finding{Kind: result.GenericFinding, Message: strings.TrimSpace(text)}, true
	case severity == result.SevWarning: // without a place it explains no failure
		return result.Finding{Severity: result.SevInfo}, true
	}
	if f, ok = unformatted(text); ok {
		return f, true
	}
	return ofFile(text)
}

// sentence is the finding of a sentence that names a place. A code at its beginning is the
// rule, and the place at its end no part of the message: "[TRY203] text - src/t.py:3:4".
func sentence(severity result.Severity, text string, at *result.Location) result.Finding {
	message, rule := cutCode(text)
	if head, tail, ok := strings.Cut(message, " - "); ok && rule != "" && strings.HasPrefix(tail, at.Path+":") {
		message = head
	}
	return result.Finding{Severity: severity, Rule: rule, Message: message, At: at}
}

// unformatted reads what formatters say of a file when they only look: "F would be reformatted".
func unformatted(text string) (f result.Finding, ok bool) {
	for _, ending := range [...]string{" would be reformatted", " would be formatted", " needs formatting", " is not formatted", " is not formatted correctly", ": needs formatting", ": not formatted"} {
		if path, is := strings.CutSuffix(strings.TrimSuffix(text, "."), ending); is && place.IsFile(path) && !strings.Contains(path, ": ") {
			return result.Finding{Rule: "unformatted", Message: text[len(path)+1:], At: &result.Location{Path: path}, Fixable: true}, true
		}
	}
	return f, false
}

// saysLine: a line that begins with "F line 3: ".
func saysLine(text string) bool {
	words := strings.SplitN(text, " ", 4)
	return len(words) == 4 && words[1] == "line" && place.IsFile(words[0]) && strings.HasSuffix(words[2], ":")
}

// placed reads a line that begins with a place, if it is a diagnostic: it has a
// severity, or its path is that of a source, or its words tell of a failure.
func placed(text string, severity result.Severity) (f result.Finding, ok bool) {
	d, ok := CutDiagnostic(cutMark(strings.TrimLeft(text, " \t")))
	if !ok || d.Word == "" && (text[0] == ' ' || text[0] == '\t') && !isListed(text, d.At.Path) {
		return f, false
	}
	if d.Word == "syntax error" {
		d.Message = text[strings.Index(text, d.Word):]
	}
	path := d.At.Path
	known := d.Word != "" || severity != ""
	between := text[:max(0, len(text)-len(d.Message))]
	switch {
	case SeverityOf(d.Word) == result.SevInfo:
		return result.Finding{Severity: result.SevInfo}, true
	case place.IsHost(d.At), shell.IsShellName(text), len(path) > 2 && path[1] == ':' && path[2] == ' ', isProse(path):
		return f, false
	case !known && !strings.Contains(between, ":"), !known && !isSource(path) && !(strings.Contains(between, "line ") && place.IsFile(path)) && !alarms(d.Message):
		return f, false
	}
	d.Message, d.Rule = cutAnyRule(d.Message)
	if f = (Linter{}).finding(d); f.Severity == "" {
		f.Severity = severity
	}
	return f, true
}

// cutAnyRule takes the rule off a message wherever tools write it: "E305 text", "[MD009]
// text", "text [rule]" and "text (some-rule)". A mark for what can be mended is no rule.
func cutAnyRule(message string) (rest, rule string) {
	for _, mark := range [...]string{" [*]", " [fixable]"} {
		message = strings.TrimSuffix(message, mark)
	}
	if rest, rule = cutCode(message); rule != "" {
		rest, _ = Brackets.Cut(rest) // the tool that has the code
		return rest, rule
	}
	if rest, rule = Brackets.Cut(message); rule != "" {
		return rest, rule
	}
	if rest, rule = Parens.Cut(message); rest != "" && strings.ContainsAny(rule, "-/") && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789-/@") == "" && strings.Trim(rule, "0123456789-/") != "" {
		return rest, rule
	}
	if word, text, ok := strings.Cut(message, " "); ok && strings.Contains(word, "-") && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && text != "" && 'A' <= text[0] && text[0] <= 'Z' {
		return text, word // "require-lock-timeout Missing …"
	}
	return message, ""
}

// cutCode takes a code off the beginning of a text: "E305 text", "DOC03: text", "[MD009] text".
func cutCode(text string) (rest, code string) {
	code, rest, ok := strings.Cut(text, " ")
	code = strings.TrimSuffix(code, ":")
	if n := len(code); n > 2 && code[0] == '[' && code[n-1] == ']' {
		code = code[1 : n-1]
	}
	letters := strings.TrimRight(code, "0123456789")
	digits := len(code) - len(letters)
	letters = strings.TrimSuffix(letters, "-")
	if !ok || rest == "" || letters == "" || len(letters) > 8 || digits < 2 || digits > 5 || strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || lex.IsOneOf(letters, "UTF ISO SHA HTTP IPV PEP RFC CVE") {
		return text, ""
	}
	return rest, code
}

// isListed: a row of a list, which two blanks stand before and whose path leads to a
// source.
func isListed(text, path string) bool {
	return strings.HasPrefix(text, "  ") && text[2] != ' ' && isSource(path) && strings.Contains(path, "/")
}

// isProse: the words before a place are a sentence, whose last word is the place.
func isProse(path string) bool {
	i := strings.IndexByte(path, ' ')
	return i > 0 && !strings.ContainsAny(path[:i], `/\`) && strings.Count(path, " ") > 1
}

// ofFile reads "F: error: text", which names a file and no line of it.
func ofFile(text string) (f result.Finding, ok bool) {
	path, rest, ok := strings.Cut(text, ": ")
	if !ok || !place.IsFile(path) || strings.Contains(path, ":") {
		return f, false
	}
	word, message := CutSeverity(rest)
	severity := SeverityOf(word)
	if bare, rule := cutCode(rest); severity == "" && rule != "" { // "F: E001 text"
		return result.Finding{Rule: rule, Message: bare, At: &result.Location{Path: path}}, true
	}
	if severity == "" || !strings.HasPrefix(rest[len(word):], ":") {
		return f, false
	}
	return result.Finding{Severity: severity, RawSeverity: word, Message: message, At: &result.Location{Path: path}}, true
}

// alarms: a line has a word that reports a failure, whatever the tool.
func alarms(text string) bool {
	l := term.RawLine{Text: unsafe.Slice(unsafe.StringData(text), len(text))} // lent: it is only looked at
	scan.NewScanner().Look(&l)
	return l.Alarm >= 0
}

// troubleWords are what programs say beside the words of alarm, where it is known
// that they speak of themselves.
var troubleWords = [...]string{"not ", "n't ", "bad ", "illegal", "unrecogni", "no valid", "malformed", "duplicate", "incorrect", "wrong ", "already exist", "ambiguous", "exist"}

func tellsTrouble(text string) bool {
	low := strings.ToLower(text)
	return alarms(text) || slices.ContainsFunc(troubleWords[:], func(w string) bool { return strings.Contains(low, w) })
}

// counted are the beginnings of words for what a closing line counts.
var counted = [...]string{"error", "fail", "warn", "problem", "issue", "test", "pass", "assert"}

// isTally: a line counts failures, and reports none: "2 errors", "failures=4".
func isTally(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t,;:=|()[]", r) })
	for i := 0; i+1 < len(words); i++ {
		for _, w := range counted {
			if lex.IsDigits(words[i]) && strings.HasPrefix(words[i+1], w) || lex.IsDigits(words[i+1]) && strings.HasPrefix(words[i], w) {
				return true
			}
		}
	}
	return false
}

// isSource: the path has an ending, as files of source have.
func isSource(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	i := strings.LastIndexByte(base, '.')
	return i > 0 && len(base)-i <= 8 && !strings.ContainsAny(base[i:], " ")
}
