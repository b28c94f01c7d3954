package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// tscBundle reads the compiler's errors as bundlers print them, in two lines: the place; then the code and the
// message, with reasons and source below. ts-loader, fork-ts-checker-webpack-plugin and next do so:
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
// next leaves out the code. Bundlers do not count the compiler's errors separately.
type tscBundle struct {
	place tool.Line // the last line that is not empty, which may be a place
	depth int       // indent of the message's first line
	begun bool      // the source was reached
	tscShown
}

// tscShown is the common part of the readers of other programs' output.
type tscShown struct{ ended bool }

func (t *tscShown) end(s *read.Sink) {
	s.Counts = tool.BySeverity(s.Findings)
	if t.ended {
		s.EndHere()
	}
}

// tscFinding returns the finding for one error of the compiler.
func tscFinding(severity result.Severity, rule, message string, at *result.Location) result.Finding {
	return result.Finding{Severity: severity, Rule: rule, Message: message, At: at, Tags: tscTags(rule), Suggestions: tscSuggestions(message)}
}

// nextTypeError begins a message printed by next.
const nextTypeError = "Type error: "

// tscBundleStarts returns the starts of lines with a message.
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
func cutTscCode(text string) (rule, message string, ok bool) {
	if message, ok = strings.CutPrefix(text, nextTypeError); ok {
		return "", message, true
	}
	rule, message, ok = strings.Cut(text, ": ")
	return rule, message, ok && strings.HasPrefix(rule, "TS") && isTscCode(rule)
}

// tscBundlePlace reads the place in the line above a message. Only next prints a bare place.
func tscBundlePlace(line string) (at *result.Location, severity result.Severity) {
	text := strings.TrimPrefix(strings.TrimPrefix(strings.Trim(line, " \t"), "Error: "), "[tsl] ") // @vercel/ncc prints "Error: " first
	severity = result.SevError
	if rest, ok := strings.CutPrefix(text, "WARNING in "); ok {
		text, severity = rest, result.SevWarning
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "ERROR in "), "ERROR  in ")
	if spot, ok := strings.CutSuffix(text, ")"); ok {
		return tscParens(spot), severity
	}
	return tscColons(text), severity
}

func parseTscBundle(in *tool.Input) *tool.Report {
	t := &tscBundle{}
	return read.Text{Line: t.line, Turn: func(*read.Sink) { t.place = tool.Line{} }, End: t.end, Closes: true}.Parse(in)
}

func (t *tscBundle) line(s *read.Sink, l tool.Line) bool {
	t.ended = l.Ended
	line := strings.TrimRight(l.Text, " \t")
	text := strings.TrimLeft(line, " ")
	switch {
	case t.begin(s, l, text, len(line)-len(text)), s.Open() && text != "" && t.more(s, l, line, text):
		return true
	case s.Open() && text == "":
		t.begun = true // only the source may follow
		return false
	}
	s.Break()
	if text != "" {
		t.place = l
	}
	return false
}

// begin opens a finding at a message with its place in the line above.
func (t *tscBundle) begin(s *read.Sink, l tool.Line, text string, depth int) bool {
	rule, message, ok := cutTscCode(text)
	if !ok || t.place.End == 0 {
		return false
	}
	at, severity := tscBundlePlace(t.place.Text)
	if at == nil {
		return false
	}
	s.Find(t.place, tscFinding(severity, rule, message, at))
	t.depth, t.begun, t.place = depth, false, tool.Line{}
	return s.Reach(l)
}

// more takes a reason, indented more than the message, or a line of the source.
func (t *tscBundle) more(s *read.Sink, l tool.Line, line, text string) bool {
	source, depth := trace.IsFrameSource(line), len(line)-len(text)
	if !source && (t.begun || depth <= t.depth) {
		return false
	}
	t.begun = t.begun || source
	return s.MoreText(l, line[min(t.depth, depth):])
}

// angular reads the errors of Angular's compiler that "ng build" prints through esbuild, with 0-based columns:
//
//	✘ [ERROR] TS2322: Type 'string' is not assignable to type 'number'. [plugin angular-compiler]
//
//	    src/app/app.component.ts:6:35:
//	      6 │   o: { b: number } = { b: "s" };
//	        ╵                        ^
//
//	  The expected type comes from property 'b' which is declared here on type '{ b: number; }'
//
//	    src/app/app.component.ts:6:12:
//
// The compiler has its own codes for errors in templates: "NG8001"; up to version 11, "TS-998001". Run alone, as ngc,
// it prints like tsc.
type angular struct {
	note string // the text of the related place that follows
	tscShown
}

// angularPlugin ends the first line of a message.
const angularPlugin = " [plugin angular-compiler]"

// cutAngularHead reads the line that begins a diagnostic.
func cutAngularHead(text string) (f result.Finding, ok bool) {
	severity, rest := result.SevError, ""
	if rest, ok = strings.CutPrefix(text, "✘ [ERROR] "); !ok {
		severity = result.SevWarning
		rest, ok = strings.CutPrefix(text, "▲ [WARNING] ")
	}
	rule, message, two := strings.Cut(strings.TrimSuffix(rest, angularPlugin), ": ")
	return tscFinding(severity, rule, message, nil), ok && two && isTscCode(rule)
}

func sniffAngular(line string) bool {
	_, ok := cutAngularHead(strings.TrimRight(line, " \t"))
	return ok
}

func parseAngular(in *tool.Input) *tool.Report {
	a := &angular{}
	return read.Text{Line: a.line, End: a.end, Closes: true}.Parse(in)
}

func (a *angular) line(s *read.Sink, l tool.Line) bool {
	a.ended = l.Ended
	text := strings.TrimRight(l.Text, " \t")
	if f, ok := cutAngularHead(text); ok {
		a.note = ""
		return s.Find(l, f)
	}
	f := s.Last()
	if f == nil || text == "" {
		return f != nil
	}
	if text[0] != ' ' && f.At != nil {
		s.Break()
		return false
	}
	return a.more(s, l, f, text)
}

// more takes the lines below the first: more of the message, the place and its source, a note and the related place
// of the note.
func (a *angular) more(s *read.Sink, l tool.Line, f *result.Finding, text string) bool {
	spot, closed := strings.CutSuffix(strings.TrimLeft(text, " "), ":")
	at := place.LastColons(spot)
	switch {
	case at == nil || !closed || !strings.HasPrefix(text, "    "):
		if f.At != nil && lex.LeadingBlanks(text) == 2 {
			a.note = strings.TrimSpace(text)
		} else if len(f.Related) == 0 {
			return s.MoreText(l, strings.TrimSuffix(text, angularPlugin))
		}
		return s.Reach(l)
	case at.Line > 0: // line 0 means the whole file
		at.Column++
	default:
		at.Column = 0
	}
	if f.At == nil {
		f.At = at
	} else {
		f.Related = append(f.Related, result.Related{Message: a.note, At: at})
		a.note = ""
	}
	return s.Reach(l)
}
