package parsers

import (
	"strings"

	"cairn/result"
)

// ruffStream follows the documents on one stream.
type ruffStream struct {
	jsonWalker
	spans []result.Span // of the document that is open
	had   int           // what was taken when it began
}

// readRuffItems reads JSON on either stream and hands each wanted value over.
// What stands outside of it is what ruff says in words, and so is a line that
// only begins like JSON: "[*] 3 fixable". A document with something foreign is
// not read on; one of which nothing was wanted is another tool's.
func readRuffItems(in *Input, o *ruffOutput, foreign string, paths []string, take func(*ruffDoc, jsonItem)) *ruffDoc {
	d := &ruffDoc{}
	streams := newRuffStreams(d, foreign, paths, take)
	for l := range in.lentLines() {
		s := &streams[l.Stream-Stdout]
		if rest, ok := cutGlued(l); ok && len(s.stack) == 1 {
			l.Text, l.End = l.Text[:1], l.Start+1
			o.item(d, s, l)
			l = rest
		}
		if o.item(d, s, l); s.left {
			return &ruffDoc{}
		}
	}
	for i := range streams {
		if s := &streams[i]; len(s.stack) > 0 {
			d.cover(s)
		}
		d.whole = d.whole || streams[i].whole()
	}
	for i := range streams {
		d.whole = d.whole && len(streams[i].stack) == 0 && !streams[i].broken
	}
	return d
}

// item takes a line, of a document or in words.
func (o *ruffOutput) item(d *ruffDoc, s *ruffStream, l Line) {
	begins := len(s.stack) == 0
	if begins {
		s.spans, s.had = s.spans[:0], d.taken()
	}
	if !s.line(l) || begins && len(s.stack) == 0 && d.taken() == s.had {
		l.Text = strings.Clone(l.Text)
		o.line(l)
		return
	}
	s.spans = joinSpan(s.spans, result.Span{Start: l.Start, End: l.End})
	if len(s.stack) == 0 {
		d.cover(s)
	}
}

// cutGlued takes off the bracket that ends a document of ruff's: no line ends
// behind it, and what is printed next stands on its line, all of which it is
// given.
func cutGlued(l Line) (rest Line, ok bool) {
	if len(l.Text) < 2 || l.Text[0] != ']' && l.Text[0] != '}' || strings.IndexByte(" ,]}", l.Text[1]) >= 0 {
		return l, false
	}
	l.Text = l.Text[1:]
	return l, true
}

func newRuffStreams(d *ruffDoc, foreign string, paths []string, take func(*ruffDoc, jsonItem)) *[2]ruffStream {
	var streams [2]ruffStream
	want := make(map[string]bool, len(paths))
	for _, p := range paths {
		want[p] = true
	}
	for i := range streams {
		streams[i].jsonWalker = jsonWalker{want: want, foreign: foreign, pass: func() bool { return len(d.findings) >= MaxFindings }, take: func(i jsonItem) {
			switch i.text {
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
