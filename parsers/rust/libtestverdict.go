package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// progress takes a line that is printed while the tests run.
func (b *libtestBlock) progress(l tool.Line) {
	s := l.Text
	if name, ok := strings.CutSuffix(s, " --- FAILED"); ok { // -q
		b.keepFailed(name, l)
		return
	}
	_, failed := trybuildCase(s)
	if rest, ok := strings.CutPrefix(s, "test "); ok && !failed && !strings.Contains(s, " [should ") && (l.Stream == tool.Stdout || !strings.HasSuffix(s, ".rs ... ok")) {
		if name, _, ok := strings.Cut(rest, " has been running for over "); ok {
			b.slow = append(b.slow, name)
			return
		}
		if name, verdict, ok := cutLibtestVerdict(rest); ok {
			b.verdict(name, verdict, l)
			return
		}
	}
	if b.running != "" && b.serialLine(l) {
		return
	}
	b.loose.line(l)
}

// serialLine takes a line of the test that is running, and says whether the line is the test's verdict.
func (b *libtestBlock) serialLine(l tool.Line) bool {
	out, failed := strings.CutSuffix(l.Text, "FAILED")
	switch {
	case failed:
		if out != "" {
			b.serial.log.Add(out)
		}
		b.serial.end = max(b.serial.end, l.End)
		b.keepFailed(b.running, l)
		b.spans[b.running] = result.Span{Start: b.serial.start, End: l.End}
		if !b.full() {
			b.explain(b.serial)
		}
		b.running = ""
		return true
	case strings.HasSuffix(l.Text, "ok") && (l.Text == "ok" || len(l.Text) < 80):
		b.pass(b.running)
		b.running = ""
		return true
	}
	b.serial.log.Add(l.Text)
	b.serial.end = max(b.serial.end, l.End)
	return false
}

// cutLibtestVerdict reads "NAME ... FAILED"; the verdict may be missing.
func cutLibtestVerdict(s string) (name, verdict string, ok bool) {
	name, verdict, ok = strings.Cut(s, " ... ")
	if !ok {
		name, ok = strings.CutSuffix(s, " ...")
	}
	for _, mode := range []string{" - should panic", " - compile fail", " - compile"} {
		name = strings.TrimSuffix(name, mode)
	}
	return cutMimicKind(name), verdict, ok
}

func (b *libtestBlock) verdict(name, verdict string, l tool.Line) {
	b.noteDoc(name)
	b.running = ""
	switch {
	case verdict == "ignored", strings.HasPrefix(verdict, "ignored, "): // a reason may follow, which may end like a verdict
		b.ignored++
		b.tell(name, tool.Skipped)
	case strings.HasSuffix(verdict, "FAILED"), strings.HasPrefix(verdict, "FAILED "), strings.HasSuffix(verdict, "FAILED (time limit exceeded)"):
		b.keepFailed(name, l)
	case strings.HasPrefix(verdict, "ok"), strings.HasSuffix(verdict, "ok"):
		if !b.shown { // else a test printed the line
			b.pass(name)
		}
	case strings.HasPrefix(verdict, "bench:"):
	default:
		b.running, b.serial = name, &libtestSection{name: name, start: l.Start, end: l.End}
		if verdict != "" {
			b.serial.log.Add(verdict)
			l.Text = verdict
			b.loose.miri(l) // the report's first line
		}
		if !l.Ended {
			b.cutAt = l.End
		}
	}
}

func (b *libtestBlock) pass(name string) {
	b.passed++
	b.tell(name, tool.Passed)
}

func (b *libtestBlock) tell(name string, came read.Outcome) {
	lex.Keep(&b.ran, tool.MaxTests, tool.Test{ID: name, Outcome: came})
}

// noteDoc learns from a test's name whether the block's tests are documentation tests.
func (b *libtestBlock) noteDoc(name string) {
	if !b.doc && isDocTest(name) {
		b.doc = true
		b.docDir, _, _ = strings.Cut(name, "src/")
	}
}

func (b *libtestBlock) keepFailed(name string, l tool.Line) {
	b.noteDoc(name)
	b.tell(name, tool.Failed)
	if len(b.marked) < b.most && b.spans[name].End == 0 {
		b.marked = append(b.marked, name)
		b.spans[name] = result.Span{Start: l.Start, End: l.End}
	}
}

// isDocTest accepts names such as "src/lib.rs - item (line 19)".
func isDocTest(name string) bool {
	_, rest, ok := strings.Cut(name, " - ")
	return ok && strings.Contains(rest, "(line ")
}

// failures are the names of the failed tests, in the order of the closing list, which is sorted; without
// that list, in the order in which they failed.
func (b *libtestBlock) failures() []string {
	names := b.listed
	if b.result == nil || len(names)+b.more != b.result.failed {
		names = slices.Clone(b.marked)
		for _, n := range b.listed {
			if b.result != nil && b.spans[n].End == 0 { // not marked
				names = append(names, n)
			}
		}
		if b.result != nil && len(names) > b.result.failed && len(b.listed) == 0 {
			names = names[:b.result.failed]
		}
	}
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

// failed says whether the block's closing line is missing or reports failures.
func (b *libtestBlock) failed() bool { return b.result == nil || !b.result.ok }

// mayHaveDied says whether the next binary may begin here although this one printed no closing line. libtest prints its
// closing lines without interruption.
func (b *libtestBlock) mayHaveDied() bool { return b.blank && b.section == nil && !b.inList }
