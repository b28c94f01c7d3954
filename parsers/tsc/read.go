package tsc

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// tscReader reads one stream.
type tscReader struct {
	found   []result.Finding
	dropped int
	covered tool.Report // its spans only
	last    tool.Line

	open    bool // a diagnostic is being read
	head    tscHead
	finding result.Finding
	detail  strings.Builder
	frame   tscFrame
	related *tscFrame // of the related place that is being read

	pretty   int      // pretty diagnostics since the last closing line
	errors   int      // errors since then, pretty or of no file
	blank    int      // empty lines just before
	claimed  int      // errors of all closing lines; -1: there was none
	table    tscTable // the files are being listed
	previous int      // findings of a watch's compilations before this one

	thrown  *tool.Line // the compiler threw something: where node begins to tell
	waiting int        // lines until it says what
	crashed bool
	tsNode  bool      // ts-node threw what was found
	endless bool      // it is ngc: there is no closing line
	version tool.Line // the line before, where it is a version alone
}

// tscFrame is the source below a place.
type tscFrame struct {
	begun  bool // the empty line before it was seen
	number int  // of the last line of source
	margin int  // columns before the source: found from the first squiggles
	marked int  // lines of squiggles
}

// tscTable is how far the table of files is that stands below a closing line.
type tscTable uint8

const (
	tscNoTable   tscTable = iota
	tscHeader             // in the words of any language
	tscTableRows          // its header was seen, or is known
)

// tsNodeThrew begins the message of what ts-node throws; its stack ends it.
const tsNodeThrew = "TSError: ⨯ Unable to compile TypeScript:"

// maxTscThrown bounds the lines of source between the place and what was thrown.
const maxTscThrown = 8

func newTscReader() *tscReader { return &tscReader{claimed: -1} }

func (r *tscReader) line(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if h, ok := readTscHead(s); ok {
		r.close()
		r.begin(h, l)
		return
	}
	r.rest(s, l)
	r.version = tool.Line{}
	if strings.HasPrefix(s, tscVersions) {
		r.version = l
	}
	if r.blank++; s != "" {
		r.blank = 0
	}
}

// rest takes a line that begins no diagnostic.
func (r *tscReader) rest(s string, l tool.Line) {
	switch {
	case r.thrown != nil:
		r.uncaught(s, l)
	case r.open && r.more(s):
		r.finding.RawSpan.End = max(r.finding.RawSpan.End, l.End)
		r.own(l)
	case r.status(s, l):
		r.close()
		r.own(l)
	case isTscThrown(s):
		r.close()
		begun := l // so that other lines need not be kept
		r.thrown, r.waiting = &begun, maxTscThrown
		r.own(l)
	case strings.HasPrefix(s, tscCrash):
		r.close()
		r.beginCrash(s, l)
	default:
		r.close()
	}
}

// uncaught passes over the source that node quotes, up to what was thrown.
func (r *tscReader) uncaught(s string, l tool.Line) {
	if trace.IsThrown(s) {
		begun := *r.thrown
		r.beginCrash(s, l)
		r.finding.RawSpan.Start = begun.Start
	} else if r.waiting--; r.waiting < 0 {
		r.thrown = nil
		return
	}
	r.own(l)
}

func (r *tscReader) beginCrash(s string, l tool.Line) {
	r.begin(tscHead{severity: "error", message: s}, l)
	r.finding.Kind = result.Panic
	r.thrown, r.crashed = nil, true
}

func (r *tscReader) own(l tool.Line) {
	r.covered.Cover(l)
	r.last = l
}

func (r *tscReader) begin(h tscHead, l tool.Line) {
	r.open, r.head, r.frame, r.related, r.table = true, h, tscFrame{}, nil, tscNoTable
	r.blank, r.thrown = 0, nil
	r.detail.Reset()
	r.endless = r.endless || h.isNG()
	r.finding = result.Finding{
		Kind: result.Diagnostic, Severity: tscSeverity(h.severity), Rule: h.rule, Message: h.message, At: h.at,
		RawSpan: &result.Span{Start: l.Start, End: l.End},
	}
	if !r.full() {
		r.finding.Tags, r.finding.Suggestions = tscTags(h.rule), tscSuggestions(h.message)
	}
	if r.finding.Severity == result.SevInfo {
		r.finding.RawSeverity = h.severity
	}
	if h.pretty && !h.wrapped { // others that print as tsc does do not count
		r.pretty++
	}
	if h.severity == "error" {
		r.errors++
	}
	r.own(l)
}

