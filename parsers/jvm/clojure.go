package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("clojure clj lein | boot clojure.main", func(p *tool.Parser) {
	p.Is("clojure", result.Generic, 1, "Clojure 1.10 to 1.12: what stopped a program, or could not be read or compiled")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(clojureText.Parse)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Execution error (… at ", "Syntax error … at ("}, Sniff: isClojureError, Parse: clojureText.Parse})
})

var clojureText = read.Said{Whole: []string{"Error encountered performing task "}, Usage: []string{"Couldn't find project.clj, which is needed for "}, Other: clojureLine, Below: true}

func isClojureError(line string) bool {
	return strings.HasSuffix(line, ").") && (strings.HasPrefix(line, "Execution error") || strings.HasPrefix(line, "Syntax error "))
}

// clojureLine reads a head, and below it the message and the path of the full report:
//
//	Execution error (ClassCastException) at shop/total (shop.clj:2).
//	class java.lang.String cannot be cast to class java.lang.Number
func clojureLine(s *read.Sink, l tool.Line) bool {
	if isClojureError(l.Text) {
		f := result.Finding{Kind: result.BuildError, Rule: "Syntax error", Message: l.Text}
		if what, _, ok := strings.Cut(l.Text, ") at "); ok && strings.Contains(what, " (") {
			_, f.Rule, _ = strings.Cut(what, " (")
		}
		f.At = clojurePlace(l.Text)
		return s.Find(l, f)
	}
	if f := s.Last(); f != nil && isClojureError(f.Message) && l.Text != "" {
		f.Message = l.Text
		return s.More(l)
	}
	if s.Last() != nil && (strings.HasPrefix(l.Text, "Full report at:") || strings.HasPrefix(l.Text, "/tmp/clojure-")) {
		return s.Break()
	}
	return strings.HasSuffix(l.Text, " is not a task. See 'lein help'.") && s.Misuse(l, l.Text)
}

// clojurePlace reads "(shop.clj:2:5)" at the end of a head. It is nil if the place is not in a file of Clojure.
func clojurePlace(head string) *result.Location {
	at := read.PlaceOf(strings.TrimRight(head[strings.LastIndexByte(head, '(')+1:], ")."))
	if at == nil || !strings.Contains(at.Path, ".clj") {
		return nil
	}
	return at
}
