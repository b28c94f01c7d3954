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
	ngc   bool // no closing line comes: of Angular's compiler, and where the count stood above

	pretty, ng bool             // of the diagnostic that is being read
	at         *result.Location // its place, nil where it has none or is not kept
	anywhere   bool             // it has none

	frame   tscFrame
	related *tscFrame // of the related place that is being read

	open     int      // pretty diagnostics since the last closing line
	errors   int      // errors since then
	blank    int      // empty lines just before
	table    tscTable // how far the list of files is
	previous int      // findings of a watch's compilations before this one
	cut      bool     // the last line has no end
	broken   bool     // that was so of a stream, or it has no closing line

	thrown  int64 // where node begins to tell what the compiler threw
	waiting int   // lines in which that may come
	crashed bool
	tsNode  bool        // ts-node threw what was found
	version result.Span // the line before, where it is a version alone
}

// tscTable is how far the list of files below a closing line is.
type tscTable uint8

const (
	tscNoTable   tscTable = iota
	tscHeader             // a header in the words of any language may follow
	tscTableRows          // its header was seen, or is known
)

// tsNodeThrew begins the message of what ts-node throws; its stack ends it.
const tsNodeThrew = "TSError: ⨯ Unable to compile TypeScript:"

// maxTscThrown bounds the lines of source between the place and what was thrown.
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

// count is line where no more findings are kept: nothing holds a text then, except for
// what node said last.
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
	t.open += lex.Btoi(h.pretty && !h.wrapped) // others that print as tsc does do not count
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

// rest takes a line that begins no diagnostic.
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

// uncaught passes over the source that node quotes, up to what was thrown.
func (t *tscText) uncaught(s *read.Sink, l tool.Line, text string) bool {
	if trace.IsThrown(text) {
		t.broke(s, l, t.thrown, text)
		return true
	}
	t.waiting--
	return t.waiting > 0
}

// broke: the compiler itself failed.
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
	case t.blank > 1: // the source ends with an empty line
		return false
	case text == "": // only a line further down can tell whether it was the last
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

// stack takes a line of what was thrown: more of its message, or where it was.
func (t *tscText) stack(s *read.Sink, l tool.Line, text string) bool {
	if strings.HasPrefix(text, "    at ") {
		t.frame.begun = true
		return s.MoreText(l, text[4:])
	}
	return text != "" && !t.frame.begun && !trace.IsScriptTail(text) && s.MoreText(l, text)
}

// indented is a reason, a place that is related or what belongs to it, or squiggles.
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

// status is a line about the run: its counts, its progress.
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
		t.open, t.errors = 0, 0 // it was all
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

// listed is a line of the list of files.
func (t *tscText) listed(text string) bool {
	_, _, isRow := place.CutLineNumber(text)
	if text == "" || text == "Errors  Files" || isRow && text[0] == ' ' {
		return true
	}
	header := t.table == tscHeader && t.blank > 0 && !strings.ContainsAny(text, ":0123456789")
	t.table = tscTableRows
	return header
}

// progress: a watch that has compiled anew has told all there is again.
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

// turn ends a stream.
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
