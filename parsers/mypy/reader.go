package mypy

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Bounds of what one stream's reader keeps.
const (
	maxMypyFrames = 16 << 20 // bytes of source of all findings
	maxMypyWrap   = 40       // lines of one message; at 20 columns it is long
	maxMypyWidth  = 1000     // bytes of one of them; terminals are narrower
)

// mypyReader follows one stream.
type mypyReader struct {
	direct    bool
	named     bool // mypy is in the command line
	findings  []result.Finding
	dropped   int
	unsure    []result.Finding // mypy's, if it was there at all
	summaries []mypySummary
	covered   []result.Span
	certain   bool // something that only mypy prints
	budget    int

	block  *mypyBlock // the open finding
	space  mypyBlock  // where block is
	open   *mypyTrace // the traceback that goes on
	trace  *mypyTrace // the last one that was mypy's
	blamed string     // what says which plugin did it
}

// mypyBlock is a finding while lines may still belong to it.
type mypyBlock struct {
	head       mypyLine
	text       string // of the message, code included
	f          result.Finding
	made       bool // f is: not before it is needed
	counted    bool // no more than that: there are too many
	start, end int64

	wrapped []string // lines that go on with the message, if carets follow
	gap     bool     // an empty line was the last: between a full line and the code
	source  string
	carets  string
	last    int64 // end of wrapped or source
}

func (r *mypyReader) line(l tool.Line) {
	l, _ = read.CutGlued(l)
	s := l.Text
	if r.open != nil && r.traces(l) {
		return
	}
	switch {
	case s == "":
		if r.block == nil || !r.block.gaps() {
			r.endBlock()
		}
	case s[0] == ' ' && !strings.HasPrefix(s, " ["): // the code's second blank, where the line is full before it
		if r.block == nil || !r.block.below(l) {
			r.endBlock()
		}
	case r.head(l), r.summary(l), r.notice(l), r.falls(l):
	case r.block != nil && r.block.wraps(l):
	default:
		r.endBlock()
		r.configLine(l)
		if strings.HasPrefix(s, "Error calling the plugin(version) entry point of ") || strings.HasPrefix(s, "Error constructing plugin instance of ") {
			r.blamed = s
			r.cover(l.Start, l.End)
		}
		if r.direct && isMypyNoise(s) {
			r.cover(l.Start, l.End)
		}
	}
}

// isMypyNoise: lines about the run itself.
func isMypyNoise(s string) bool {
	return lex.HasAnyPrefix(s, "LOG:", "Daemon ", "Generated ", "usage: mypy", "Installing missing stub packages:")
}

func (r *mypyReader) cover(start, end int64) {
	if n := len(r.covered); n > 0 && r.covered[n-1].End >= start {
		r.covered[n-1].End = max(r.covered[n-1].End, end)
		return
	}
	r.covered = append(r.covered, result.Span{Start: start, End: end})
}

// head takes a line that reports something.
func (r *mypyReader) head(l tool.Line) bool {
	m, ok := readMypyLine(l.Text)
	if !ok || !m.python() && !m.configured() && !(r.named && m.unread()) && !(r.direct && (isConfigFile(m.at.Path) || m.at.Line > 0 || m.code != "")) {
		return false
	}
	r.certain = r.certain || m.code != "" || m.usage() || m.configured()
	if m.context() { // "defined here" may come behind it, of the finding before it
		if r.block != nil {
			r.block.seal()
			r.cover(r.block.start, r.block.end)
		}
		r.cover(l.Start, l.End)
		return true
	}
	if r.block != nil && m.explains(r.block.head.place(), r.block.head.severity == "error") {
		r.goesOn(m)
		r.block.seal()
		if !r.block.counted {
			m.explain(r.block.finding())
		}
		r.block.end = max(r.block.end, l.End)
		return true
	}
	r.goesOn(m)
	r.endBlock()
	r.block = &r.space
	*r.block = mypyBlock{head: m, text: l.Text, start: l.Start, end: l.End, counted: r.full(), wrapped: r.space.wrapped[:0]}
	return true
}

func (r *mypyReader) summary(l tool.Line) bool {
	s, ok := readMypySummary(l.Text)
	if !ok {
		return false
	}
	r.goesOn(mypyLine{})
	r.endBlock()
	r.cover(l.Start, l.End)
	if len(r.summaries) < tool.MaxFindings {
		r.summaries = append(r.summaries, s)
	}
	return true
}

func (r *mypyReader) notice(l tool.Line) bool {
	f, ok := readMypyNotice(l.Text, r.direct)
	if !ok {
		return r.mayBeConfig(l)
	}
	r.endBlock()
	r.certain = true
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	r.add(f)
	return true
}

// mayBeConfig keeps what mypy, among others, says of a file of configuration
// that it cannot read.
func (r *mypyReader) mayBeConfig(l tool.Line) bool {
	f, ok := readMypyConfig(l.Text, true)
	if !ok || len(r.unsure) >= tool.MaxFindings {
		return false
	}
	r.endBlock()
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	r.unsure = append(r.unsure, f)
	return true
}

// configLine takes "\t[line 10]: '[foo\n'", which follows where an INI file cannot
// be read.
func (r *mypyReader) configLine(l tool.Line) {
	where, ok := strings.CutPrefix(l.Text, "\t[line ")
	found := r.unsure
	if len(found) == 0 {
		found = r.findings
	}
	if n := len(found); ok && n > 0 && found[n-1].At != nil && found[n-1].At.Line == 0 && isConfigFile(found[n-1].At.Path) {
		f := &found[n-1]
		f.At.Line, f.Detail = lex.LeadingNumber(where), l.Text
		f.RawSpan.End = l.End
		r.cover(l.Start, l.End)
	}
}

