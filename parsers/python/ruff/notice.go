package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffNotice is a message that is not about a line of code: a warning, a file that could
// not be read, a wrong option, a wrong configuration or a crash.
type ruffNotice struct {
	head       string
	text       []string // the lines below the head
	start, end int64
	framed     bool // a frame of source was read; the reason follows, without an indent
	loose      int  // number of lines without an indent below the frame
}

// ruffFailed is the head of an error in the configuration.
const ruffFailed = "ruff failed"

// ruffNoFiles is the only line of ruff format, and of ruff before 0.5, if there are no files to read.
const ruffNoFiles = "warning: No Python files found under"

// maxRuffNotice bounds the lines of one notice.
const maxRuffNotice = 60

// noticed takes the head of a notice.
func (r *ruff) noticed(l tool.Line) bool {
	s := l.Text
	switch {
	case s == ruffFailed, strings.HasPrefix(s, "error: "), strings.HasPrefix(s, "warning: "), strings.HasPrefix(s, "Usage: ruff"):
	case strings.HasPrefix(s, "thread '") && (strings.Contains(s, " "+panicked) || strings.HasSuffix(s, " has overflowed its stack")):
	default:
		return false
	}
	r.notice = &ruffNotice{head: s, start: l.Start, end: l.End}
	return true
}

// line takes a line of the notice, and returns false if the notice has ended.
func (n *ruffNotice) line(l tool.Line) bool {
	s := l.Text
	switch {
	case len(n.text) >= maxRuffNotice:
		return false
	case n.crashed():
		if !n.crashLine(s) {
			return false
		}
	case lex.HasAnyPrefix(s, " ", "Usage: ruff", "For more information, try "):
	case s == "" && strings.HasPrefix(n.head, "error: "), isRuffFrame(s):
	case n.framed && s != "" && n.loose < 3:
		n.loose++
	default:
		return false
	}
	n.framed = n.framed || strings.HasPrefix(strings.TrimLeft(s, " "), "|")
	n.end = max(n.end, l.End)
	n.text = append(n.text, s)
	return true
}

// syntax reports whether the notice is about a file that does not parse.
func (n *ruffNotice) syntax() bool { return strings.HasPrefix(n.head, "error: Failed to parse ") }

// tool returns the tool that printed the notice, if its text shows that; otherwise "".
func (n *ruffNotice) tool() string {
	switch {
	case strings.HasPrefix(n.head, "error: Failed to format "), strings.Contains(n.head, " may cause conflicts when used with the formatter"):
		return ruffFormat
	case strings.HasPrefix(n.head, "warning: Invalid `#"), strings.HasPrefix(n.head, "error: Failed to lint "):
		return ruffCheck
	}
	for _, s := range append(n.text, n.head) {
		if rest, ok := strings.CutPrefix(s, "Usage: ruff "); ok {
			if strings.HasPrefix(rest, "format") {
				return ruffFormat
			}
			return ruffCheck
		}
	}
	return ""
}

func (n *ruffNotice) finding() result.Finding {
	f := n.said()
	f.Message = lex.OnOneLine(f.Message)
	f.Detail = strings.TrimRight(strings.Join(n.text, "\n"), "\n ")
	f.RawSpan = &result.Span{Start: n.start, End: n.end}
	return f
}

// ruffFailures lists the beginnings of errors about a file that could not be read.
var ruffFailures = [...]string{"Failed to parse ", "Failed to format ", "Failed to lint ", "Failed to read ", "Failed to extract source from "}

// said returns the finding without its detail and span.
func (n *ruffNotice) said() result.Finding {
	if n.crashed() {
		return n.crash()
	}
	if text, ok := strings.CutPrefix(n.head, "warning: "); ok {
		return n.warning(text)
	}
	text := strings.TrimPrefix(n.head, "error: ")
	for _, did := range ruffFailures {
		rest, ok := strings.CutPrefix(text, did)
		if !ok {
			continue
		}
		if at, message, ok := cutRuffFile(rest); ok {
			code := ruffIO
			if n.syntax() {
				code = ruffSyntax
			}
			return ruffFinding(code, message, at)
		}
	}
	f := result.Finding{Kind: result.GenericFinding, Severity: result.SevError, Message: text}
	if n.head == ruffFailed {
		f.Message, f.At = n.causes()
	}
	return f
}

