package eslint

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintFrames reads the codeframe format: a line with the whole problem, in which the path is relative to the
// directory where eslint ran, the source around the place, two empty lines; at the end, the counts.
//
//	error: Missing semicolon (semi) at src/a.js:1:23:
//	> 1 | let b = 'x'
//	    |            ^
//	  2 | debugger;
//
//
//	1 error and 2 warnings found.
//
// The message loses its full stop. A file that does not parse has no rule; another problem without a rule has
// "(null)".
type eslintFrames struct {
	*eslint
	text    string // text of the open problem, without its severity
	isError bool
	lines   []tool.Line // lines of the open problem's message
	open    bool

	begun, counted bool // begun: a problem follows the last closing line; counted: the last line was a closing line
	cut, ended     bool // cut: a stream lacks its closing line; ended: a stream has one
}

func parseESLintFrames(in *tool.Input) *tool.Report {
	c := &eslintFrames{eslint: newESLint(in)}
	rep := read.Text{Line: c.read, Turn: c.turn, End: func(s *read.Sink) { c.turn(s); c.end(s) }}.Parse(in)
	return c.finish(rep, !c.cut && c.ended)
}

func (c *eslintFrames) turn(*read.Sink) {
	c.cut, c.ended = c.cut || c.begun && !c.counted, c.ended || c.counted
	c.begun, c.counted, c.open = false, false, false
	c.endStop()
}

// cutESLintSeverity splits the severity, "error:" or "warning:", from the beginning of a line.
func cutESLintSeverity(s string) (rest string, isError, ok bool) {
	if rest, isError = strings.CutPrefix(s, "error:"); !isError {
		if rest, ok = strings.CutPrefix(s, "warning:"); !ok {
			return "", false, false
		}
	}
	return strings.TrimPrefix(rest, " "), isError, rest == "" || rest[0] == ' ' // the message may begin with the next line
}

// cutESLintAt splits the text of a problem if its message is complete: "message (rule) at path:3:7:".
func cutESLintAt(s string) (message, rule string, at result.Location, ok bool) {
	s, closed := strings.CutSuffix(s, ":")
	for i := strings.LastIndex(s, " at "); i > 0 && len(s)-i < place.MaxPlace; i = strings.LastIndex(s[:i], " at ") {
		spot := place.LastColons(s[i+4:])
		message, rule, ruled := cutESLintParens(s[:i])
		ofFile := ruled && rule == "null" || isESLintFatal(s) && isFileName(s[i+4:], closed)
		if spot == nil && ofFile {
			spot = &result.Location{Path: s[i+4:]}
		}
		if rule == "null" {
			rule = ""
		}
		if spot != nil && (ruled || isESLintFatal(s)) {
			return message, rule, *spot, true
		}
	}
	return "", "", at, false
}

func sniffESLintFrame(line string) bool {
	s, _, ok := cutESLintSeverity(strings.TrimRight(line, " \t"))
	if ok {
		_, _, _, ok = cutESLintAt(s)
	}
	return ok
}

func (c *eslintFrames) read(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " \t")
	if rest, isError, ok := cutESLintSeverity(text); ok {
		s.Break()
		c.open, c.text, c.isError, c.lines = true, rest, isError, append(c.lines[:0], l)
		c.take(s)
		return false // the finding covers this line
	}
	switch {
	case c.open:
		c.text += "\n" + text
		c.lines = append(c.lines, l)
		if c.open = len(c.lines) <= maxESLintTail; c.open {
			c.take(s)
		}
		return false
	case s.Open() && trace.IsFrameSource(text):
		return c.source(s, l, text)
	case c.total(s, text):
		c.counted = l.Ended
	case c.counted && strings.HasSuffix(text, eslintFixable):
		c.fixableLine(text)
	case text != "":
		s.Break()
		return c.aside(s, l)
	default:
		return false
	}
	return true
}

// take adds the open problem if its message is complete.
func (c *eslintFrames) take(s *read.Sink) {
	message, rule, at, ok := cutESLintAt(c.text)
	if !ok {
		return
	}
	c.open, c.begun, c.counted = false, true, false
	f := eslintProblem(rule, message, c.isError, at)
	s.Find(c.lines[0], f)
	if f.Detail != "" {
		s.MoreText(c.lines[0], f.Detail)
	}
	s.Reach(c.lines[len(c.lines)-1])
}

func (c *eslintFrames) source(s *read.Sink, l tool.Line, text string) bool {
	if number, ok := strings.CutPrefix(text, "> "); ok && s.Last() != nil && s.Last().At.Line == 0 { // eslint leaves out the line if the column is 0
		number, _, _ = strings.Cut(number, "|")
		s.Last().At.Line = lex.Atoi(strings.TrimSpace(number))
	}
	return s.More(l)
}

// total reads "22 errors and 38 warnings found." and "1 error found."
func (c *eslintFrames) total(s *read.Sink, text string) bool {
	counts, ok := strings.CutSuffix(text, " found.")
	if !ok || len(s.Findings) == 0 {
		return false
	}
	s.Break()
	for part := range strings.SplitSeq(counts, " and ") {
		n, isError, known := cutPrettyCount("  " + part)
		if !known {
			return false
		}
		c.counts(n, n*lex.Btoi(isError))
	}
	return true
}

// isFileName reports whether s can be a file's name: it has an extension and, unless closed says that it ends here,
// no blank.
func isFileName(s string, closed bool) bool {
	return path.Ext(s) != "" && !strings.ContainsAny(path.Ext(s), " :") && (closed || !strings.Contains(s, " "))
}
