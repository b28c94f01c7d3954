package mypy

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mypy reads both streams of mypy's output, first one and then the other.
type mypy struct {
	in     *tool.Input
	direct bool // the command is mypy itself
	named  bool // "mypy" occurs in the command line
	quiet  bool // a command without a closing line is shown, or was run
	json   bool // objects are read beside the text

	objects int
	broken  bool             // an object is cut off
	certain bool             // a line is one that only mypy prints
	closed  int              // number of closing lines
	unsure  []result.Finding // findings that are mypy's if any other line is

	block    mypyBlock
	open     *mypyTrace // the traceback that is being read
	trace    *mypyTrace // the last traceback that is mypy's
	blamed   string     // the line that says which plugin failed
	declined bool       // the output is not mypy's
}

// mypyBlock is the last finding, to which the lines below may belong.
type mypyBlock struct {
	head    mypyLine
	text    string   // the first line, code included
	wrapped []string // lines that may continue the message; carets or a code below prove that they do
	gap     bool     // the last line was empty, as between a full line and a code on a line of its own
	source  string
	carets  bool
	last    int64 // offset of the end of wrapped or source
}

// Bounds for the lines that continue a message.
const (
	maxMypyWrap  = 40   // lines, enough for a long message at 20 columns
	maxMypyWidth = 1000 // bytes of one line; terminals are narrower
)

func (m *mypy) line(s *read.Sink, l tool.Line) bool {
	l, _ = read.CutGlued(l)
	if m.json && m.object(s, l) {
		return true
	}
	if m.open != nil && m.traces(s, l) {
		return false // endTrace covers the lines if the traceback is mypy's
	}
	text := l.Text
	m.quiet = m.quiet || strings.Contains(text, " --no-error-summary") && strings.Contains(text, "mypy ")
	switch {
	case text == "":
		if !s.Open() || !m.block.gaps() {
			m.seal(s)
		}
		return false
	case text[0] == ' ' && !strings.HasPrefix(text, " ["): // " [": the line was full after the first blank before a code
		if !s.Open() || !m.below(s, l) {
			m.seal(s)
		}
		return false
	case m.head(s, l), m.summary(s, l), m.notice(s, l):
		return true
	case text == "Traceback (most recent call last):":
		m.seal(s)
		m.open = &mypyTrace{span: result.Span{Start: l.Start, End: l.End}}
		return false
	case s.Open() && m.wraps(s, l):
		return false
	}
	m.seal(s)
	if lex.HasAnyPrefix(text, "Error calling the plugin(version) entry point of ", "Error constructing plugin instance of ") {
		m.blamed = text
		return true
	}
	return m.configLine(s, l) || m.direct && lex.HasAnyPrefix(text, "LOG:", "Daemon ", "Generated ", "usage: mypy", "Installing missing stub packages:")
}

// count takes lines beyond the limit of findings, which are only counted.
func (m *mypy) count(s *read.Sink, l tool.Line) (own, known bool) {
	switch {
	case m.open != nil || l.Text == "":
	case m.json && l.Text[0] == '{':
		own = m.object(s, l)
		return own, own
	case l.Text[0] == ' ' && !strings.HasPrefix(l.Text, " ["):
		return m.line(s, l), true
	}
	return false, false
}

// head takes the first line of an error, a warning or a note.
func (m *mypy) head(s *read.Sink, l tool.Line) bool {
	h, ok := cutMypyLine(l.Text)
	own := h.python() || h.configured() || m.named && h.unread()
	placed := isMypyConfig(h.at.Path) || h.at.Line > 0 || h.code != ""
	if !ok || !own && !(m.direct && placed) {
		return false
	}
	m.certain = m.certain || h.code != "" || h.usage() || h.configured() || h.panics()
	if h.context() { // a note "defined here" to the previous finding may follow
		m.endMessage(s)
		return true
	}
	if s.Open() {
		m.goesOn(s, h)
		if h.explains(m.block.head.place(), m.block.head.word == "error") {
			m.endMessage(s)
			if f := s.Last(); f != nil {
				h.explain(f)
			}
			return s.Reach(l)
		}
	}
	m.seal(s)
	m.block = mypyBlock{head: h, text: l.Text, wrapped: m.block.wrapped[:0]}
	if s.Crowded() {
		s.Tell(l, h.severity())
	} else {
		s.Find(l, h.finding())
	}
	return true
}

// summary takes a closing line, "Found 3 errors in 2 files (checked 9 source files)".
func (m *mypy) summary(s *read.Sink, l tool.Line) bool {
	n, ok := mypySummary(l.Text)
	if ok {
		m.goesOn(s, mypyLine{})
		m.seal(s)
		m.closed++
		s.Found(l, n)
	}
	return ok
}

// notice takes a message about mypy itself. An error about a configuration file that other tools print
// too is kept in unsure until another line shows that the output is mypy's.
func (m *mypy) notice(s *read.Sink, l tool.Line) bool {
	if f, ok := cutMypyNotice(l.Text, m.direct); ok {
		m.seal(s)
		m.certain = true
		s.Find(l, f)
		return s.Break()
	}
	f, ok := cutMypyConfig(l.Text, true)
	if !ok || len(m.unsure) >= s.Most() {
		return false
	}
	m.seal(s)
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	m.unsure = append(m.unsure, f)
	return true
}

