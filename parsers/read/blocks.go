package read

import (
	"strings"

	"cairn/outcomes"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Blocks reads a runner of tests. Of each failure it prints a block: a head, which names
// the test, and lines that say why it failed, up to the next head or a line that ends
// the list. Around the blocks stand verdicts, one test a line, and counts.
//
//	  ✓ adds (3 ms)                         Test
//	  ✗ removes                             Test
//
//	● cart › removes                        Head
//	  expected 4, got 3                     body
//	    at cart.test.js:12                  body
//	Tests: 1 failed, 1 passed               Ends, and a row of Counts
type Blocks struct {
	Head func(text string) (title string, ok bool) // the line that begins a failure
	Ends func(text string) bool                    // a line that belongs to no failure and is no head; nil: none does
	Take func(s *Sink, b *Block)                   // a failure, when all of it was read
	// Test reads the verdict of one test; may be nil. Verdicts are counted where the
	// tool prints no counts.
	Test   func(text string) (v tool.Test, ok bool)
	Counts []Row                           // counts, closing lines and what else stands outside of failures
	Other  func(s *Sink, l tool.Line) bool // lines outside of failures that none of these reads; may be nil
	Turns  bool                            // a failure ends where stderr begins
	Closes bool                            // see Text
	End    func(s *Sink)                   // see Text
}

// Outcome is what one test came to: the key under which it is counted.
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

// Block is a failure as it was printed.
type Block struct {
	Head   tool.Line
	Number int // of a numbered list
	Title  string
	Body   []string // the lines below the head, without the blank ones at the end
	End    int64    // where the last of them ends
}

// maxBlock bounds the lines that are kept of one failure.
const maxBlock = 400

// Parse reads an input.
func (b Blocks) Parse(in *tool.Input) *tool.Report { return b.Text().Parse(in) }

// Text is the runner as a reader of lines; each call begins anew.
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
	seen    map[string]int // verdicts
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

// finish hands over the failure that is open.
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
	if len(b.Body) < maxBlock {
		b.Body = append(b.Body, strings.TrimRight(l.Text, " "))
	}
	if strings.TrimSpace(l.Text) != "" {
		b.End = max(b.End, l.End)
	}
}

// FindBlock adds the finding that a failure of a list reports.
func (s *Sink) FindBlock(b *Block, f result.Finding) bool {
	s.Find(b.Head, f)
	if last := s.kept(); last != nil {
		last.RawSpan.End = max(last.RawSpan.End, b.End)
	}
	return s.Break()
}
