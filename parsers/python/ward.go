package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ward lists the tests as they run, then shows each failed test:
//
//	 FAIL  test_w:3 adds                                                         33%
//	───────────────────────────────────── adds ─────────────────────────────────────
//	  Failed at wt/test_w.py:5
//	    ❱ 5     assert 1 + 1 == 3
//	  ValueError: boom
//	│  2  Failures           (66.7%)  │
var _ = Room.Add("ward", func(p *tool.Parser) {
	p.Is("ward", result.Test, 1, "ward 0.60 and later: test-per-line, dots")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansNoTests}
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(w *wards) read.Text { return read.Text{Line: w.line, Closes: true} })})
	p.Reads(read.PythonUsage("ward"))
})

type wards struct {
	title string // title of the last rule, until the test below it is read
	open  bool   // the block of a failed test is being read
	path  string // the test file of the last failed test
}

func (w *wards) line(s *read.Sink, l tool.Line) bool {
	text := strings.Trim(l.Text, " │")
	where, failed := strings.CutPrefix(text, "Failed at ")
	switch {
	case strings.HasPrefix(l.Text, "───"):
		w.rule(s, l, strings.Trim(l.Text, "─ "))
	case failed && w.title != "":
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: w.title, ID: w.title, Message: "failed"}
		if f.At = read.PlaceOf(where); f.At == nil {
			f.At = &result.Location{Path: where}
		}
		w.path = f.At.Path
		s.Find(l, f)
		w.title, w.open = "", true
	case strings.HasPrefix(l.Text, "│  ") && wardCount(wardWord(text)) != "":
		n := lex.LeadingNumber(text)
		if key := wardCount(wardWord(text)); key != "total" {
			s.Score(key, n)
		} else {
			s.Tested = n > 0
			s.NoTests = n == 0
		}
	case w.open && s.Last() != nil:
		w.more(s, l, text)
	default:
		word, _, _ := strings.Cut(text, "  ")
		return lex.IsOneOf(word, "FAIL PASS SKIP XFAIL XPASS DRYRUN") || strings.HasPrefix(l.Text, "Found ") && strings.Contains(l.Text, " tests and ")
	}
	return true
}

// wardCount returns the key of result's counts for a word of ward's table; "" for any other word.
func wardCount(word string) string {
	return lex.Means(word, "total: Encountered; passed: Passes; failed: Failures; skipped: Skips; xfailed: Failures(expected), Expected; xpassed: Passes(unexpected), Unexpected")
}

// wardWord returns the word in a row of the table: "Failures" for "2  Failures   (66.7%)".
func wardWord(row string) string {
	fields := strings.Fields(row)
	if len(fields) < 2 || !lex.IsDigits(fields[0]) {
		return ""
	}
	if fields[1] == "Test" || fields[1] == "Tests" {
		return fields[len(fields)-1]
	}
	return fields[1]
}

// rule takes a horizontal rule, whose title is a failed test or the verdict of the run.
func (w *wards) rule(s *read.Sink, l tool.Line, title string) {
	switch verdict, _, _ := strings.Cut(title, " "); {
	case strings.HasPrefix(title, "Ward "):
		s.Sign(l)
	case (verdict == "FAILED" || verdict == "SUCCESS" || verdict == "NO_TESTS_FOUND") && strings.HasSuffix(title, " seconds"):
		s.Close(l)
	case title != "":
		w.title = strings.Clone(title)
	}
	w.open = false
}

// more reads a line of a failed test's block: the asserted line, a place in a traceback, or the exception.
func (w *wards) more(s *read.Sink, l tool.Line, text string) {
	f := s.Last()
	f.RawSpan.End = max(f.RawSpan.End, l.End)
	if source, ok := strings.CutPrefix(text, "❱ "); ok && f.Message == "failed" {
		number, source, _ := strings.Cut(strings.TrimLeft(source, " "), " ")
		if source = strings.Trim(source, " │"); lex.IsDigits(number) {
			f.Message = source
		}
		return
	}
	if where, _, ok := strings.Cut(text, " in "); ok {
		if at := read.PlaceOf(where); at != nil && at.Line > 0 && strings.HasSuffix(at.Path, w.path) {
			f.At = at
		}
	}
	if class, _, ok := strings.Cut(text, ": "); ok && lex.IsIdentifier(lex.LastPart(class)) && !strings.HasPrefix(l.Text, "  │") && strings.HasPrefix(l.Text, "  ") && l.Text[2] != ' ' {
		f.Rule, f.Message = lex.LastPart(class), text
	}
}