// configLine takes "\t[line 10]: '[foo\n'", which follows the error about an INI file that cannot be read.
func (m *mypy) configLine(s *read.Sink, l tool.Line) bool {
	where, ok := strings.CutPrefix(l.Text, "\t[line ")
	found := m.unsure
	if len(found) == 0 {
		found = s.Findings
	}
	if n := len(found); !ok || n == 0 || found[n-1].At == nil || found[n-1].At.Line > 0 || !isMypyConfig(found[n-1].At.Path) {
		return false
	}
	f := &found[len(found)-1]
	f.At.Line, f.Detail, f.RawSpan.End = lex.LeadingNumber(where), l.Text, max(f.RawSpan.End, l.End)
	return true
}

// goesOn ends a wrapped message at the next line of mypy's. An error without a line number has no source below. If
// the closing line or a note on the same file follows, all lines between are the message's.
func (m *mypy) goesOn(s *read.Sink, next mypyLine) {
	b := &m.block
	if s.Open() && len(b.wrapped) > 0 && !b.gap && b.head.at.Line == 0 && b.mayGoOn() && (next.at.Path == "" || next.at.Path == b.head.at.Path) {
		m.unwrap(s, b.last)
	}
}

// mayGoOn reports whether the message may continue on the next line.
func (b *mypyBlock) mayGoOn() bool {
	return b.head.word != "note" && b.head.code == "" && b.source == "" && !b.head.panics()
}

// gaps takes an empty line, and reports whether it may be inside a message.
func (b *mypyBlock) gaps() bool {
	b.gap = !b.gap && b.mayGoOn() && len(b.wrapped) > 0
	return b.gap
}

// below takes the source line and the carets of --pretty, which prove that the lines above the
// source are the message's.
func (m *mypy) below(s *read.Sink, l tool.Line) bool {
	b := &m.block
	text, ok := strings.CutPrefix(l.Text, "    ")
	switch {
	case !ok || b.head.word == "note" || b.carets || b.gap:
		return false
	case b.source == "":
		if b.source, b.last = text, l.End; s.Last() == nil {
			b.source = "not kept"
		}
		return true
	case strings.Trim(text, " ^~.") != "" || !strings.Contains(text, "^"):
		return false
	}
	b.carets = true
	m.unwrap(s, l.End)
	if f := s.Last(); f != nil && f.Detail == "" {
		f.Detail = b.source + "\n" + text
	}
	return true
}

// wraps takes a line that may continue the message. Only carets below, or a code at the end of
// the line, prove that it does.
func (m *mypy) wraps(s *read.Sink, l tool.Line) bool {
	b := &m.block
	if b.head.panics() && lex.HasAnyPrefix(l.Text, mypyCrash...) {
		return s.More(l)
	}
	if !b.mayGoOn() || len(b.wrapped) >= maxMypyWrap || len(l.Text) > maxMypyWidth || b.gap && !strings.HasPrefix(l.Text, "[") {
		return false
	}
	b.gap, b.last = false, l.End
	b.wrapped = append(b.wrapped, l.Text)
	if code := endMypyCode(l.Text); code != "" {
		m.unwrap(s, l.End)
		b.head.code = code
	}
	return true
}

// mypyCrash lists the beginnings of lines below an internal error without a place. With a place,
// the notes have it too.
var mypyCrash = []string{"https://", "Please report", "If this issue", "version: ", "note: please use --show-traceback", "note: use --pdb"}

// unwrap joins the lines of a wrapped message, and extends the finding's span to end.
func (m *mypy) unwrap(s *read.Sink, end int64) {
	b, f := &m.block, s.Last()
	if f != nil {
		f.RawSpan.End = max(f.RawSpan.End, end)
		s.CoverSpan(f.RawSpan.Start, f.RawSpan.End)
	}
	if len(b.wrapped) == 0 {
		return
	}
	whole := b.whole()
	b.wrapped = b.wrapped[:0]
	if h, ok := cutMypyLine(whole); ok {
		b.head, b.text = h, whole
		if f != nil {
			was := *f
			*f = h.finding()
			f.Related, f.RawSpan = was.Related, was.RawSpan
		}
	}
}

// whole returns the message joined with its further lines. The code keeps its two blanks.
func (b *mypyBlock) whole() string {
	text := strings.TrimRight(b.text, " ")
	for _, more := range b.wrapped {
		if strings.HasPrefix(more, "[") {
			text += " "
		}
		text += " " + strings.TrimRight(more, " ")
	}
	return text
}

// endMessage ends the message: no further lines are joined to it.
func (m *mypy) endMessage(s *read.Sink) {
	if b := &m.block; s.Open() && b.head.message == "" && len(b.wrapped) > 0 { // the first line was too narrow for any of the message
		m.unwrap(s, b.last)
	}
	m.block.wrapped = m.block.wrapped[:0]
}

// seal ends the last finding.
func (m *mypy) seal(s *read.Sink) {
	m.endMessage(s)
	s.Break()
}