func tscSeverity(s string) result.Severity {
	switch s {
	case "error":
		return result.SevError
	case "warning":
		return result.SevWarning
	}
	return result.SevInfo
}

// more takes a further line of the open diagnostic.
func (r *tscReader) more(s string) bool {
	if r.finding.Kind == result.Panic {
		return r.stack(s)
	}
	switch {
	case r.blank > 1: // the source ends with an empty line
		return false
	case s == "": // only a line further down can tell whether it was the last
		r.frame.begun = true
		return r.head.at == nil || r.head.pretty
	case !r.frame.begun && r.head.isNG() && lex.IsDigits(s[:1]): // "1. If 'app-foo' is an Angular component, then …"
		return r.keep(s)
	case strings.HasPrefix(s, "  ") && r.indented(s):
		return true
	}
	n, ok := tscSource(strings.TrimLeft(s, " "))
	return ok && r.frame.begun && r.head.pretty && r.finding.At != nil && r.source(s, n)
}

// stack takes a line of what was thrown: more of its message, or where it was.
func (r *tscReader) stack(s string) bool {
	if frame, ok := strings.CutPrefix(s, "    at "); ok {
		r.frame.begun = true
		return r.keep("at " + frame)
	}
	return s != "" && !r.frame.begun && !trace.IsScriptTail(s) && r.keep(s)
}

// indented is a reason, a place that is related or what belongs to it, or
// squiggles.
func (r *tscReader) indented(s string) bool {
	at, text := tscRelated(s)
	switch {
	case at != nil:
		r.finding.Related = append(r.finding.Related, result.Related{Message: text, At: at})
		r.related = &tscFrame{}
		return true
	case r.related != nil && strings.HasPrefix(s, "    "):
		return r.relatedText(s[4:])
	}
	if from, to, ok := tscSquiggle(s); ok && r.frame.number > 0 {
		r.squiggle(from, to)
		return r.keep(s)
	}
	return !r.frame.begun && r.keep(strings.TrimPrefix(s, "  "))
}

// tscRelated reads "  a.ts:1:2" and "  a.ts:1:2 - text".
func tscRelated(s string) (at *result.Location, text string) {
	s = s[2:]
	if s == "" || s[0] == ' ' {
		return nil, ""
	}
	if at = tscColons(s); at != nil {
		return at, ""
	}
	for i := strings.Index(s, " - "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, " - ", i) {
		if at = tscColons(s[:i]); at != nil {
			return at, s[i+3:]
		}
	}
	return nil, ""
}

// relatedText passes over the source of a related place and keeps what is said
// about it, which follows.
func (r *tscReader) relatedText(s string) bool {
	f := r.related
	n, isSource := tscSource(s)
	_, _, isSquiggle := tscSquiggle(s)
	switch {
	case isSquiggle:
		f.marked++
	case isSource && (f.marked == 0 || n == 0 || n == f.number+1):
		f.number = n
	default:
		note := &r.finding.Related[len(r.finding.Related)-1]
		note.Message = strings.TrimSpace(note.Message + " " + strings.TrimSpace(s))
	}
	return true
}

// source takes a line of source; its number is aligned to the right.
func (r *tscReader) source(s string, number int) bool {
	r.related = nil
	if number > 0 {
		r.frame.number = number
	}
	return r.keep(s)
}

// squiggle says where the diagnostic ends. Squiggles stand below the source,
// which is as wide as its UTF-16 units; from the second line on they begin with
// the line.
func (r *tscReader) squiggle(from, to int) {
	f := &r.frame
	at := r.finding.At
	if f.marked == 0 {
		f.margin = from - at.Column + 1
	}
	f.marked++
	if f.number >= at.Line && to > f.margin {
		at.EndLine, at.EndColumn = f.number, to-f.margin+1
	}
}