// cutRuffFile reads "path:1:2: message", "path: message" and, for standard input, "-: message" and "at 1:2: message".
func cutRuffFile(s string) (at result.Location, message string, ok bool) {
	file, message, ok := strings.Cut(s, ": ")
	if !ok {
		return at, "", false
	}
	if spot, nameless := strings.CutPrefix(file, "at "); nameless {
		file = "-:" + spot
	}
	if at, placed := ruffPlace(file); placed {
		return at, message, true
	}
	return result.Location{Path: strings.Trim(file, "`")}, message, strings.Contains(file, ".") || file == "-"
}

// ruffDirectives lists the texts between the problem and the place in warnings about comments.
var ruffDirectives = [...]string{" directive on ", " provided to `# noqa` at "}

// warning reads "Invalid `# noqa` directive on path:5: expected …", "Invalid rule code provided to `# noqa` at
// path:5: X", "Failed to lint path: …" and other warnings, which have no place.
func (n *ruffNotice) warning(text string) result.Finding {
	f := result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: text + n.list()}
	for _, between := range ruffDirectives {
		what, rest, ok := strings.Cut(text, between)
		if at, message, placed := cutRuffFile(rest); ok && placed {
			between = strings.TrimSuffix(strings.TrimSuffix(between, " at "), " on ")
			f.Kind, f.At, f.Message = result.Diagnostic, &at, what+between+": "+message
		}
	}
	if rest, ok := strings.CutPrefix(text, "Failed to lint "); ok {
		if at, message, placed := cutRuffFile(rest); placed {
			f = ruffFinding(ruffIO, message, at)
			f.Severity = result.SevWarning
		}
	}
	return f
}

// list returns the list below a warning, joined to one line.
func (n *ruffNotice) list() (all string) {
	for _, s := range n.text {
		if item, ok := strings.CutPrefix(s, "  - "); ok {
			all += separator(n.head+all) + item
		}
	}
	return all
}

// causes returns the chain of causes of a configuration error, joined to one line, and the
// place in the configuration file that they name.
func (n *ruffNotice) causes() (message string, at *result.Location) {
	var parts []string
	for i, s := range n.text {
		cause, ok := strings.CutPrefix(s, "  Cause: ")
		switch {
		case ok:
			at = ruffConfig(cause, at)
			parts = append(parts, cause)
		case strings.HasPrefix(s, "    - "): // an element of the list in the cause above
			last := len(parts) - 1
			if last < 0 {
				break
			}
			parts[last] += separator(parts[last]) + s[len("    - "):]
		case s != "" && !strings.HasPrefix(s, " ") && !isRuffFrame(s) && i > 0:
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return ruffFailed, nil
	}
	for i, p := range parts {
		parts[i] = strings.TrimSuffix(p, ":")
	}
	return strings.Join(parts, ": "), at
}

// separator returns the text between s and the next element of a list: " " after a colon, otherwise ", ".
func separator(s string) string {
	if strings.HasSuffix(s, ":") {
		return " "
	}
	return ", "
}

// ruffConfig returns the place in a cause: a file in "Failed to parse /path/ruff.toml", and for
// "TOML parse error at line 1, column 15" the file at with that line and column. Otherwise it returns at.
func ruffConfig(cause string, at *result.Location) *result.Location {
	if path, ok := lex.CutAnyPrefix(cause, "Failed to parse ", "Failed to load configuration ", "Failed to read "); ok {
		path, _, _ = strings.Cut(path, "`: ")
		return &result.Location{Path: strings.Trim(path, "`")}
	}
	if _, path, ok := strings.Cut(cause, " from `"); ok && at == nil && strings.HasSuffix(path, ".toml`") {
		return &result.Location{Path: strings.TrimSuffix(path, "`")}
	}
	if rest, ok := strings.CutPrefix(cause, "TOML parse error at line "); ok && at != nil {
		at.Line = lex.LeadingNumber(rest)
		if _, column, two := strings.Cut(rest, ", column "); two {
			at.Column = lex.LeadingNumber(column)
		}
	}
	return at
}
