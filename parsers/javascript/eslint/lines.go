package eslint

import (
	"path"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// lineFormat is a format that prints one problem after the other, in one line or, if its message has several, in
// several.
type lineFormat struct {
	begins  []*read.Form // the beginning of a problem's first line
	whole   []*read.Form // all lines of a problem
	alone   []*read.Form // the first line of a problem that has no mark at its end
	late    bool         // a message continues up to the next problem
	ruled   bool         // a problem has a rule, if only "null", or is a file that does not parse
	common  bool         // many tools print such lines: only a rule, or a file that does not parse, shows eslint
	first   []*read.Form // enough of a problem to count it; none if that takes all of it
	mark    string       // a part that tells its lines from others that begin alike; "": only all of a line does
	source  bool         // the source follows, and the counts are those of errors and of warnings
	endless bool         // no closing line: the report is complete if its last line is
}

func forms(texts ...string) (all []*read.Form) {
	for _, text := range texts {
		all = append(all, read.FormOf(text))
	}
	return all
}

// declared returns such a format as a parser declares it.
func declared(name string, starts []string, format func() *lineFormat) tool.Format {
	format = sync.OnceValue(format)
	return tool.Format{Name: name, Starts: starts, Sniff: func(line string) bool { return format().sniff(line) }, Parse: func(in *tool.Input) *tool.Report { return format().parse(in) }}
}

// unix prints "path:3:7: message [Error/rule]".
func unix() *lineFormat {
	return &lineFormat{
		mark: "]", first: forms("{path}:{line}:{column}: {} [{severity}/{}]", "{path}:{line}:{column}: {} [{severity}]"),
		begins: forms("{path}:{line}:{column}:{}"),
		whole:  forms("{path}:{line}:{column}:{message} [{severity}/{rule}]", "{path}:{line}:{column}:{message} [{severity}]"),
	}
}

// compact prints "path: line 3, col 7, Error - message (rule)".
func compact() *lineFormat {
	return &lineFormat{
		mark: ": line ", first: forms("{path}: line {line}, col {column}, {severity} -{}"),
		begins: forms("{path}: line {line}, col {column}, {severity} -{}"),
		whole:  forms("{path}: line {line}, col {column}, {severity} -{message} ({rule})"),
		alone:  forms("{path}: line {line}, col {column}, {severity} -{message}"),
	}
}

// studio prints, for Visual Studio, "path(3,7): error rule : message".
func studio() *lineFormat {
	return &lineFormat{
		late: true, common: true,
		begins: forms("{path}({line},{column}): {severity} {rule} :{}", "{path}({line},{column}): {severity} :{}", "{path}({line}): {severity} {rule} :{}", "{path}({line}): {severity} :{}"),
		whole:  forms("{path}({line},{column}): {severity} {rule} :{message}", "{path}({line},{column}): {severity} :{message}", "{path}({line}): {severity} {rule} :{message}", "{path}({line}): {severity} :{message}"),
	}
}

// standard, a program that runs eslint with its own rules, prints "  path:3:7: message (rule) (warning)".
func standard() *lineFormat {
	return &lineFormat{
		ruled: true, common: true, endless: true,
		begins: forms("  {path}:{line}:{column}: {}"),
		whole:  forms("  {path}:{line}:{column}: {message} ({rule}) ({severity})", "  {path}:{line}:{column}: {message} ({rule})", "  {path}:{line}:{column}: {message}"),
	}
}

// codeframe prints the whole problem in a line, with the path relative to the directory where eslint ran, the source
// around the place, two empty lines and, at the end, the counts:
//
//	error: Missing semicolon (semi) at src/a.js:1:23:
//	> 1 | let b = 'x'
//	    |            ^
//	  2 | debugger;
//
//
//	1 error and 2 warnings found.
//
// The message loses its full stop. A problem of the whole file has no position.
func codeframe() *lineFormat {
	return &lineFormat{
		ruled: true, source: true,
		begins: forms("error:{}", "warning:{}"),
		whole: forms("{severity}:{message} ({rule}) at {path}:{line}:{column}", "{severity}:{message} at {path}:{line}:{column}",
			"{severity}:{message} ({rule}) at {path}", "{severity}:{message} at {path}"),
	}
}

// match fills p with what the lines of a problem say, and returns false if they are not all of its lines.
func (f *lineFormat) match(p *result.Finding, forms []*read.Form, text string) bool {
	closed := false
	if f.source {
		text, closed = strings.CutSuffix(text, ":")
	}
	for _, form := range forms {
		m, is := form.Match(text)
		if !is {
			continue
		}
		*p = result.Finding{}
		m.Fill(p, "")
		fatal, none := isESLintFatal(p.Message), p.Rule == "null"
		if f.source && p.Rule == "" {
			if before, last, several := lex.CutLast(p.At.Path, " at "); several {
				p.Message, p.At.Path = p.Message+" at "+before, last
			}
		}
		ruled := none || isRuleOf(p.Message, p.Rule) && strings.ContainsAny(p.Rule, "abcdefghijklmnopqrstuvwxyz")
		ofFile := none || f.source && fatal && isFileName(p.At.Path, closed)
		foreign := p.Rule != "" && !ruled || p.Rule == "" && f.ruled && !fatal
		if placed := !f.source || p.At.Line > 0 || ofFile; foreign || !placed {
			continue
		}
		if none {
			p.Rule = ""
		}
		return true
	}
	return false
}

// isFileName reports whether s can be a file's name: it has an extension and, unless closed says that it ends here,
// no blank.
func isFileName(s string, closed bool) bool {
	return path.Ext(s) != "" && !strings.ContainsAny(path.Ext(s), " :") && (closed || !strings.Contains(s, " "))
}

func (f *lineFormat) sniff(line string) bool {
	if f.mark != "" {
		return strings.Contains(line, f.mark)
	}
	if f.endless && !strings.HasPrefix(line, "  ") {
		return false // most lines; this saves the matching
	}
	var p result.Finding
	line = strings.TrimRight(line, " \t")
	return (f.match(&p, f.whole, line) || f.match(&p, f.alone, line)) && (!f.common || p.Rule != "" || isESLintFatal(p.Message))
}

// lineReader reads such a format.
type lineReader struct {
	*eslint
	*lineFormat
	found result.Finding // the problem that was matched
	text  string         // what is read of the open problem
	lines []tool.Line    // its lines
}

func (f *lineFormat) parse(in *tool.Input) *tool.Report {
	e := &lineReader{eslint: newESLint(in), lineFormat: f}
	rep := read.Text{Line: e.read, Count: e.count, Turn: e.turn, End: func(s *read.Sink) { e.turn(s); e.end(s) }}.Parse(in)
	return e.finish(rep, e.complete())
}

// count replaces read for problems in one line, once no more findings are kept.
func (e *lineReader) count(s *read.Sink, l tool.Line) (own, known bool) {
	for i := 0; i < len(e.first) && len(e.lines) == 0; i++ {
		if m, ok := e.first[i].Match(l.Text); ok {
			e.begun, e.counted = true, false
			return s.Tell(l, m.Severity()), true
		}
	}
	return false, false
}

func (e *lineReader) read(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " \t")
	begins := func(form *read.Form) bool { _, ok := form.Match(text); return ok }
	var next result.Finding
	whole := !e.late && e.match(&next, e.whole, text)
	switch {
	case whole || slices.ContainsFunc(e.begins, begins):
		e.close(s)
		if e.text, e.lines, e.found = text, append(e.lines, l), next; whole {
			e.add(s)
		}
		return false // the finding covers this line
	case e.source && s.Open() && trace.IsFrameSource(text):
		return e.shown(s, l, text)
	case e.total(s, text):
		e.counted = l.Ended || strings.HasSuffix(text, " problems") // xo ends no line behind it
	case e.counted && strings.HasSuffix(text, eslintFixable):
		e.fixableLine(text)
	case e.endless && strings.HasPrefix(text, "standard: "), text != "" && e.aside(s, l):
	case len(e.lines) > 0:
		e.text, e.lines = e.text+"\n"+text, append(e.lines, l)
		if !e.late && e.match(&e.found, e.whole, e.text) {
			e.add(s)
		} else if len(e.lines) > maxESLintTail {
			e.close(s)
		}
		return false
	default:
		if text != "" {
			s.Break()
		}
		return false
	}
	return true
}