func (r *mypyReader) add(f result.Finding) {
	r.cover(f.RawSpan.Start, f.RawSpan.End)
	if r.full() {
		r.dropped++
		return
	}
	if r.budget -= len(f.Detail); r.budget < 0 {
		f.Detail = ""
	}
	r.findings = append(r.findings, f)
}

func (r *mypyReader) full() bool { return len(r.findings) >= tool.MaxFindings }

// goesOn looks at what mypy says next. Where an error has no line number, no source
// stands below its message. The closing line, or a note on the same file, then proves
// that all lines before it were the message.
func (r *mypyReader) goesOn(next mypyLine) {
	b := r.block
	if b == nil || len(b.wrapped) == 0 || b.gap || b.head.at.Line > 0 || !b.open() || next.at.Path != "" && next.at.Path != b.head.at.Path {
		return
	}
	b.end = max(b.end, b.last)
	b.unwrap()
}

// open: the message may go on.
func (b *mypyBlock) open() bool {
	return b.head.severity != "note" && b.head.code == "" && b.source == "" && !b.head.panics()
}

// gaps takes an empty line within a message.
func (b *mypyBlock) gaps() bool {
	b.gap = !b.gap && b.open() && len(b.wrapped) > 0
	return b.gap
}

// below takes the source line and the carets of --pretty.
func (b *mypyBlock) below(l tool.Line) bool {
	s, ok := strings.CutPrefix(l.Text, "    ")
	switch {
	case !ok || b.head.severity == "note" || b.carets != "" || b.gap:
		return false
	case b.source == "":
		b.source, b.last = s, l.End
		return true
	case strings.Trim(s, " ^~.") != "" || !strings.Contains(s, "^"):
		return false
	}
	b.carets, b.end = s, max(b.end, l.End)
	b.unwrap()
	return true
}

// wraps takes a line that may go on with the message. Only the carets below, or
// the code at its end, prove that it does.
func (b *mypyBlock) wraps(l tool.Line) bool {
	if !b.open() || len(b.wrapped) >= maxMypyWrap || len(l.Text) > maxMypyWidth {
		return b.crashes(l)
	}
	if b.gap && !strings.HasPrefix(l.Text, "[") {
		return false
	}
	b.gap = false
	b.wrapped = append(b.wrapped, l.Text)
	b.last = l.End
	if code := endMypyCode(l.Text); code != "" {
		b.end = max(b.end, l.End)
		b.unwrap()
		b.head.code = code
	}
	return true
}

// mypyCrash begin the lines below an internal error. The notes have a place
// before them where the error has one.
var mypyCrash = []string{"https://", "Please report", "If this issue", "version: ", "note: please use --show-traceback", "note: use --pdb"}

// crashes takes what mypy prints below an internal error.
func (b *mypyBlock) crashes(l tool.Line) bool {
	s := l.Text
	goesOn := func(start string) bool { return strings.HasPrefix(s, start) }
	if !b.head.panics() || !slices.ContainsFunc(mypyCrash, goesOn) {
		return false
	}
	b.finding().Detail += s + "\n"
	b.end = max(b.end, l.End)
	return true
}

// whole is the message with what was wrapped. The code keeps its two blanks.
func (b *mypyBlock) whole() string {
	var text strings.Builder
	text.WriteString(strings.TrimRight(b.text, " "))
	for _, s := range b.wrapped {
		if strings.HasPrefix(s, "[") {
			text.WriteByte(' ')
		}
		text.WriteString(" " + strings.TrimRight(s, " "))
	}
	return text.String()
}

// unwrap joins a wrapped message.
func (b *mypyBlock) unwrap() {
	if len(b.wrapped) == 0 {
		return
	}
	if b.counted {
		b.wrapped = b.wrapped[:0]
		return
	}
	whole := b.whole()
	b.wrapped = b.wrapped[:0]
	if m, ok := readMypyLine(whole); ok {
		b.head, b.text = m, whole
		related := b.f.Related
		b.made = false
		b.finding().Related = related
	}
}

// finding is the finding of the block, made of what is known so far.
func (b *mypyBlock) finding() *result.Finding {
	if !b.made {
		b.f, b.made = b.head.finding(), true
	}
	return &b.f
}

// seal ends what may still be joined to the message.
func (b *mypyBlock) seal() {
	if b.head.message == "" && len(b.wrapped) > 0 { // without it there is none
		b.end = max(b.end, b.last)
		b.unwrap()
	}
	b.wrapped = b.wrapped[:0]
	if b.carets == "" || b.counted {
		return
	}
	if f := b.finding(); f.Detail == "" {
		f.Detail = b.source + "\n" + b.carets
	}
}

func (r *mypyReader) endBlock() {
	b := r.block
	if b == nil {
		return
	}
	r.block = nil
	r.certain = r.certain || b.head.panics()
	if b.seal(); r.full() {
		r.cover(b.start, b.end)
		r.dropped++
		return
	}
	f := b.finding()
	f.RawSpan = &result.Span{Start: b.start, End: b.end}
	if f.Message == "" {
		f.Message = b.head.severity // cut off behind it
	}
	r.add(*f)
}

func (r *mypyReader) finish() {
	r.endTrace()
	r.endBlock()
}
