package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// python reads the output of any Python program that ended in an exception. It matches no command:
// a script may run any tool, and the tool's own reader then reads the output.
var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("python", result.Generic, 1, "Python 3.8 to 3.14: tracebacks, syntax errors, exception groups, the interpreter's own errors")
	p.Reads(tool.Format{Name: "traceback", Starts: []string{"Traceback (most recent call last):", "╭…─ Traceback (most recent call last)", "+ Exception Group Traceback (most", `File "…", line `}, Parse: read.Fresh(func(p *exceptions) read.Text { return read.Text{Line: p.line, End: p.end} })})
	p.Reads(tool.Format{Name: "messages", Starts: []string{"python…: can't open file '", "/…: can't open file '/", "/…: No module named ", "unknown option -", "Fatal Python error: ", "Timeout (0:…)!", "Extension modules: … (total: ", "*** Error compiling '", `***   File "`, "*** Sorry: "}, Sniff: isInterpreter, Parse: read.Lines((*interpreter).line)})
})

// exceptions reads the tracebacks of one output. An exception that caused another becomes
// a related part of the other's finding.
type exceptions struct {
	trace  read.Traceback
	causes []result.Related
	taken  int    // lines read below the first line of the last message
	block  bool   // inside a block of unittest's, which unittest's reader reads
	stars  bool   // inside compileall's lines about a file ("*** Error compiling …"), which interpreter reads
	member bool   // an exception of a group begins on the next line
	ruled  bool   // a rule "====" of unittest's was read
	heads  int    // number of tracebacks begun
	logged bool   // the line above the traceback is a log record
	before string // the previous line of the output
	above  string // the previous line of the last exception's message
}

// maxMessageLines bounds the lines of a message below its first line.
const maxMessageLines = 12

func (p *exceptions) line(s *read.Sink, l tool.Line) bool {
	if isRule(l.Text, '=') && !p.ruled {
		p.ruled = true
		p.cutHead(s)
	}
	if p.stars = strings.HasPrefix(l.Text, "*** ") || p.stars && l.Text != ""; p.stars {
		return false
	}
	if p.block = (p.block || isRule(l.Text, '=')) && !isUnittestEnd(l.Text); p.block {
		s.Break()
		return false // left to unittest's reader
	}
	if read.IsTraceHead(l.Text) {
		p.logged, p.heads = isLogged(p.before), p.heads+1
	}
	p.before = l.Text
	if p.trace.Line(l.Text) {
		if s.Cover(l); p.trace.Whole() {
			p.found(s, l)
		}
		return true
	}
	if p.trace.More(s.Last(), l.Text) {
		return s.More(l)
	}
	text := strings.TrimLeft(l.Text, " |")
	if word, ok := read.CutLink(text); ok {
		p.link(s, word)
		return true
	}
	switch {
	case isThreadHead(text):
		return true
	case strings.HasPrefix(text, "+-"):
		p.member = len(s.Findings) > 0
		s.Break()
		return p.member
	case p.member && text != "":
		p.member = false
		return p.sub(s, l, text)
	case s.Last() == nil:
		return false
	case text == "" || p.taken >= maxMessageLines && s.Last().Message != "{" || p.above == "}" || p.trace.Left(l.Text) || read.IsDiagnostic(l.Text):
		s.Break()
		return false
	}
	if at, ok := read.YAMLMark(l.Text); ok { // the place of the mistake in a YAML document, rather than in the code that read it
		f := s.Last()
		f.Message, f.At = withReason(f.Message, p.above), &at
	} else if f := s.Last(); p.taken == 0 && strings.HasPrefix(l.Text, "[SQL: ") { // SQLAlchemy adds the statement
		f.Message += " " + lex.Clip(l.Text)
	} else if at, why := configMark(s.Last().Message, l.Text); at != nil && p.taken < result.MaxFrames {
		f := s.Last()
		if f.Message += ": " + why; p.taken == 0 {
			f.At = at
		} else {
			f.Locations = append(f.Locations, *at)
		}
	}
	p.above = l.Text
	p.taken++
	return s.More(l)
}

// configMark returns the place in a document, and the reason, from configparser's messages:
//
//	While reading from 'setup.cfg' [line  3]: option 'x' in section 'a' already exists
//
//	Source contains parsing errors: 'setup.cfg'
//		[line  2]: '=3\n'
func configMark(message, line string) (at *result.Location, why string) {
	path, is := lex.CutAnyPrefix(message, "Source contains parsing errors: '", "While reading from '")
	path, _, quoted := strings.Cut(path, "'")
	_, rest, _ := strings.Cut(line, "[line ")
	number, why, ok := strings.Cut(strings.TrimLeft(rest, " "), "]: ")
	if !is || !ok || !quoted || !lex.IsDigits(number) || len(number) > 8 {
		return nil, ""
	}
	return &result.Location{Path: path, Line: lex.Atoi(number)}, why
}

