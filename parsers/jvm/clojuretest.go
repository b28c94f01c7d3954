package jvm

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("clojure.test", result.Test, 1, "clojure.test, and lein test: the assertions that failed, by namespace and test")
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAIL in (… (", "ERROR in (… (", "Ran … tests containing "}, Parse: read.Fresh(func(r *clojureTest) read.Text { return read.Text{Line: r.line, Closes: true} })})
})

// clojureTest reads failed assertions and the counts:
//
//	Testing shop.core-test
//
//	FAIL in (adds) (core_test.clj:7)
//	the sum
//	expected: (= 4 (add 1 2))
//	  actual: (not (= 4 3))
//
//	Ran 4 tests containing 5 assertions.
//	2 failures, 1 errors.
type clojureTest struct {
	ns    string
	ran   bool
	tests int // number of tests that ran
}

func (c *clojureTest) line(s *read.Sink, l tool.Line) bool {
	for _, head := range [...]string{"Testing ", "lein test "} {
		if ns, ok := strings.CutPrefix(l.Text, head); ok && !strings.Contains(ns, " ") {
			s.Break()
			c.ns = ns
			return true
		}
	}
	if name, where, ok := strings.Cut(l.Text, ") ("); ok && (strings.HasPrefix(name, "FAIL in (") || strings.HasPrefix(name, "ERROR in (")) {
		word, tests, _ := strings.Cut(name, " in (")
		c.found(s, l, word, tests, strings.TrimSuffix(where, ")"))
		return true
	}
	if strings.HasPrefix(l.Text, "Ran ") && strings.HasSuffix(l.Text, " assertions.") {
		s.Break()
		s.Tested, c.ran, c.tests = true, true, lex.LeadingNumber(l.Text[4:])
		return true
	}
	if c.ran && strings.HasSuffix(l.Text, " errors.") {
		n := read.Counts(strings.TrimSuffix(l.Text, "."))
		s.Fails(n["failures"])
		s.Claim(n["errors"])
		if s.Count("error", n["errors"]); n["failures"]+n["errors"] == 0 { // with failures, the number of passed tests is not known: the counts are of assertions
			s.Count("passed", c.tests)
		}
		c.ran = false
		return s.Close(l)
	}
	f := s.Last()
	if f == nil || strings.HasPrefix(l.Text, "lein test :only ") {
		return false
	}
	clojureBelow(f, l.Text)
	return s.More(l)
}

// clojureFile puts the directories of a namespace before a file's bare name: "shop/core_test.clj".
func clojureFile(at *result.Location, ns string) *result.Location {
	if dir := path.Dir(strings.ReplaceAll(strings.ReplaceAll(ns, ".", "/"), "-", "_")); at != nil && dir != "." && !strings.Contains(at.Path, "/") {
		at.Path = dir + "/" + at.Path
	}
	return at
}

// found adds a failed assertion. An error was often raised in a library, so the place counts only if it is
// in a file of Clojure.
func (c *clojureTest) found(s *read.Sink, l tool.Line, word, tests, where string) {
	name := tests[strings.LastIndexByte(tests, ' ')+1:]
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name, At: clojureFile(clojurePlace("("+where+")"), c.ns)}
	if first, _, ok := strings.Cut(tests, " "); ok {
		f.ID = first
	}
	if c.ns != "" {
		f.ID, f.Suite = c.ns+"/"+f.ID, []string{c.ns}
	}
	if word == "ERROR" {
		f.Severity = result.SevError
	}
	f.Message = word + " in " + name
	s.Find(l, f)
}

// clojureBelow adds a line below the head of an assertion to the finding.
func clojureBelow(f *result.Finding, text string) {
	text, indented := strings.TrimSpace(text), strings.HasPrefix(text, "    ")
	headed := strings.HasPrefix(f.Message, "FAIL in ") || strings.HasPrefix(f.Message, "ERROR in ")
	if value, ok := strings.CutPrefix(text, "expected: "); ok {
		f.Expected = value
		if headed {
			f.Message = value
		}
		return
	}
	if value, ok := strings.CutPrefix(text, "actual: "); ok {
		f.Actual = value
		if f.Severity == result.SevError {
			f.Message = value
		}
		return
	}
	if ns, _, framed := strings.Cut(strings.TrimPrefix(text, "at "), "$"); framed && strings.HasSuffix(text, ")") && (indented || f.Actual != "") {
		if at := clojurePlace(text); f.At == nil && at != nil && !strings.HasPrefix(ns, "clojure.") { // "shelf.core$total.invoke (core.clj:8)"
			f.At = clojureFile(at, ns)
		}
	} else if f.Expected == "" && text != "" {
		f.Message = text
	}
}
