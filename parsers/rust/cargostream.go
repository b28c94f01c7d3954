package rust

import (
	"path"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// passing says whether the line is skipped, whatever its text.
func (s *cargoStream) passing(t string) bool {
	if s.diag != nil && s.block == nil {
		return s.diag.passing(t)
	}
	return s.block.passing() && !strings.HasPrefix(t, "{")
}

// cargoStream is the reader of one of the two streams.
type cargoStream struct {
	run    *cargoRun
	diag   *rustcDiag
	space  rustcDiag // memory for diag
	closed int       // index+1 in run.diags of the diagnostic that just ended
	short  int       // likewise, if the last line was a diagnostic in short format
	causes bool      // lines below its "Caused by:" are being read
	cause  cargoCause
	block  *libtestBlock
	began  bool         // a block or a header was read
	target *cargoTarget // the target whose header or failure came last
	after  bool         // target failed: a "Caused by:" belongs to it
	list   bool         // a list of failed targets is being read
	quoted bool         // inside of output that trybuild quotes
	quiet  rustLoose    // output of tests under -q, which names no target until one fails
}

// line takes a line and says whether cargo, rustc or a test printed it.
func (s *cargoStream) line(l tool.Line) bool {
	t := l.Text
	if isCargoJSON(t) {
		return s.json(l)
	}
	if isLibtestJSON(t) {
		return s.libtestJSON(l)
	}
	if strings.HasPrefix(t, " Nextest run ID ") || strings.HasPrefix(t, "     Summary [") || t == "error: test run failed" {
		s.run.nextest = true
	}
	if s.block != nil {
		return s.inBlock(l)
	}
	if rest := behindDocVerdict(t); rest != "" && s.target != nil && s.target.kind == "doc" {
		l.Text = rest
		return s.line(l)
	}
	if s.inQuote(l) || s.advice(l) || s.inCauses(l) || s.diag != nil && s.inDiag(l) {
		return true
	}
	if n, ok := readLibtestStart(t); ok {
		s.startBlock(n, l)
		return true
	}
	if !s.began && beginsMidway(t) {
		s.startBlock(headless, l)
		return s.inBlock(l)
	}
	if s.shortGoesOn(l) || s.cargoLine(l) {
		return true
	}
	if d, spot, ok := readRustcShort(t); ok {
		if s.run.overflows(&d, spot) {
			s.short = 0
			return true
		}
		d.start, d.end = l.Start, l.End
		f, at := d.finding(&s.run.lints), spot // a copy, since spot would otherwise be allocated for each line
		f.At = &at
		s.short = s.run.addDiag(f)
		return true
	}
	return s.startDiag(l) || s.rest(l)
}

// shortGoesOn takes a further line of a short diagnostic's message, indented to where the message begins.
func (s *cargoStream) shortGoesOn(l tool.Line) bool {
	i := s.short - 1
	if i < 0 {
		return false
	}
	d := &s.run.diags[i]
	if d.RawSpan.End > l.Start || !strings.HasPrefix(l.Text, "       ") || isCargoStatus(l.Text) || strings.TrimSpace(l.Text) == "" {
		s.short = 0
		return false
	}
	if len(d.Message) < maxRustError {
		d.Message += " " + strings.TrimSpace(l.Text)
	}
	d.RawSpan.End = max(d.RawSpan.End, l.End)
	return true
}

// inQuote skips compiler output that trybuild quotes from its cases: it has no findings,
// and no lines of libtest or cargo.
func (s *cargoStream) inQuote(l tool.Line) bool {
	if strings.HasPrefix(l.Text, trybuildQuote) {
		s.closeDiag()
		s.quoted = !s.quoted
		return s.rest(l)
	}
	if !s.quoted {
		return false
	}
	if _, ended := readCargoRerun(l.Text); ended || isCargoStatus(l.Text) {
		s.quoted = false
		return false
	}
	s.rest(l)
	return true
}

// inBlock takes test output, up to cargo's next line.
func (s *cargoStream) inBlock(l tool.Line) bool {
	b := s.block
	if args, ok := readCargoRerun(l.Text); ok && b.section == nil {
		s.endBlock()
		s.failure(args, l)
		return true
	}
	if t, binary, ok := readCargoRunning(l.Text); ok && b.section == nil {
		s.endBlock()
		s.header(t, binary, l)
		return true
	}
	if n, ok := readLibtestStart(l.Text); ok && (b.over || b.mayHaveDied()) {
		s.endBlock()
		s.startBlock(n, l)
		return true
	}
	if b.over { // between this block and the next output
		s.endBlock()
		return s.line(l)
	}
	b.line(l)
	b.blank = l.Text == "" || strings.HasPrefix(l.Text, "test ") && strings.HasSuffix(l.Text, " ... ")
	return true
}

func (s *cargoStream) startBlock(n int, l tool.Line) {
	s.closeDiag()
	s.began = true
	s.block = newLibtestBlock(n, l, s.run.report.Most())
	s.block.crowded = s.run.named >= s.run.report.Most()
	if s.target != nil && s.target.header && !s.target.failed && (len(s.target.blocks) == 0 || s.target.kind == "doc") {
		attach(s.block, s.target)
	}
}

func (s *cargoStream) endBlock() {
	if b := s.block; b != nil {
		b.closeSection()
		if s.run.named += max(len(b.marked), len(b.listed)); b.crowded && b.result != nil {
			b.trim()
		}
		s.run.blocks = append(s.run.blocks, b)
		s.block = nil
	}
}

func (s *cargoStream) header(t *cargoTarget, binary string, l tool.Line) {
	s.closeDiag()
	s.began = true
	t.start, t.end = l.Start, l.End
	s.target, s.after = t, false
	s.run.targets = append(s.run.targets, t)
	s.run.cargo = true
	s.run.placeRoot(binary)
}

// failure takes cargo's line about a failed target.
func (s *cargoStream) failure(args string, l tool.Line) {
	t := s.target
	if t == nil || t.failed {
		t = &cargoTarget{start: l.Start, loose: s.quiet}
		s.quiet = rustLoose{}
		s.run.targets = append(s.run.targets, t)
		s.target = t
	}
	t.learn(args)
	t.end, t.causeSpan = max(t.end, l.End), result.Span{Start: l.Start, End: l.End}
	s.after, s.run.cargo, s.run.ended = true, true, true
}

// inCauses takes the lines below "Caused by:".
func (s *cargoStream) inCauses(l tool.Line) bool {
	t := l.Text
	if t == "Caused by:" && (s.after || s.closed > 0) {
		s.closeDiag()
		s.cause = cargoCause{file: s.cause.file}
		s.causes = true
		return true
	}
	if !s.causes {
		if t != "" && !strings.HasPrefix(t, "note: ") && s.diag == nil {
			s.closed = 0
		}
		return false
	}
	if t != "" && !strings.HasPrefix(t, "  ") || isCargoStatus(t) {
		s.causes, s.after, s.closed, s.cause.file = false, false, 0, ""
		return false
	}
	if s.after {
		s.target.readCause(l)
	} else if d := &s.run.diags[s.closed-1]; t != "" {
		d.RawSpan.End = max(d.RawSpan.End, l.End)
		s.cause.add(d, t[2:])
	}
	return true
}

// readCause reads how the process of a target ended.
func (t *cargoTarget) readCause(l tool.Line) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(l.Text), "process didn't exit successfully: `")
	if !ok || t.cause != "" {
		return
	}
	i := strings.LastIndex(rest, "` (")
	if i < 0 {
		return
	}
	t.cause = "process didn't exit successfully " + rest[i+2:]
	t.causeSpan = result.Span{Start: l.Start, End: l.End}
	if name, ok := cutCargoHash(path.Base(strings.ReplaceAll(cargoVerboseBinary(rest[:i]), `\`, "/"))); ok && t.name == "" {
		t.name = name
	}
}

// inDiag takes the lines of a diagnostic, up to a blank one.
func (s *cargoStream) inDiag(l tool.Line) bool {
	d := s.diag
	if d.passing(l.Text) {
		d.end = max(d.end, l.End)
		return true
	}
	level, _, _, headline := cutRustcHeadline(l.Text)
	switch {
	case l.Text == "" && d.resolving():
	case l.Text == "", headline && (level == "error" || level == "warning"), isCargoStatus(l.Text):
		s.closeDiag()
		return l.Text == ""
	}
	d.resolved = d.resolved || d.code == "" && strings.HasPrefix(l.Text, unresolved)
	switch {
	case len(d.lines) >= maxRustcLines || d.enough:
	case len(s.run.diags) >= s.run.report.Most():
		d.at, d.enough = cutRustcArrow(l.Text, "--> ") // a place is enough to recognize repetitions
		fallthrough
	default:
		d.lines = append(d.lines, lex.Clip(l.Text))
	}
	d.end = max(d.end, l.End)
	return true
}

func (s *cargoStream) startDiag(l tool.Line) bool {
	level, code, message, ok := cutRustcHeadline(l.Text)
	if !ok || level == "note" && len(s.run.diags) == 0 || level == "help" {
		return false
	}
	if quotesCompiler(message) {
		s.closeDiag()
		return true
	}
	if s.target != nil && !s.target.failed && s.target.kind != "doc" {
		return false // a test binary is running, which printed this line
	}
	if len(s.quiet.panics) > 0 { // likewise: nothing is compiled after tests have printed
		return false
	}
	s.closeDiag()
	s.diag = &s.space
	*s.diag = rustcDiag{level: level, code: code, message: message, start: l.Start, end: l.End, lines: s.space.lines[:0]}
	return true
}

func (s *cargoStream) closeDiag() {
	d := s.diag
	if s.diag = nil; d == nil {
		return
	}
	if d.enough && len(d.lines) == 1 && s.run.overflows(d, d.at) {
		s.closed = 0
		return
	}
	f := d.finding(&s.run.lints)
	if f.At == nil && (d.level == "note" || d.level == "help") {
		return
	}
	s.closed = s.run.addDiag(f)
}

// rest takes a line that no other reader recognizes. While a test binary runs, its tests printed the line.
func (s *cargoStream) rest(l tool.Line) bool {
	if strings.HasSuffix(l.Text, " benchmarks") && strings.Contains(l.Text, " tests, ") {
		s.run.listed = true
	}
	if s.ran(l) {
		return true
	}
	if l.Text == "" {
		return s.run.cargo || len(s.run.diags) > 0
	}
	if s.target != nil && !s.target.failed {
		s.target.loose.line(l)
		return true
	}
	return s.hushed(l)
}

// hushed takes output of tests under -q, but not a panic of the compiler itself.
func (s *cargoStream) hushed(l tool.Line) bool {
	if !s.run.testing || strings.HasPrefix(l.Text, "thread 'rustc' ") {
		return false
	}
	s.quiet.line(l)
	return len(s.quiet.panics) > 0
}

func (s *cargoStream) json(l tool.Line) bool {
	if strings.HasPrefix(l.Text, cargoJSONStart) {
		s.run.cargo = true
	}
	m, ok := rustcJSONDiag(l.Text)
	switch {
	case strings.HasPrefix(l.Text, `{"reason":"build-finished"`):
		s.run.ended = true
	case ok && !m.isNoise():
		if len(s.run.diags) >= s.run.report.Most() {
			m.Rendered = "" // the text is not needed to recognize repetitions
		}
		s.run.addDiag(m.finding(l))
	case ok && m.Level == "error":
		s.run.aborts++
	}
	return true
}
