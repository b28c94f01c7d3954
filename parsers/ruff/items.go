package ruff

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffStream follows the documents on one stream.
type ruffStream struct {
	jsontext.Walker
	spans []result.Span // of the document that is open
	had   int           // what was taken when it began
}

// readRuffItems reads JSON on either stream and hands each wanted value over.
// What stands outside of it is what ruff says in words, and so is a line that
// only begins like JSON: "[*] 3 fixable". A document with something foreign is
// not read on; one of which nothing was wanted is another tool's.
func readRuffItems(in *tool.Input, o *ruffOutput, foreign string, paths []string, take func(*ruffDoc, jsontext.Item)) *ruffDoc {
	d := &ruffDoc{}
	streams := newRuffStreams(d, foreign, paths, take)
	for l := range in.LentLines() {
		s := &streams[l.Stream-tool.Stdout]
		if rest, ok := read.CutGlued(l); ok && len(s.Stack) == 1 {
			l.Text, l.End = l.Text[:1], l.Start+1
			o.item(d, s, l)
			l = rest
		}
		if o.item(d, s, l); s.Left {
			return &ruffDoc{}
		}
	}
	for i := range streams {
		if s := &streams[i]; len(s.Stack) > 0 {
			d.cover(s)
		}
		d.whole = d.whole || streams[i].Whole()
	}
	for i := range streams {
		d.whole = d.whole && len(streams[i].Stack) == 0 && !streams[i].Broken
	}
	return d
}

// item takes a line, of a document or in words.
func (o *ruffOutput) item(d *ruffDoc, s *ruffStream, l tool.Line) {
	begins := len(s.Stack) == 0
	if begins {
		s.spans, s.had = s.spans[:0], d.taken()
	}
	if !s.Line(l) || begins && len(s.Stack) == 0 && d.taken() == s.had {
		l.Text = strings.Clone(l.Text)
		o.line(l)
		return
	}
	s.spans = joinSpan(s.spans, result.Span{Start: l.Start, End: l.End})
	if len(s.Stack) == 0 {
		d.cover(s)
	}
}

func newRuffStreams(d *ruffDoc, foreign string, paths []string, take func(*ruffDoc, jsontext.Item)) *[2]ruffStream {
	var streams [2]ruffStream
	want := make(map[string]bool, len(paths))
	for _, p := range paths {
		want[p] = true
	}
	for i := range streams {
		streams[i].Walker = jsontext.Walker{Want: want, Foreign: foreign, Pass: func() bool { return len(d.findings) >= tool.MaxFindings }, Take: func(i jsontext.Item) {
			switch i.Text {
			case "":
				d.dropped++
				return
			case `"ruff"`:
				d.names++
			}
			take(d, i)
		}}
	}
	return &streams
}

// taken grows with everything that a document is known by.
func (d *ruffDoc) taken() int { return len(d.findings) + d.dropped + d.lost + d.names }

// cover covers a document of which something was taken.
func (d *ruffDoc) cover(s *ruffStream) {
	if d.taken() > s.had {
		d.covered = append(d.covered, s.spans...)
		s.spans, s.had = s.spans[:0], d.taken()
	}
}

// joinSpan keeps the covered spans of a long document few.
func joinSpan(spans []result.Span, s result.Span) []result.Span {
	if n := len(spans); n > 0 && spans[n-1].End == s.Start {
		spans[n-1].End = s.End
		return spans
	}
	return append(spans, s)
}
