package eslint

import (
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintFrames reads the codeframe format: a line that tells all, with the path
// from where eslint ran, the source around the place, two empty lines; at the
// end how many there were.
//
//	error: Missing semicolon (semi) at src/a.js:1:23:
//	> 1 | let b = 'x'
//	    |            ^
//	  2 | debugger;
//
//
//	1 error and 2 warnings found.
//
// It takes the full stop off a message. Where a file does not parse there is no
// rule, where a problem has none it is "(null)".
type eslintFrames struct {
	run    *eslintRun
	text   string // of the problem that is open, without its severity
	error  bool
	lines  int // of its message
	line   tool.Line
	open   bool
	found  *result.Finding // the source below it is being read
	detail strings.Builder

	begun    bool
	counted  bool
	problems int
	errors   int
}

// parseESLintFrames reads each stream by itself.
func parseESLintFrames(in *tool.Input) *tool.Report {
	run := newESLintRun(in)
	readers := [...]*eslintFrames{{run: run}, {run: run}}
	for l := range in.Lines() {
		if l.Stream == tool.Stdout || !run.aside(l) {
			readers[l.Stream-tool.Stdout].read(l)
		}
	}
	complete, counted, problems, errors := true, false, 0, 0
	for _, c := range readers {
		c.close()
		complete, counted = complete && (c.counted || !c.begun), counted || c.counted
		problems, errors = problems+c.problems, errors+c.errors
	}
	if len(run.rep.Findings) == 0 && !run.stopped() {
		return nil
	}
	run.counted(problems, errors)
	return run.finish(complete && counted)
}

// cutFrameHead takes the severity off a line.
func cutFrameHead(s string) (rest string, isError, ok bool) {
	if rest, isError = strings.CutPrefix(s, "error:"); !isError {
		if rest, ok = strings.CutPrefix(s, "warning:"); !ok {
			return "", false, false
		}
	}
	return strings.TrimPrefix(rest, " "), isError, rest == "" || rest[0] == ' ' // it may begin with the next line
}

// readFrameEnd reads what the first line of a problem, or the last one of a
// longer message, ends with: "message (rule) at path:3:7:".
func readFrameEnd(s string) (message, rule string, at result.Location, ok bool) {
	s, closed := strings.CutSuffix(s, ":")
	for i := strings.LastIndex(s, " at "); i > 0 && len(s)-i < place.MaxPlace; i = strings.LastIndex(s[:i], " at ") {
		spot := place.LastColons(s[i+4:])
		message, rule, ruled := cutESLintParens(s[:i])
		if spot == nil && (ruled && rule == "null" || isESLintFatal(s) && isFileName(s[i+4:], closed)) { // of the file as a whole
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
	s, _, ok := cutFrameHead(strings.TrimRight(line, " \t"))
	if ok {
		_, _, _, ok = readFrameEnd(s)
	}
	return ok
}

func (c *eslintFrames) read(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if text, isError, ok := cutFrameHead(s); ok {
		c.close()
		c.open, c.text, c.error, c.line, c.lines = true, text, isError, l, 0
		c.take(text, l)
		return
	}
	switch {
	case c.open:
		c.text += "\n" + s
		if c.lines++; c.lines > maxStylishTail {
			c.open = false
			return
		}
		c.take(c.text, l)
	case c.found != nil && trace.IsFrameSource(s):
		c.source(s, l)
	case c.total(s):
		c.counted = l.Ended
		c.run.own(l)
	case c.counted && strings.HasSuffix(s, " potentially fixable with the `--fix` option."):
		c.run.fixableLine(s)
		c.run.own(l)
	case s != "":
		c.close()
		c.run.aside(l)
	}
}

// take ends the message, if this is its end.
func (c *eslintFrames) take(text string, l tool.Line) {
	message, rule, at, ok := readFrameEnd(text)
	if !ok {
		return
	}
	c.open, c.begun, c.counted = false, true, false
	f := eslintProblem(rule, message, c.error, at, c.line)
	f.RawSpan.End = max(f.RawSpan.End, l.End)
	c.found = &f
	c.detail.Reset()
	if f.Detail != "" {
		c.detail.WriteString(f.Detail + "\n")
	}
	c.run.own(c.line)
	c.run.own(l)
}

func (c *eslintFrames) source(s string, l tool.Line) {
	if number, ok := strings.CutPrefix(s, "> "); ok && c.found.At.Line == 0 { // of a column that is 0 the line is left out, too
		number, _, _ = strings.Cut(number, "|")
		c.found.At.Line = lex.Atoi(strings.TrimSpace(number))
	}
	if c.detail.Len()+len(s) < lex.MaxDetail {
		c.detail.WriteString(s)
		c.detail.WriteByte('\n')
	}
	c.found.RawSpan.End = max(c.found.RawSpan.End, l.End)
	c.run.own(l)
}

// total reads "22 errors and 38 warnings found." and "1 error found."
func (c *eslintFrames) total(s string) bool {
	counts, ok := strings.CutSuffix(s, " found.")
	if !ok || len(c.run.rep.Findings) == 0 && c.found == nil {
		return false
	}
	c.close()
	for part := range strings.SplitSeq(counts, " and ") {
		n, isError, known := readPrettyCount("  " + part)
		if !known {
			return false
		}
		if c.problems += n; isError {
			c.errors += n
		}
	}
	return true
}

// close adds the problem that was read.
func (c *eslintFrames) close() {
	if c.found != nil {
		c.found.Detail = strings.TrimRight(c.detail.String(), "\n")
		c.run.rep.Add(*c.found)
	}
	c.found, c.open = nil, false
}

// isFileName: it has an extension and, unless it is the end for sure, no blank.
func isFileName(s string, closed bool) bool {
	return path.Ext(s) != "" && !strings.ContainsAny(path.Ext(s), " :") && (closed || !strings.Contains(s, " "))
}
