package tsc

import (
	"strings"

	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Bundlers print what the compiler found in two lines: the place, and behind the
// code the message, with its reasons and the source below. ts-loader,
// fork-ts-checker-webpack-plugin and next do so:
//
//	[tsl] ERROR in /home/dev/shop/src/a.ts(2,14)
//	      TS2322: Type 'string' is not assignable to type 'number'.
//
//	ERROR in ./src/a.ts:2:14
//	TS2322: Type 'string' is not assignable to type 'number'.
//	    1 | import "./b";
//	  > 2 | export const n: number = "x";
//
//	./src/a.ts:2:14
//	Type error: Type 'string' is not assignable to type 'number'.
//
// next leaves out the code. None of them counts the compiler's errors alone.

// nextTypeError begins the message in what next prints.
const nextTypeError = "Type error: "

// tscBundleStarts begin the line of the message.
func tscBundleStarts() []string {
	starts := []string{nextTypeError}
	for c := byte('1'); c <= '9'; c++ {
		starts = append(starts, "TS"+string([]byte{c})+"…: ")
	}
	return starts
}

func sniffTscBundle(line string) bool {
	_, _, ok := cutTscCode(strings.TrimLeft(line, " "))
	return ok
}

// cutTscCode reads "TS2322: message" and "Type error: message".
func cutTscCode(s string) (rule, message string, ok bool) {
	if message, ok = strings.CutPrefix(s, nextTypeError); ok {
		return "", message, true
	}
	rule, message, ok = strings.Cut(s, ": ")
	return rule, message, ok && strings.HasPrefix(rule, "TS") && isTscCode(rule)
}

// tscBundlePlace reads the line above; a place alone is next's.
func tscBundlePlace(s string) (at *result.Location, severity result.Severity) {
	s = strings.TrimLeft(s, " ")
	severity = result.SevError
	for _, begin := range [...]struct {
		text     string
		severity result.Severity
	}{{"[tsl] ERROR in ", result.SevError}, {"ERROR in ", result.SevError}, {"[tsl] WARNING in ", result.SevWarning}, {"WARNING in ", result.SevWarning}, {"ERROR  in ", result.SevError}} {
		if rest, ok := strings.CutPrefix(s, begin.text); ok {
			s, severity = rest, begin.severity
			break
		}
	}
	if spot, ok := strings.CutSuffix(s, ")"); ok {
		return tscParens(spot), severity
	}
	return tscColons(s), severity
}

// tscBundle reads one stream.
type tscBundle struct {
	rep   *tool.Report
	place tool.Line // the last line that is not empty, where it may be a place
	found *result.Finding
	depth int  // of the message's first line
	begun bool // the source was reached
	own   []tool.Line
}

func parseTscBundle(in *tool.Input) *tool.Report {
	rep := tool.NewReport()
	readers := [...]*tscBundle{{rep: rep}, {rep: rep}}
	last := tool.Line{}
	for l := range in.Lines() {
		readers[l.Stream-tool.Stdout].line(l)
		last = l
	}
	for _, r := range readers {
		r.close()
	}
	if len(rep.Findings) == 0 {
		return nil
	}
	rep.Complete = last.Ended
	for _, f := range rep.Findings {
		rep.Counts[string(f.Severity)]++
	}
	rep.Counts["error"] += rep.Dropped
	return rep
}

func (r *tscBundle) line(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if r.begin(s, l) || r.found != nil && r.more(s, l) {
		return
	}
	r.close()
	if s != "" {
		r.place = l
	}
}

// begin opens a finding at a message that stands below its place.
func (r *tscBundle) begin(s string, l tool.Line) bool {
	text := strings.TrimLeft(s, " ")
	rule, message, ok := cutTscCode(text)
	if !ok || r.place.End == 0 {
		return false
	}
	at, severity := tscBundlePlace(strings.TrimRight(r.place.Text, " \t"))
	if at == nil {
		return false
	}
	spot := r.place
	r.close()
	r.found = &result.Finding{
		Kind: result.Diagnostic, Severity: severity, Rule: rule, Message: message, At: at, Tags: tscTags(rule), Suggestions: tscSuggestions(message),
		RawSpan: &result.Span{Start: spot.Start, End: max(spot.End, l.End)},
	}
	r.depth, r.begun, r.place = len(s)-len(text), false, tool.Line{}
	r.own = append(r.own[:0], spot, l)
	return true
}

// more takes a reason, which stands deeper than the message, or the source.
func (r *tscBundle) more(s string, l tool.Line) bool {
	text := strings.TrimLeft(s, " ")
	source := trace.IsFrameSource(s) && text != ""
	deeper := len(s)-len(text) > r.depth && !r.begun
	switch {
	case s == "":
		r.begun = true // only the source may follow
		return true
	case !source && !deeper || len(r.found.Detail) > lex.MaxDetail:
		return false
	}
	r.begun = r.begun || source
	if r.found.Detail != "" {
		r.found.Detail += "\n"
	}
	r.found.Detail += s[min(r.depth, len(s)-len(text)):]
	r.found.RawSpan.End = max(r.found.RawSpan.End, l.End)
	r.own = append(r.own, l)
	return true
}

func (r *tscBundle) close() {
	if r.found == nil {
		return
	}
	for _, l := range r.own {
		r.rep.Covered = append(r.rep.Covered, result.Span{Start: l.Start, End: l.End})
	}
	r.rep.Add(*r.found)
	r.found = nil
}
