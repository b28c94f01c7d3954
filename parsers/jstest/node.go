package jstest

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("node | nodejs", func(p *tool.Parser) {
	p.Is("node", result.Generic, 1, "node 18 to 24: errors that nobody caught, syntax errors, modules not found, no memory left, bad options")
	p.Interprets = tool.Always
	p.ColumnUnit = "utf16"
	p.Matches = func(argv []string) bool { return isNode(argv) && !isNodeTest(argv) }
	p.Exits = map[int]result.Meaning{9: result.MeansUsage}
	p.Reads(tool.Format{Name: "crash", Starts: []string{"Node.js v", nodeAborts}, Sniff: func(line string) bool { return isNodeVersion(line) || line == nodeAborts }, Parse: nodeCrash})
	p.Reads(tool.Format{Name: "messages", Parse: nodeMessages})
})

func isNode(argv []string) bool { return argv[0] == "node" || argv[0] == "nodejs" }

func isNodeTest(argv []string) bool {
	return isNode(argv) && slices.ContainsFunc(argv[1:], func(a string) bool { return a == "--test" || strings.HasPrefix(a, "--test-") })
}

// isNodeVersion reports whether a line is node's version, with which the report of an uncaught error ends:
// "Node.js v22.1.0".
func isNodeVersion(line string) bool {
	rest, ok := strings.CutPrefix(line, "Node.js v")
	return ok && strings.Count(rest, ".") == 2 && !strings.Contains(rest, " ")
}

// nodeAborts is the head of the stack that node prints when it is aborted, as by process.abort: "1: read (/src/a.js:47:28)".
const nodeAborts = "----- JavaScript stack trace -----"

func nodeCrash(in *tool.Input) *tool.Report {
	n := &crash{}
	return read.Text{Line: n.line}.Parse(in)
}

// crash reads node's report of an uncaught error: the place, the line of source and a caret, the error with its stack
// and members, and node's version.
type crash struct {
	at     *result.Location
	text   jserror.Text
	first  tool.Line
	code   string // the error's code
	open   bool   // a report is being read
	before string // the last line above the report that is not empty
	// For a report whose beginning was cut off, as by "| tail":
	framed bool // the last lines are a stack
	blank  bool // an empty line follows the stack
}

func (c *crash) line(s *read.Sink, l tool.Line) bool {
	if number, text, ok := strings.Cut(l.Text, ": "); read.IsNodeHeap(l.Text) || l.Text == nodeAborts {
		return nodeTrouble(s, l)
	} else if f := s.Last(); f != nil && strings.HasPrefix(f.Message, "JavaScript stack") && ok && lex.IsDigits(number) {
		if at, framed := jserror.Frame("at " + text); framed && !at.External && f.At == nil {
			f.At = &at
		} else if framed && !at.External {
			f.Frames = append(f.Frames, at)
		}
		return s.More(l)
	}
	if !c.take(l) {
		if !c.open && l.Text != "" {
			c.before = l.Text
		}
		return false
	}
	f := c.finding()
	if strings.HasPrefix(f.Message, "Command failed: ") && len(f.Related) == 0 && read.TellsTrouble(c.before) { // printed by that command, which shares the script's stderr
		f.Related = append(f.Related, result.Related{Message: result.CausedBy + c.before})
	}
	s.Find(tool.Line{Start: c.first.Start, End: l.End}, f)
	s.Sign(l)
	if program := s.In.Command().Program(); slices.ContainsFunc(c.text.Lines, func(t string) bool {
		return strings.Contains(t, "node_modules/"+program+"/") || strings.Contains(t, "node_modules/@"+program+"/") || strings.HasSuffix(t, "/bin/"+program)
	}) {
		s.Program = program
	}
	if s.Meaning = result.MeansCrashed; f.Rule == "CACError" { // cac is a library that reads options
		s.Meaning = result.MeansUsage
	}
	s.Version = strings.TrimPrefix(l.Text, "Node.js v")
	return true
}

// take takes a line, and reports whether a report ends with it.
func (c *crash) take(l tool.Line) (ended bool) {
	if path, line, ok := place.CutLineNumber(l.Text); ok && l.Text[0] != ' ' && !strings.Contains(path, ": ") && (!c.open || !c.hasCaret()) {
		c.at, c.text, c.first, c.code, c.open = &result.Location{Path: path, Line: line}, jserror.Text{}, l, "", true
		return false
	}
	if isNodeVersion(l.Text) {
		ended = c.open || c.framed && c.blank
		c.open, c.framed = false, false
		return ended
	}
	if !c.open {
		c.takeCut(l)
		return false
	}
	if rest, ok := strings.CutPrefix(l.Text, "  code: '"); ok {
		c.code, _, _ = strings.Cut(rest, "'")
	}
	c.text.Add(l.Text)
	return false
}

// hasCaret reports whether the source and the caret of the report were read.
func (c *crash) hasCaret() bool {
	return len(c.text.Lines) > 1 && strings.Trim(c.text.Lines[1], " ^~\t") == "" && c.text.Lines[1] != ""
}

// takeCut takes a line of a report whose beginning is missing: the error, its stack, its members and an empty line
// come before the version.
func (c *crash) takeCut(l tool.Line) {
	_, framed := frame.JavaScript(strings.TrimSpace(l.Text))
	c.blank = l.Text == "" && c.framed
	begins := !framed && strings.Contains(l.Text, "Error") && l.Text[0] != ' '
	if goesOn := l.Text == "" || l.Text[0] == ' ' || l.Text[0] == '}'; begins || c.framed && !framed && !goesOn {
		c.at, c.text, c.code, c.framed = nil, jserror.Text{}, "", false
	}
	c.framed = c.framed || framed
	if !begins && !framed && len(c.text.Lines) == 0 {
		return // not part of a report
	}
	if len(c.text.Lines) == 0 {
		c.first = l
	}
	c.text.Add(l.Text)
}

