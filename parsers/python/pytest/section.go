package pytest

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// The parts of a run below a heading: failures, errors, captured output. reader.go decides which section a line is
// in; this file keeps the section's blocks.

// text takes a line that opens no part.
func (run *run) text(l tool.Line, r *reader) {
	run.end = max(run.end, l.End)
	switch run.section {
	case atStart, unknown:
		if !run.instantLine(l, r) && l.Text != "" && !run.nested {
			run.progress(l, r)
		}
	case inErrors, inFailures:
		if !r.picks || !run.picked(l) {
			run.body(l, r)
		}
	case inSummary:
		run.listed(l)
	case stopping: // "path:3: KeyboardInterrupt"
		s := &run.stopped[len(run.stopped)-1]
		if at, ok := strings.CutSuffix(l.Text, ": "+s.title); ok && s.at == "" {
			s.at, s.end = at, l.End
		}
	case inResults:
		if word := strings.TrimSpace(l.Text); word != "" && word[0] >= '0' && word[0] <= '9' {
			run.counts.add(word)
		}
	}
}

// body takes a line of a block, or of a report of --tb=line, which has no blocks.
func (run *run) body(l tool.Line, r *reader) {
	if run.block == nil {
		if l.Text == "" || run.aside {
			return
		}
		run.block = run.lineBlock(l, r)
	}
	switch b := run.block; {
	case b.over:
		b.blank = l.Text == ""
	case b.line:
		run.lineBody(l, r)
	case run.captured:
		b.output.Add(l.Text, &r.budget)
	default:
		b.body(l.Text, &r.budget)
	}
}

// picked takes a line of a block in an output of which "| grep" or the like left single lines; if it returns false, the
// line is read as usual. Headings may be missing, so a block may have lines of the blocks below it, and the
// summary may be in the last block.
func (run *run) picked(l tool.Line) bool {
	if e, ok := run.cutEntry(l); ok {
		run.picks = run.kept(run.picks, e)
		return true
	}
	run.picks = nil // the summary comes last, so a test printed the lines above
	b := run.block
	return b != nil && b.err.set && strings.HasPrefix(l.Text, "E ") // of this test or of one whose heading is missing
}

// head opens a block.
func (run *run) head(l tool.Line, r *reader) bool {
	title, ok := cutRule(l.Text, '_', run.width)
	if !ok || run.width == 0 || strings.Trim(title, "_ ") == "" {
		return false
	}
	if run.section <= atStart {
		return run.instantHead(title, l, r)
	}
	if !run.reopen(true) {
		return false
	}
	run.endBlock(l.Start)
	tainted := run.tainted || run.captured
	run.captured, run.aside, run.end = false, false, max(run.end, l.End)
	switch {
	case run.section != inErrors && run.section != inFailures:
	case run.before+len(run.blocks) < run.most:
		run.block = newBlock(title, run.section, l.Start, r.files)
		run.block.tainted = tainted && !run.block.linted
	default: // this block takes the lines of all that are beyond the limit
		if r.over == nil {
			r.over = &block{over: true}
		}
		run.block, r.over.blank = r.over, false
	}
	return true
}

// reopen continues a run whose summary or counts turn out to be printed by a test, which requires captured output. The
// entries read so far are kept until others come.
func (run *run) reopen(block bool) bool {
	if !run.closed && run.section != inSummary {
		return true
	}
	if !run.sawText || !block {
		return false
	}
	if len(run.entries) > 0 {
		run.earlier = run.entries
	}
	run.closed, run.section, run.entries, run.tainted = false, inFailures, nil, true
	return true
}

// capture opens captured output.
func (run *run) capture(l tool.Line) bool {
	title, ok := cutRule(l.Text, '-', 0)
	if ok && !ofRun(title) {
		title, ok = cutRule(l.Text, '-', run.width)
	}
	if !ok || run.width == 0 || run.section <= atStart && run.block == nil || !run.reopen(strings.HasPrefix(title, "Captured ")) {
		return false
	}
	if ofRun(title) {
		run.endBlock(l.Start)
		run.captured, run.aside = false, true
		return true
	}
	run.captured, run.sawText = true, true
	if run.block != nil && !run.block.over {
		run.block.output.Add("--- "+title, nil)
	}
	return true
}

// endBlock keeps the open block, which ends at an offset.
func (run *run) endBlock(at int64) {
	b := run.block
	run.block = nil
	if b == nil || b.line && !b.crashed { // text after the last line of --tb=line
		return
	}
	b.end = at
	run.keep(b)
}

func (run *run) keep(b *block) {
	if run.before+len(run.blocks) >= run.most {
		run.spare.blocks++
		return
	}
	b.finish(run.files)
	run.blocks = append(run.blocks, b)
}

