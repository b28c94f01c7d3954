package read

import (
	"strings"

	"cairn/outcomes"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Blocks reads a test runner that prints a block for each failure: a head, which names the test, and lines that say
// why it failed, up to the next head or a line that ends the list. Around the blocks come verdicts, one test a
// line, and counts.
//
//	  ✓ adds (3 ms)                         Test
//	  ✗ removes                             Test
//
//	● cart › removes                        Head
//	  expected 4, got 3                     body
//	    at cart.test.js:12                  body
//	Tests: 1 failed, 1 passed               Ends, and a row of Counts
type Blocks struct {
	Head func(text string) (title string, ok bool) // recognises the line that begins a failure
	Ends func(text string) bool                    // recognises a line outside of failures that is no head; may be nil
	Take func(s *Sink, b *Block)                   // takes a failure, when it is complete
	// Test reads the verdict of one test; may be nil. Verdicts are counted if the tool prints no counts.
	Test   func(text string) (v tool.Test, ok bool)
	Counts []Row                           // counts, closing lines and other lines outside of failures
	Other  func(s *Sink, l tool.Line) bool // takes other lines outside of failures; may be nil
	Turns  bool                            // stderr ends a failure that stdout began
	Closes bool                            // see Text
	End    func(s *Sink)                   // see Text
}

// Outcome is one test's outcome, and the key under which it is counted.
type Outcome = outcomes.Outcome

const (
	Passed  = tool.Passed
	Failed  = tool.Failed
	Errored = tool.Errored
	Skipped = tool.Skipped
	Todo    = tool.Todo
	XFailed = tool.XFailed
	XPassed = tool.XPassed
)

// Block is a failure as printed.
type Block struct {
	Head   tool.Line
	Number int // in a numbered list
	Title  string
	Body   []string // the lines below the head, without blank ones at the end
	End    int64    // offset of their end
}

// maxBlock bounds the lines kept of one failure.
const maxBlock = 400

// Parse reads an input.
func (b Blocks) Parse(in *tool.Input) *tool.Report { return b.Text().Parse(in) }

// Text returns the runner as a reader of lines, for one output.
func (b Blocks) Text() Text {
	r := &blockReader{Blocks: b, outside: Rows{Rows: b.Counts}.compiled()}
	t := Text{Line: r.line, End: r.end, Closes: b.Closes}
	if b.Turns {
		t.Turn = r.finish
	}
	return t
}

// blockReader is one pass of Blocks over an output.
type blockReader struct {
	Blocks
	outside *rowTable
	open    *Block
	seen    map[string]int // number of verdicts, by outcome
}

func (r *blockReader) line(s *Sink, l tool.Line) bool {
	if title, ok := r.Head(l.Text); ok {
		r.finish(s)
		r.open = &Block{Head: l, Title: title, End: l.End}
		return true
	}
	if r.open != nil && l.Stream == r.open.Head.Stream {
		if r.Ends == nil || !r.Ends(l.Text) {
			r.open.add(l)
			return true
		}
		r.finish(s)
	}
	if v, ok := r.verdict(l.Text); ok {
		r.seen[string(v.Outcome)]++
		s.Ran(v)
		s.Tested = true
		return true
	}
	if own, known := r.outside.row(s, l); known {
		return own
	}
	return r.Other != nil && r.Other(s, l)
}

func (r *blockReader) verdict(text string) (v tool.Test, ok bool) {
	if r.Test == nil {
		return v, false
	}
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	return r.Test(text)
}

// finish passes the open failure to Take.
func (r *blockReader) finish(s *Sink) {
	if b := r.open; b != nil {
		r.open = nil
		b.Body = lex.TrimBlankLines(b.Body)
		r.Take(s, b)
	}
}

func (r *blockReader) end(s *Sink) {
	r.finish(s)
	if len(s.Counts) == 0 {
		for outcome, n := range r.seen {
			s.Count(outcome, n)
		}
	}
	if r.End != nil {
		r.End(s)
	}
}

func (b *Block) add(l tool.Line) {
	lex.Keep(&b.Body, maxBlock, strings.TrimRight(l.Text, " "))
	if strings.TrimSpace(l.Text) != "" {
		b.End = max(b.End, l.End)
	}
}

// FindBlock adds a finding whose span is the whole block.
func (s *Sink) FindBlock(b *Block, f result.Finding) bool {
	s.Find(b.Head, f)
	s.Reach(tool.Line{Start: b.Head.Start, End: b.End})
	return s.Break()
}