// finding returns the finding for the error, without the line of source above the caret.
func (c *crash) finding() result.Finding {
	lines := c.text.Lines
	if i := slices.IndexFunc(lines, func(t string) bool { return strings.TrimSpace(t) != "" && strings.Trim(t, " ^~\t") == "" }); i >= 0 {
		lines = lines[i+1:]
	} else if len(lines) > 2 && strings.TrimSpace(lines[1]) == "" { // JSON that ends too early is reported without a caret; that of a long line was cut off
		lines = lines[2:]
	}
	if len(lines) > 3 && strings.Trim(lines[2], " ^") == "" && lines[3] == "" { // an exception in a worker has its own place and source
		if path, line, ok := place.CutLineNumber(lines[0]); ok {
			c.at, lines = &result.Location{Path: path, Line: line}, lines[4:]
		}
	}
	for i, t := range lines { // "[AggregateError: text] {"
		if strings.HasPrefix(t, "[") {
			lines[i] = strings.TrimSuffix(strings.TrimSuffix(t[1:], " {"), "]")
			break
		}
	}
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Message: "an error was not caught"}
	jserror.Explain(&f, lines)
	f.Rule = cmp.Or(f.Rule, c.code)
	if said := ofChild(lines); said != "" && strings.HasPrefix(f.Message, "Command failed: ") {
		f.Related = append(f.Related, result.Related{Message: result.CausedBy + said})
	}
	if from := importer(f.Message); from != "" && f.At == nil {
		f.At = &result.Location{Path: from}
	}
	if c.at == nil || frame.IsLibrary(c.at.Path) || strings.HasPrefix(c.at.Path, "[") {
		return f
	}
	switch {
	case f.At == nil:
		f.At = c.at
	case f.Rule == "SyntaxError" && !ranInScript(lines): // the stack has the module that loads the file, not the file
		f.Frames = append([]result.Location{*f.At}, f.Frames...)
		f.At = c.at
	}
	return f
}

// ofChild returns the first line of a failed command's output, from the members of its error:
//
//	stdout: "error TS5058: The specified path does not exist: 'a.json'.\n",
//	stderr: ''
func ofChild(lines []string) (said string) {
	for _, line := range lines {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && (name == "stdout" || name == "stderr") && len(value) > 1 && strings.ContainsRune("'\"`", rune(value[0])) {
			value, _, _ = strings.Cut(strings.TrimRight(value[1:], "+, "), `\n`)
			said = cmp.Or(strings.Trim(value, "'\"`"), said)
		}
	}
	return said
}

// ranInScript reports whether the first frame of a stack is not node's own: node's loader of modules has such a
// frame, JSON.parse does not.
func ranInScript(stack []string) bool {
	for _, line := range stack {
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "at ") {
			return !strings.Contains(text, "(node:internal/") && !strings.HasPrefix(text, "at node:internal/")
		}
	}
	return false
}

// importer returns the module that imports a missing one: "Cannot find module 'x' imported from /tmp/a.mjs".
func importer(message string) string {
	_, from, ok := strings.Cut(message, " imported from ")
	if !ok {
		return ""
	}
	from, _, _ = strings.Cut(from, " ")
	return from
}

// nodeMessages returns nil if node only warns and the script printed text: the reason of a failure is in that text,
// which other parsers recognize.
func nodeMessages(in *tool.Input) *tool.Report {
	words := false // the script printed text
	rep := read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		taken := nodeTrouble(s, l)
		words = words || !taken && strings.TrimSpace(l.Text) != "" && !strings.HasPrefix(l.Text, "(Use `node --trace-") && !strings.HasPrefix(l.Text, "    at ")
		return taken
	}}.Parse(in)
	if rep != nil && words && rep.Failures() == 0 {
		return nil
	}
	return rep
}

// nodeTrouble reads node's messages outside of a report: a bad option, exhausted memory, warnings.
func nodeTrouble(s *read.Sink, l tool.Line) bool {
	thrown, asked := strings.CutPrefix(strings.TrimLeft(l.Text, "> "), "Uncaught ")
	class, message, told := strings.Cut(thrown, ": ")
	switch {
	case asked && told && !strings.Contains(class, " ") && slices.ContainsFunc(s.In.Command().Argv, func(a string) bool { return a == "-i" || a == "--interactive" }):
		s.Find(l, result.Finding{Kind: result.Panic, Rule: class, Message: message}) // node -i goes on after an exception
	case strings.HasPrefix(l.Text, "node: "):
		s.Refuse(l, result.Finding{Message: strings.TrimPrefix(l.Text, "node: ")})
	case l.Text == nodeAborts:
		s.Find(l, result.Finding{Kind: result.Panic, Message: strings.Trim(nodeAborts, "- ")})
		s.Meaning = result.MeansCrashed
	case read.IsNodeHeap(l.Text):
		s.Find(l, result.Finding{Kind: result.Panic, Message: l.Text})
		s.Meaning = result.MeansCrashed
	case strings.HasPrefix(l.Text, "(node:") && strings.Contains(l.Text, "Warning: "):
		_, text, _ := strings.Cut(l.Text, ") ")
		rule := ""
		if strings.HasPrefix(text, "[") {
			rule, text, _ = strings.Cut(text[1:], "] ")
		}
		s.Find(l, result.Finding{Severity: result.SevWarning, Rule: rule, Message: lex.CutText(text, lex.MaxHeadline)})
	default:
		return false
	}
	return true
}