// outside says whether a line is neither in a block nor in output of a test.
func (run *run) outside() bool {
	return run.closed || run.block == nil && !run.captured && run.section != inFailures && run.section != inErrors
}

// stop is why a run ended early.
type stop struct {
	title string // "KeyboardInterrupt"
	at    string // "path:line", the line below
	start int64
	end   int64
}

// stop takes a rule of "!".
func (run *run) stop(l tool.Line) bool {
	title, ok := cutRule(l.Text, '!', run.width)
	if !ok {
		return false
	}
	run.endBlock(l.Start)
	run.captured = false
	run.section, run.end = stopping, max(run.end, l.End)
	lex.Keep(&run.stopped, maxTroubles, stop{title: title, start: l.Start, end: l.End})
	return true
}

// Plugins print a failure at once, within the progress: pytest-instafail between rules of "_" as in FAILURES, which it
// leaves out, pytest-sugar between rules of "―". pytest-sugar has its own first line and closing counts, and its
// summary calls errors failures.
const (
	sugarStart = "Test session starts (platform: "
	sugarRule  = "―"
)

// sugarLine takes a line that pytest-sugar prints instead of pytest's rules.
func (r *reader) sugarLine(l tool.Line) bool {
	switch run := r.cur; {
	case strings.HasPrefix(l.Text, sugarStart):
		if run == nil || run.closed {
			run = r.open(l)
			run.header, run.sugar, run.section = true, true, atStart
			_, rest, _ := strings.Cut(l.Text, ", pytest ")
			run.version, _, _ = strings.Cut(strings.TrimSuffix(rest, ")"), ",")
		}
	case run == nil || run.closed:
		return false
	case run.sugar && strings.HasPrefix(l.Text, sugarRule) && strings.HasSuffix(l.Text, sugarRule):
		run.width = utf8.RuneCountInString(l.Text)
		run.instant(strings.TrimSpace(strings.Trim(l.Text, sugarRule)), l, r)
	case strings.HasPrefix(l.Text, "Results (") && strings.HasSuffix(l.Text, "s):") && !run.captured && !run.nested:
		run.enter(inResults, l)
		run.counts, run.closed = &counts{by: map[string]int{}}, true
	default:
		return false
	}
	return true
}

// isPrettySummary says whether the line is the centred title of the table with which pytest-pretty ends the failures.
func isPrettySummary(line string) bool {
	return strings.HasPrefix(line, "        ") && strings.TrimSpace(line) == "Summary of Failures"
}

// instantHead opens a block within the progress, after the failure that it describes.
func (run *run) instantHead(title string, l tool.Line, r *reader) bool {
	if !run.nested && strings.HasPrefix(title, errorCollecting) {
		run.instant(title, l, r)
		return true
	}
	if !run.header || run.nested || len(run.verdicts) == 0 {
		return false
	}
	_, name := cutErrorTitle(title)
	bare, _, _ := strings.Cut(name, "[")
	last := &run.verdicts[len(run.verdicts)-1]
	if last.ID != "" && titleOf(last.ID, last.desc) != name || last.ID == "" && strings.Contains(bare, " ") {
		return false
	}
	run.instant(title, l, r)
	return true
}

func (run *run) instant(title string, l tool.Line, r *reader) {
	run.endBlock(l.Start)
	kind := inFailures
	if strings.HasPrefix(title, "ERROR ") {
		kind = inErrors
	}
	run.captured, run.end = false, max(run.end, l.End)
	run.block = newBlock(title, kind, l.Start, r.files)
}

// instantLine takes a line of a block within the progress, up to the next line of progress.
func (run *run) instantLine(l tool.Line, r *reader) bool {
	if run.block == nil {
		return false
	}
	if !isLiveProgress(l.Text) {
		run.body(l, r)
		return true
	}
	run.endBlock(l.Start)
	run.captured = false
	return false
}

// isLiveProgress says whether the line shows how a test ended, with its file or its id.
func isLiveProgress(line string) bool {
	if strings.HasPrefix(line, " ") && strings.Contains(line, "% ") && strings.ContainsAny(line, "✓⨯") {
		return true // sugar's
	}
	rest, percent := cutPercent(line)
	rest = strings.TrimRight(rest, " ")
	if path, _, ok := strings.Cut(rest, "::"); ok && isNodePath(path) {
		v, ended := cutVerdict(rest)
		return percent || ended && (v.fails() || v.Outcome == read.Passed)
	}
	file, some, ok := strings.Cut(rest, " ")
	return strings.HasPrefix(line, "[gw") && strings.Contains(line, "%] ") || ok && strings.Contains(file, ".") && strings.Trim(some, letters) == ""
}
