package rust

import (
	"encoding/json"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// libtestEvent is a line of libtest's --format json (unstable; "test::formatters::
// json" is the specification), which nextest writes too:
//
//	{ "type": "suite", "event": "started", "test_count": 2 }
//	{ "type": "test", "event": "started", "name": "tests::a" }
//	{ "type": "test", "name": "tests::a", "event": "failed", "stdout": "…" }
//	{ "type": "suite", "event": "failed", "passed": 1, "failed": 1, "ignored": 0, … }
type libtestEvent struct {
	Type, Event, Name, Stdout         string
	Message                           string // of should_panic
	Reason                            string // "time limit exceeded"
	Count                             int    `json:"test_count"`
	Passed, Failed, Ignored, Measured int
	Filtered                          int `json:"filtered_out"`

	Nextest *libtestSuite // libtest-json-plus
}

type libtestSuite struct {
	Crate, Kind string
	Binary      string `json:"test_binary"`
}

const libtestJSONStart = `{ "type": "`

// isLibtestJSON says whether a line is an event.
func isLibtestJSON(s string) bool {
	return strings.HasPrefix(s, libtestJSONStart) && strings.HasSuffix(s, "}") &&
		slices.ContainsFunc([]string{`suite"`, `test"`, `bench"`, `report"`}, func(what string) bool { return strings.HasPrefix(s[len(libtestJSONStart):], what) })
}

func readLibtestEvent(s string) (e libtestEvent, ok bool) {
	ok = json.Unmarshal([]byte(s), &e) == nil
	return e, ok
}

// libtestJSON takes an event like the corresponding lines of text.
func (s *cargoStream) libtestJSON(l tool.Line) bool {
	e, ok := readLibtestEvent(l.Text)
	if !ok {
		return true
	}
	if s.block == nil || e.Type == "suite" && e.Event == "started" {
		s.endBlock()
		s.startBlock(e.Count, l)
	}
	b := s.block
	b.end = max(b.end, l.End)
	switch {
	case e.Type == "suite" && e.Event != "started":
		b.result, b.over = &libtestResult{ok: e.Event == "ok", passed: e.Passed, failed: e.Failed, ignored: e.Ignored, measured: e.Measured, filtered: e.Filtered}, true
		b.listed = b.marked
		s.endBlock()
	case e.Type == "test" && (e.Event == "failed" || e.Event == "timeout" && e.Stdout != ""):
		b.keepFailed(e.Name, l)
		b.take(&e, l)
	case e.Type == "test" && e.Event == "ok":
		b.noteDoc(e.Name)
		b.pass(e.Name)
	case e.Type == "test" && e.Event == "ignored":
		b.tell(e.Name, tool.Skipped)
	case e.Type == "test" && e.Event == "timeout":
		b.slow = append(b.slow, e.Name)
	}
	return true
}

// take makes the finding for a failed test.
func (b *libtestBlock) take(e *libtestEvent, l tool.Line) {
	if len(b.found) >= b.most {
		return
	}
	f, sure := explainRust(e.Name, e.lines())
	if e.Reason != "" && !sure {
		f.Message, f.Tags, sure = "test failed: "+e.Reason, append(f.Tags, "timeout"), true
	}
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	b.found[e.Name], b.unsure[e.Name] = &f, !sure
}

// lines are the output of a test and libtest's note about it, as in the text format.
func (e *libtestEvent) lines() []string {
	lines := strings.Split(strings.TrimRight(e.Stdout, "\n"), "\n")
	if e.Message != "" {
		lines = append(lines, strings.Split("note: "+e.Message, "\n")...)
	}
	for i := range lines {
		lines[i] = lex.Clip(string(tool.Resolve([]byte(lines[i]))))
	}
	return lines
}

// Test binaries with a harness of their own that looks like libtest; most use the crate libtest-mimic. The harness pads
// names, may print a test's kind, and itself prints why a test failed, since it captures nothing:
//
//	test [ui] fails   ... FAILED
//	test      panics  ... FAILED
//
//	failures:
//
//	---- fails ----
//	expected 3, got 4

// readMimicHeader reads "---- fails ----".
func readMimicHeader(s string) (name string, ok bool) {
	name, begins := strings.CutPrefix(s, "---- ")
	name, ok = strings.CutSuffix(name, " ----")
	return name, begins && ok
}

// mimics says whether the line begins the harness's text about a test that is known to have failed.
func (b *libtestBlock) mimics(s string) (name string, ok bool) {
	name, ok = readMimicHeader(s)
	return name, ok && b.spans[name].End > 0 && b.found[name] == nil
}

// cutMimicKind cuts the padding of a name and "[ui] " before it off.
func cutMimicKind(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "[") {
		if _, rest, ok := strings.Cut(name, "] "); ok {
			return strings.TrimLeft(rest, " ")
		}
	}
	return name
}

// fillMimic takes the harness's message, the first line of its text.
func fillMimic(f *result.Finding, lines []string) (ok bool) {
	lines = lex.TrimBlankLines(lines)
	if i := slices.IndexFunc(lines, isSaid); i >= 0 {
		f.Message, f.Detail = panicHeadline(lines[i:]), ""
		if len(lines) > i+1 {
			f.Detail = lex.JoinBounded(lines[i:], maxRustcDetail)
		}
		return true
	}
	f.Message, f.Detail = notSaid, ""
	return false
}

// mimicSection is the text below the header of the only test that nextest ran, found in output without libtest's other
// lines.
func mimicSection(test string, lines []string) (section []string, ok bool) {
	name := cutMimicKind(test)
	i := slices.Index(lines, "---- "+name+" ----")
	if i < 0 {
		return nil, false
	}
	section = lex.TrimBlankLines(lines[i:])[1:]
	if n := len(section); n > 0 && section[n-1] == "    "+name {
		section = section[:n-1]
	}
	return section, true
}

const mimicPanicked = "test panicked: "

// placeMimic sets the place from the panic that a harness caught: "test panicked: oh no".
func placeMimic(f *result.Finding, all []*rustPanic) {
	said, ok := strings.CutPrefix(f.Message, mimicPanicked)
	if !ok {
		return
	}
	for _, p := range all {
		if text := p.text(); len(text) > 0 && panicHeadline(text) == said {
			span := f.RawSpan
			p.fill(f)
			f.RawSpan = span
			return
		}
	}
}