// add adds the problem that was matched.
func (e *lineReader) add(s *read.Sink) {
	f := eslintProblem(e.found.Rule, e.found.Message, e.found.Severity != result.SevWarning, *e.found.At)
	s.Find(e.lines[0], f)
	if f.Detail != "" {
		s.MoreText(e.lines[0], f.Detail)
	}
	for _, l := range e.lines {
		s.Reach(l)
		e.begun, e.counted = true, e.endless && l.Ended
	}
	if e.lines = e.lines[:0]; !e.source {
		s.Break()
	}
}

// close ends the open problem, and adds it if no mark was to come.
func (e *lineReader) close(s *read.Sink) {
	if len(e.lines) == 0 {
		return
	}
	if e.late && e.match(&e.found, e.whole, e.text) {
		e.lines = trimBlank(e.lines)
		e.add(s)
	} else if e.alone != nil && e.match(&e.found, e.alone, strings.TrimRight(e.lines[0].Text, " \t")) {
		e.lines = e.lines[:1]
		e.add(s)
	}
	e.lines = e.lines[:0]
}

func (e *lineReader) turn(s *read.Sink) {
	e.close(s)
	e.endStream()
}

// shown takes a line of the source.
func (e *lineReader) shown(s *read.Sink, l tool.Line, text string) bool {
	if number, ok := strings.CutPrefix(text, "> "); ok && s.Last() != nil && s.Last().At.Line == 0 { // eslint leaves out the line if the column is 0
		number, _, _ = strings.Cut(number, "|")
		s.Last().At.Line = lex.Atoi(strings.TrimSpace(number))
	}
	return s.More(l)
}

// total reads the closing line: "46 problems" or, of codeframe, "22 errors and 38 warnings found.".
func (e *lineReader) total(s *read.Sink, text string) bool {
	if len(s.Findings)+len(e.lines) == 0 {
		return false
	}
	counts, found := strings.CutSuffix(text, " found.")
	if !e.source {
		n, rest, ok := lex.CutCount(text, "problem")
		if ok = ok && rest == ""; ok {
			e.close(s)
			e.problems += n
		}
		return ok
	}
	for part := range strings.SplitSeq(counts, " and ") {
		n, isError, known := cutPrettyCount("  " + part)
		if !found || !known {
			return false
		}
		e.counts(n, n*lex.Btoi(isError))
	}
	e.close(s)
	return s.Break()
}

// trimBlank removes empty lines from the end.
func trimBlank(lines []tool.Line) []tool.Line {
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
