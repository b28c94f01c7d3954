package tsc

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Angular's compiler, ngc, prints as tsc does, and has codes of its own for what
// is wrong in templates: "NG8001", "TS-998001" up to version 11. It has no
// closing line. "ng build" shows the same by way of esbuild, whose columns begin
// with 0:
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
//	      6 │   o: { b: number } = { b: "s" };
//	        ╵        ^

// angularPlugin ends a message.
const angularPlugin = " [plugin angular-compiler]"

var angularMarks = [...]struct {
	mark     string
	severity result.Severity
}{{"✘ [ERROR] ", result.SevError}, {"▲ [WARNING] ", result.SevWarning}}

var angularStarts = []string{"✘ [ERROR] NG", "✘ [ERROR] TS", "▲ [WARNING] NG", "▲ [WARNING] TS"}

// readAngularHead reads the line that begins a diagnostic.
func readAngularHead(s string) (f result.Finding, ok bool) {
	for _, m := range angularMarks {
		rest, marked := strings.CutPrefix(s, m.mark)
		if !marked {
			continue
		}
		rule, message, two := strings.Cut(strings.TrimSuffix(rest, angularPlugin), ": ")
		if !two || !isTscCode(rule) {
			return f, false
		}
		return result.Finding{
			Kind: result.Diagnostic, Severity: m.severity, Rule: rule, Message: strings.TrimSpace(message),
			Tags: tscTags(rule), Suggestions: tscSuggestions(message),
		}, true
	}
	return f, false
}

func sniffAngular(line string) bool {
	_, ok := readAngularHead(strings.TrimRight(line, " \t"))
	return ok
}

// angularReader reads one stream.
type angularReader struct {
	rep    *tool.Report
	found  *result.Finding
	note   string // what a related place, which follows, is about
	detail strings.Builder
}

func parseAngular(in *tool.Input) *tool.Report {
	rep := tool.NewReport()
	readers := [...]*angularReader{{rep: rep}, {rep: rep}}
	for l := range in.Lines() {
		readers[l.Stream-tool.Stdout].line(l)
		rep.Complete = l.Ended
	}
	for _, r := range readers {
		r.close()
	}
	if len(rep.Findings) == 0 {
		return nil
	}
	for _, f := range rep.Findings {
		rep.Counts[string(f.Severity)]++
	}
	rep.Counts["error"] += rep.Dropped
	return rep
}

func (r *angularReader) line(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if f, ok := readAngularHead(s); ok {
		r.close()
		f.RawSpan = &result.Span{Start: l.Start, End: l.End}
		r.found = &f
		r.rep.Cover(l)
		return
	}
	if r.found == nil {
		return
	}
	if s != "" && s[0] != ' ' && r.found.At != nil {
		r.close()
		return
	}
	r.more(s)
	if s != "" {
		r.found.RawSpan.End = max(r.found.RawSpan.End, l.End)
	}
	r.rep.Cover(l)
}

// more takes what stands below the first line: more of the message, the place
// and its source, a note and the place that it is about.
func (r *angularReader) more(s string) {
	f := r.found
	spot, closed := strings.CutSuffix(strings.TrimLeft(s, " "), ":")
	at := place.LastColons(spot)
	switch {
	case at == nil || !closed || !strings.HasPrefix(s, "    "):
		r.text(strings.TrimSuffix(s, angularPlugin))
	case f.At == nil:
		f.At = angularPlace(at)
	default:
		f.Related = append(f.Related, result.Related{Message: r.note, At: angularPlace(at)})
		r.note = ""
	}
}

// text is a note, which is less indented than source, or belongs to the detail.
func (r *angularReader) text(s string) {
	if r.found.At != nil && strings.HasPrefix(s, "  ") && !strings.HasPrefix(s, "   ") {
		r.note = strings.TrimSpace(s)
	} else if s != "" && len(r.found.Related) == 0 && r.detail.Len()+len(s) < lex.MaxDetail {
		r.detail.WriteString(s + "\n")
	}
}

// angularPlace counts columns from 1. Line 0 is Angular's word for the whole file.
func angularPlace(at *result.Location) *result.Location {
	if at.Column++; at.Line == 0 {
		at.Column = 0
	}
	return at
}

func (r *angularReader) close() {
	if r.found == nil {
		return
	}
	r.found.Detail = strings.TrimRight(r.detail.String(), "\n")
	r.detail.Reset()
	r.rep.Add(*r.found)
	r.found, r.note = nil, ""
}