func (r *tscReader) keep(s string) bool {
	if room := lex.MaxDetail - r.detail.Len(); room > len(s) && !r.full() {
		r.detail.WriteString(s)
		r.detail.WriteByte('\n')
	}
	return true
}

func (r *tscReader) close() {
	if !r.open {
		return
	}
	r.open = false
	if r.full() {
		r.dropped++
		return
	}
	r.finding.Detail = strings.TrimRight(r.detail.String(), "\n")
	r.found = append(r.found, r.finding)
}

// full: what is found now is only counted.
func (r *tscReader) full() bool { return len(r.found) >= tool.MaxFindings }

// status is a line that tells of the run: its counts, its progress.
func (r *tscReader) status(s string, l tool.Line) bool {
	if n, ok := tscFound(s); ok && (r.pretty > 0 || len(r.found) > 0 || r.open) {
		r.closing(n, tscTableRows)
		return true
	}
	if rest, ok := tscClock(s); ok {
		r.table = tscNoTable
		r.progress(rest)
		return true
	}
	if r.blank > 0 && r.pretty > 0 && !strings.HasPrefix(s, " ") && tscFoundInWords(s, r.errors) {
		r.closing(r.errors, tscHeader)
		return true
	}
	if r.table != tscNoTable && r.listed(s) {
		return true
	}
	r.table = tscNoTable
	if r.tsNode && strings.HasPrefix(s, "    at ") {
		r.pretty, r.errors = 0, 0 // it was all
		return true
	}
	if strings.HasPrefix(s, tsNodeThrew) {
		r.tsNode = true
		return true
	}
	if r.version.Text != "" && isTscHelp(s) {
		r.helped(l)
		return true
	}
	return r.crashed && strings.HasPrefix(s, "Node.js v")
}

// helped: there was nothing to compile.
func (r *tscReader) helped(l tool.Line) {
	r.close()
	r.begin(tscHead{severity: "error", message: l.Text}, r.version)
	r.keep(tscHelped)
	r.finding.Kind = result.GenericFinding
	r.finding.RawSpan.End = l.End
}

func (r *tscReader) closing(errors int, table tscTable) {
	r.claimed = max(r.claimed, 0) + errors
	r.pretty, r.errors, r.table = 0, 0, table
}

// listed is a line of the table of files.
func (r *tscReader) listed(s string) bool {
	if s == "" || s == "Errors  Files" || isTscTableRow(s) {
		return true
	}
	header := r.table == tscHeader && r.blank > 0 && !strings.ContainsAny(s, ":0123456789")
	r.table = tscTableRows
	return header
}

func isTscTableRow(s string) bool {
	_, _, ok := place.CutLineNumber(s)
	return ok && strings.HasPrefix(s, " ")
}

// progress: a watch that has compiled anew has told all there is again.
func (r *tscReader) progress(s string) {
	switch {
	case strings.HasPrefix(s, "File change detected."):
		r.close()
		r.previous = len(r.found)
	case strings.HasPrefix(s, "Found ") && strings.HasSuffix(s, " Watching for file changes."):
		r.close()
		r.found = r.found[min(r.previous, len(r.found)):]
		r.previous, r.pretty, r.errors = 0, 0, 0
		count, _, _ := strings.Cut(s[len("Found "):], " ")
		if n, ok := tscFound("Found " + count + " errors."); ok {
			r.claimed = n
		}
	}
}

// finish adds what was found to a report.
func (r *tscReader) finish(rep *tool.Report) {
	r.close()
	if len(rep.Findings) == 0 {
		rep.Findings = r.found
	} else {
		for _, f := range r.found {
			rep.Add(f)
		}
	}
	rep.Dropped += r.dropped
	rep.Covered = append(rep.Covered, r.covered.Covered...)
	if r.claimed >= 0 {
		rep.Claimed = max(rep.Claimed, 0) + r.claimed
	}
	if r.pretty > 0 && !r.endless || len(r.found) > 0 && !r.last.Ended {
		rep.Complete = false
	}
}
