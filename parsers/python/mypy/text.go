package mypy

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mypy reads what mypy prints, on both streams, one after the other.
type mypy struct {
	in     *tool.Input
	direct bool // the command is mypy itself
	named  bool // mypy is in the command line
	json   bool // objects are read beside the text

	objects int
	broken  bool             // an object is not whole
	certain bool             // there is something that only mypy prints
	closed  int              // closing lines
	unsure  []result.Finding // mypy's, if any of the output is

	block    mypyBlock
	open     *mypyTrace // the traceback that goes on
	trace    *mypyTrace // the last one that was mypy's
	blamed   string     // says which plugin failed
	declined bool
}

// mypyBlock is the finding that came last, to which lines below it may belong.
type mypyBlock struct {
	head    mypyLine
	text    string   // of the message, code included
	wrapped []string // lines that go on with the message, if carets follow
	gap     bool     // an empty line was the last: between a full line and the code
	source  string
	carets  bool
	last    int64 // end of wrapped or source
}

// Bounds of what is kept of one message.
const (
	maxMypyWrap  = 40   // lines; at 20 columns it is long
	maxMypyWidth = 1000 // bytes of one of them; terminals are narrower
)

func (m *mypy) line(s *read.Sink, l tool.Line) bool {
	l, _ = read.CutGlued(l)
	if m.json && m.object(s, l) {
		return true
	}
	if m.open != nil && m.traces(s, l) {
		return false // covered when it is known to be mypy's
	}
	text := l.Text
	switch {
	case text == "":
		if !s.Open() || !m.block.gaps() {
			m.seal(s)
		}
		return false
	case text[0] == ' ' && !strings.HasPrefix(text, " ["): // the code's second blank, where the line is full before it
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

// count takes lines of which nothing is kept where no more findings are.
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

// head takes a line that reports something.
func (m *mypy) head(s *read.Sink, l tool.Line) bool {
	h, ok := cutMypyLine(l.Text)
	own := h.python() || h.configured() || m.named && h.unread()
	placed := isMypyConfig(h.at.Path) || h.at.Line > 0 || h.code != ""
	if !ok || !own && !(m.direct && placed) {
		return false
	}
	m.certain = m.certain || h.code != "" || h.usage() || h.configured() || h.panics()
	if h.context() { // "defined here" may come behind it, of the finding before it
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

// summary takes a closing line.
func (m *mypy) summary(s *read.Sink, l tool.Line) bool {
	n, ok := mypySummary(l.Text)
	if ok {
		m.goesOn(s, mypyLine{})
		m.seal(s)
		m.closed++
		s.Claim(n)
		s.Close(l)
	}
	return ok
}

// notice takes what mypy says of itself. What others say too, of a file of configuration
// that cannot be read, is kept until something shows that mypy is there.
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

// configLine takes "\t[line 10]: '[foo\n'", which follows where an INI file cannot be read.
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

// goesOn looks at what mypy says next. Where an error has no line number, no source
// stands below its message. The closing line, or a note on the same file, then proves
// that all lines before it were the message.
func (m *mypy) goesOn(s *read.Sink, next mypyLine) {
	b := &m.block
	if s.Open() && len(b.wrapped) > 0 && !b.gap && b.head.at.Line == 0 && b.mayGoOn() && (next.at.Path == "" || next.at.Path == b.head.at.Path) {
		m.unwrap(s, b.last)
	}
}

// mayGoOn: the message is not known to be whole.
func (b *mypyBlock) mayGoOn() bool {
	return b.head.word != "note" && b.head.code == "" && b.source == "" && !b.head.panics()
}

// gaps takes an empty line within a message.
func (b *mypyBlock) gaps() bool {
	b.gap = !b.gap && b.mayGoOn() && len(b.wrapped) > 0
	return b.gap
}

// below takes the source line and the carets of --pretty, which prove that the lines
// above them were the message.
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

// wraps takes a line that may go on with the message. Only the carets below, or the code
// at its end, prove that it does.
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

// mypyCrash begin the lines below an internal error. The notes have a place before them
// where the error has one.
var mypyCrash = []string{"https://", "Please report", "If this issue", "version: ", "note: please use --show-traceback", "note: use --pdb"}

// unwrap joins a wrapped message, which with what belongs to it goes to an end.
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

// whole is the message with what was wrapped. The code keeps its two blanks.
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

// endMessage ends what may still be joined to the message.
func (m *mypy) endMessage(s *read.Sink) {
	if b := &m.block; s.Open() && b.head.message == "" && len(b.wrapped) > 0 { // without a head nothing is joined
		m.unwrap(s, b.last)
	}
	m.block.wrapped = m.block.wrapped[:0]
}

// seal ends a finding.
func (m *mypy) seal(s *read.Sink) {
	m.endMessage(s)
	s.Break()
}
