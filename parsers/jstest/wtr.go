package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("wtr web-test-runner", func(p *tool.Parser) {
	p.Is("wtr", result.Test, 1, "Web Test Runner 0.13 to 0.20")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Finished running tests in ", "Error while running tests."}, Named: true, Parse: read.Fresh(func(w *wtr) read.Text {
		return read.Blocks{
			Head: func(text string) (string, bool) {
				if title, ok := strings.CutPrefix(text, " ❌ "); ok {
					return title, true
				}
				return strings.CutPrefix(text, "Error while transforming ")
			},
			Ends: func(text string) bool {
				return text != "" && text[0] != ' ' && text[0] != '>' || strings.HasPrefix(text, " 🚧")
			},
			Take: w.failed, Other: w.line, Closes: true,
		}.Text()
	})})
})

// wtr reads, for each file of tests, the browsers' logs and the failed tests, and at the end a row of counts for each
// browser:
//
//	test/cart_test.js:
//	 🚧 Browser logs:
//	      ReferenceError: nope is not defined
//	        at test/cart_test.js:3:1
//	 ❌ cart > adds
//	      AssertionError: expected 1 to equal 2
//	        at test/cart_test.js:9:4
//	Chrome: |██████| 1/1 test files | 1 passed, 4 failed
type wtr struct {
	file   string
	log    []string // lines of the browsers' logs about the file
	logAt  int64
	counts map[string]map[string]int // counts of each browser, from its last row
}

func (w *wtr) failed(s *read.Sink, b *read.Block) {
	title, browsers, _ := strings.Cut(strings.TrimSpace(b.Title), " (failed on ")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: title, Params: strings.TrimSuffix(browsers, ")"), Message: "failed"}
	path, said, transformed := strings.Cut(title, ": ")
	switch {
	case strings.HasPrefix(b.Head.Text, "Error while transforming ") && transformed:
		f = result.Finding{Kind: result.BuildError, At: &result.Location{Path: path}, Message: said}
		jserror.Explain(&f, append([]string{said}, b.Body...))
	case strings.HasPrefix(title, "Could not import your test module"):
		f.ID, f.Severity, f.Message, f.At = w.file, result.SevError, title, &result.Location{Path: w.file}
		if i := slices.IndexFunc(w.log, trace.IsThrown); i >= 0 {
			jserror.Explain(&f, w.log[i:])
			b.Head.Start = w.logAt
		}
		s.Count("error", 1)
		s.Claim(1)
		s.NoTest(w.file)
	case trace.IsThrown(title): // thrown by a hook
		f.ID, f.At = w.file, &result.Location{Path: w.file}
		jserror.Explain(&f, append([]string{title}, b.Body...))
		s.NoTest(w.file)
	default:
		jserror.Explain(&f, b.Body)
		s.Ran(tool.Test{ID: f.ID, Outcome: tool.Failed})
	}
	s.FindBlock(b, f)
}

func (w *wtr) line(s *read.Sink, l tool.Line) bool {
	browser, row, counted := strings.Cut(l.Text, ": |")
	_, counts, files := strings.Cut(row, " test files | ")
	switch {
	case counted && files:
		lex.Put(&w.counts, browser, read.Counts(counts))
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "Finished running tests in "), l.Text == "Error while running tests.":
		for _, n := range w.counts {
			s.Scores(n, "passed: passed; failed: failed; skipped: skipped")
		}
		s.Tested = l.Text[0] == 'F' || !s.In.Headless
		return s.Close(l)
	case strings.HasPrefix(l.Text, " 🚧 404 network requests"):
	case strings.HasPrefix(l.Text, "    - "): // a request that was not answered
		if i := slices.IndexFunc(w.log, func(t string) bool { return strings.Contains(t, "Failed to fetch dynamically") }); i >= 0 {
			w.log[i] = "Error: not found: " + l.Text[len("    - "):]
		}
	case strings.HasPrefix(l.Text, " 🚧"):
		w.log, w.logAt = nil, l.Start
	case strings.HasPrefix(l.Text, "      "):
		text, _, _ := strings.Cut(strings.TrimSpace(l.Text), "?wtr-session-id=")
		w.log = append(w.log, text)
	case lex.HasAnyPrefix(l.Text, "Error: Could not find any test files", "Error: Could not find a config file"):
		return s.Misuse(l, l.Text[len("Error: "):])
	case strings.HasSuffix(l.Text, ":") && place.IsFile(strings.TrimSuffix(l.Text, ":")):
		w.file, w.log = strings.TrimSuffix(l.Text, ":"), nil
	default:
		return false
	}
	return true
}
