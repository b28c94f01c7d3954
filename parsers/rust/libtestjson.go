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

	Nextest *struct { // libtest-json-plus
		Crate, Kind string
		Binary      string `json:"test_binary"`
	}
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