// withReason adds to a YAML message the line between two places in the document, which says what the parser expected.
func withReason(message, line string) string {
	if line == "" || strings.HasPrefix(line, " ") {
		return message
	}
	return message + ": " + line
}

// cutHead drops the findings above the first block of unittest's if no traceback had a head:
// they are the end of another block, whose head is cut off.
func (p *exceptions) cutHead(s *read.Sink) {
	if p.heads == 0 && len(s.Findings) > 0 {
		s.Findings, s.Covered, s.Signed = nil, nil, false
		s.Break()
	}
}

// isLogged reports whether a line is a log record, such as "12:01 ERROR worker: …". A traceback below it
// is of an exception that the program caught.
func isLogged(line string) bool {
	for _, level := range [...]string{"ERROR", "CRITICAL", "WARNING", "EXCEPTION"} {
		before, after, ok := strings.Cut(line, level)
		if ok && (before == "" || strings.ContainsAny(before[len(before)-1:], " [:|-")) && after != "" && strings.ContainsAny(after[:1], " ]:|-") {
			return true
		}
	}
	return false
}

// isThreadHead reports whether a line introduces the traceback of a thread, a task or a finaliser.
func isThreadHead(text string) bool {
	return strings.HasPrefix(text, "Exception in thread ") || strings.HasPrefix(text, "Exception ignored in: ") || text == "Task exception was never retrieved" || strings.HasPrefix(text, "future: <")
}

// found adds the exception that was read: a diagnostic if the program caught and logged it, else a crash.
func (p *exceptions) found(s *read.Sink, l tool.Line) {
	f := p.trace.Crash(s.Files())
	s.Program = cmp.Or(s.Program, programOf(p.trace.Frames))
	if p.logged || !p.trace.Uncaught() {
		f.Kind = result.Diagnostic
	}
	f.Related, p.causes = p.causes, nil
	raisedAgain(&f)
	if at, _ := configMark(f.Message, f.Message); at != nil {
		f.At = at
	}
	s.Find(l, f)
	p.above = ""
	if s.Signed, p.taken = true, 0; f.Rule == "KeyboardInterrupt" && p.trace.Uncaught() {
		s.Meaning = result.MeansInterrupted
	}
}

// programOf returns the name of the installed program in which a traceback begins: "alembic" for "/usr/bin/alembic",
// "twine" for "…/site-packages/twine/__main__.py".
func programOf(frames []result.Location) string {
	for _, at := range frames[:min(len(frames), 3)] {
		dir, name, _ := lex.CutLast(strings.ReplaceAll(at.Path, `\`, "/"), "/")
		switch _, folder, _ := lex.CutLast(dir, "/"); {
		case name == "__main__.py" && strings.Contains(dir, "site-packages/"):
			return strings.TrimSuffix(folder, ".exe")
		case folder == "bin" && !strings.Contains(name, "."):
			return name
		}
	}
	return ""
}

// raisedAgain corrects the place of an exception that came from another process, which this process raised
// again with the other's traceback as its cause. The finding's place becomes that of the cause.
func raisedAgain(f *result.Finding) {
	if len(f.Related) == 0 || f.At == nil || f.Related[0].At == nil || f.Related[0].Message != result.CausedBy+thrown(f) {
		return
	}
	first := f.Related[0].At
	f.Related[0].At, f.At = f.At, first
}

// sub adds an exception of a group that has no traceback of its own.
func (p *exceptions) sub(s *read.Sink, l tool.Line, text string) bool {
	class := trace.ClassOf(text)
	return class != "" && s.Find(l, shortMessage(result.Finding{Rule: class, Message: text}))
}

// shortMessage removes the exception's class from the message if the rule already names it.
func shortMessage(f result.Finding) result.Finding {
	if rest, ok := strings.CutPrefix(f.Message, f.Rule+": "); ok && rest != "" {
		f.Message = rest
	} else if f.Message == f.Rule {
		f.Rule = ""
	}
	return f
}

// link moves the last exception from the findings to the causes of the exception that follows.
func (p *exceptions) link(s *read.Sink, word string) {
	n := len(s.Findings) - 1
	if n < 0 || s.Dropped > 0 {
		return
	}
	f := s.Findings[n]
	p.causes = append([]result.Related{{Message: word + thrown(&f), At: f.At}}, f.Related...)
	s.Findings = s.Findings[:n]
	s.Break()
}

// end adds causes as findings of their own if the exception that they led to is cut off.
func (p *exceptions) end(s *read.Sink) {
	for _, c := range p.causes {
		cause, _ := c.Cause()
		s.Add(result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Message: cause, At: c.At})
	}
}

// thrown returns the exception as Python prints it: "ValueError: text".
func thrown(f *result.Finding) string {
	if f.Rule == "" || strings.HasPrefix(f.Message, f.Rule) {
		return f.Message
	}
	return f.Thrown() + ": " + f.Message
}
