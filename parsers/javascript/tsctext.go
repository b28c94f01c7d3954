package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// tscText reads what the compiler prints: plain and pretty text, build and watch mode.
type tscText struct {
	crash *read.NodeCrash
	asked bool // the command asks for help
	ngc   bool // no closing line will come: Angular's compiler, or nest's builder, which counts first

	pretty, ng bool             // the current diagnostic is in pretty form; it is Angular's
	at         *result.Location // place of the current diagnostic; nil without a place, or if the finding is not kept
	anywhere   bool             // the current diagnostic has no place

	frame   tscFrame
	related *tscFrame // the current related place

	open     int      // number of pretty diagnostics since the last closing line
	errors   int      // number of errors since the last closing line
	blank    int      // number of empty lines just above
	table    tscTable // how much of the list of files was read
	previous int      // number of findings from a watch's earlier compilations
	cut      bool     // the last line has no line break
	broken   bool     // a stream ended without a line break, or without its closing line

	thrown  int64 // offset of node's report of an exception in the compiler
	waiting int   // number of further lines in which the exception may follow
	crashed bool
	tsNode  bool        // ts-node threw the errors as one exception
	version result.Span // the line above, if it is a version; empty otherwise
}

// tscTable is how much of the list of files below a closing line was read.
type tscTable uint8

const (
	tscNoTable   tscTable = iota
	tscHeader             // a header, in any language, may follow
	tscTableRows          // the header was seen, or is known
)

// tsNodeThrew begins the message of the exception that ts-node throws; a stack ends the message.
const tsNodeThrew = "TSError: ⨯ Unable to compile TypeScript:"

// maxTscThrown is the maximum number of lines of source between the place that node prints and the exception.
const maxTscThrown = 8

func parseTsc(in *tool.Input) *tool.Report {
	c := in.Command()
	t := &tscText{crash: read.NewNodeCrash(in, isTscCommand), asked: asksTscHelp(in), ngc: len(c.Argv) > 0 && c.Argv[0] == "ngc"}
	return read.Text{Line: t.line, Count: t.count, Turn: t.turn, End: t.end, Closes: true}.Parse(in)
}

func (t *tscText) line(s *read.Sink, l tool.Line) (own bool) {
	if t.crash.See(l) || t.asked && isTscHelp(l.Text) {
		return false
	}
	text := strings.TrimRight(l.Text, " \t")
	if h, ok := cutTscHead(text); ok {
		t.begin(s, l, h)
		return true
	}
	if own = t.rest(s, l, text); own {
		t.cut = !l.Ended
	}
	t.version = result.Span{}
	if strings.HasPrefix(text, tscVersions) {
		t.version = result.Span{Start: l.Start, End: l.End}
	}
	if t.blank++; text != "" {
		t.blank = 0
	}
	return own
}

// count replaces line once no more findings are kept, except for node's message that memory ran out, which line keeps.
func (t *tscText) count(s *read.Sink, l tool.Line) (own, known bool) {
	if read.IsNodeHeap(l.Text) {
		return false, false
	}
	return t.line(s, l), true
}

func (t *tscText) begin(s *read.Sink, l tool.Line, h tscHead) {
	t.pretty, t.ng, t.at, t.anywhere = h.pretty, h.isNG(), nil, h.at == nil
	t.frame, t.related, t.table, t.blank, t.waiting, t.version, t.cut = tscFrame{}, nil, tscNoTable, 0, 0, result.Span{}, !l.Ended
	t.ngc = t.ngc || t.ng
	t.open += lex.Btoi(h.pretty && !h.wrapped) // other programs that print like tsc print no count
	t.errors += lex.Btoi(h.word == "error")
	if s.Crowded() {
		s.Tell(l, h.severity())
		return
	}
	f := tscFinding(h.severity(), h.rule, h.message, h.at)
	if f.Severity == result.SevInfo {
		f.RawSeverity = h.word
	}
	s.Find(l, f)
	t.at = f.At
}

// rest takes a line that does not begin a diagnostic.
func (t *tscText) rest(s *read.Sink, l tool.Line, text string) bool {
	if t.waiting > 0 {
		return t.uncaught(s, l, text)
	}
	if s.Open() && t.more(s, l, text) {
		return true
	}
	s.Break()
	switch {
	case t.status(s, l, text):
	case isTscThrown(text):
		t.thrown, t.waiting = l.Start, maxTscThrown+1
	case strings.HasPrefix(text, tscCrash):
		t.broke(s, l, l.Start, text)
	default:
		return false
	}
	return true
}

// uncaught skips the source that node quotes above an exception.
func (t *tscText) uncaught(s *read.Sink, l tool.Line, text string) bool {
	if trace.IsThrown(text) {
		t.broke(s, l, t.thrown, text)
		return true
	}
	t.waiting--
	return t.waiting > 0
}

// broke adds a finding for a failure of the compiler itself.
func (t *tscText) broke(s *read.Sink, l tool.Line, start int64, text string) {
	t.begin(s, l, tscHead{word: "error", message: text})
	t.crashed = true
	if f := s.Last(); f != nil {
		f.Kind, f.RawSpan.Start = result.Panic, start
	}
}

// more takes a further line of the open diagnostic.
func (t *tscText) more(s *read.Sink, l tool.Line, text string) bool {
	if f := s.Last(); f != nil && f.Kind == result.Panic {
		return t.stack(s, l, text)
	}
	switch {
	case t.blank > 1: // the source ended with an empty line
		return false
	case text == "": // a later line decides whether the diagnostic ended here
		t.frame.begun = true
		return (t.anywhere || t.pretty) && s.Reach(l)
	case !t.frame.begun && t.ng && lex.IsDigits(text[:1]): // "1. If 'app-foo' is an Angular component, then …"
		return s.MoreText(l, text)
	case strings.HasPrefix(text, "  ") && t.indented(s, l, text):
		return true
	}
	n, ok := tscSource(strings.TrimLeft(text, " "))
	if !ok || !t.frame.begun || !t.pretty || t.anywhere {
		return false
	}
	if t.related = nil; n > 0 {
		t.frame.number = n
	}
	return s.MoreText(l, text)
}

// stack takes a line of an exception: more of its message, or a frame.
func (t *tscText) stack(s *read.Sink, l tool.Line, text string) bool {
	if strings.HasPrefix(text, "    at ") {
		t.frame.begun = true
		return s.MoreText(l, text[4:])
	}
	return text != "" && !t.frame.begun && !trace.IsScriptTail(text) && s.MoreText(l, text)
}

// indented takes a line that begins with two blanks: a reason, a related place or a line about it, or squiggles.
func (t *tscText) indented(s *read.Sink, l tool.Line, text string) bool {
	f := s.Last()
	if at, about := tscRelated(text[2:]); at != nil {
		if f != nil {
			f.Related = append(f.Related, result.Related{Message: about, At: at})
		}
		t.related = &tscFrame{}
		return s.Reach(l)
	}
	if t.related != nil && strings.HasPrefix(text, "    ") {
		if about := t.related.about(text[4:]); about != "" && f != nil {
			note := &f.Related[len(f.Related)-1]
			note.Message = strings.TrimSpace(note.Message + " " + about)
		}
		return s.Reach(l)
	}
	if marks := strings.TrimLeft(text, " "); t.frame.number > 0 && isSquiggle(marks) {
		t.frame.squiggle(t.at, len(text)-len(marks), len(text))
		return s.MoreText(l, text)
	}
	return !t.frame.begun && s.MoreText(l, text[2:])
}

// status takes a line about the run, such as counts and progress.
func (t *tscText) status(s *read.Sink, l tool.Line, text string) bool {
	if n, ok := tscFound(text); ok && (t.open > 0 || len(s.Findings) > 0) {
		t.closing(s, n, tscTableRows)
		return true
	}
	if n, ok := tscCounted(text); ok {
		s.Claim(n)
		t.ngc = true
		return true
	}
	if rest, ok := tscClock(text); ok {
		t.table = tscNoTable
		t.progress(s, rest)
		return true
	}
	if t.blank > 0 && t.open > 0 && !strings.HasPrefix(text, " ") && tscFoundInWords(text, t.errors) {
		t.closing(s, t.errors, tscHeader)
		return true
	}
	if t.table != tscNoTable && t.listed(text) {
		return true
	}
	t.table = tscNoTable
	switch {
	case t.tsNode && strings.HasPrefix(text, "    at "):
		t.open, t.errors = 0, 0 // the stack ends ts-node's list of errors
	case strings.HasPrefix(text, tsNodeThrew):
		t.tsNode = true
	case t.version.End > 0 && isTscHelp(text):
		t.helped(s, l)
	default:
		return t.crashed && strings.HasPrefix(text, "Node.js v")
	}
	return true
}

func (t *tscText) closing(s *read.Sink, errors int, table tscTable) {
	s.Claim(errors)
	t.open, t.errors, t.table = 0, 0, table
}

// listed takes a line of the list of files.
func (t *tscText) listed(text string) bool {
	_, _, isRow := place.CutLineNumber(text)
	if text == "" || text == "Errors  Files" || isRow && text[0] == ' ' {
		return true
	}
	header := t.table == tscHeader && t.blank > 0 && !strings.ContainsAny(text, ":0123456789")
	t.table = tscTableRows
	return header
}

// progress drops the findings of a watch's earlier compilations: each compilation prints all errors again.
func (t *tscText) progress(s *read.Sink, text string) {
	count, watches := strings.CutSuffix(text, " Watching for file changes.")
	switch {
	case strings.HasPrefix(text, "File change detected."):
		t.previous = len(s.Findings)
	case watches && strings.HasPrefix(text, "Found "):
		s.Findings = s.Findings[min(t.previous, len(s.Findings)):]
		t.previous, t.open, t.errors = 0, 0, 0
		if n, ok := tscFound(count); ok {
			s.Claimed = n
		}
	}
}

// turn is called at the end of a stream.
func (t *tscText) turn(*read.Sink) {
	t.broken = t.broken || t.open > 0 && !t.ngc || t.cut
	was := *t
	*t = tscText{crash: was.crash, asked: was.asked, ngc: was.ngc, broken: was.broken}
}

func (t *tscText) end(s *read.Sink) {
	t.turn(s)
	t.crash.Report(s.Report)
	s.Meaning = tscMeaning(s.Findings)
	s.Counts = tool.BySeverity(s.Findings)
	if !t.broken {
		s.EndHere()
	}
}
