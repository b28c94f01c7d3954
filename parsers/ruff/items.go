package ruff

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffStream follows the documents on one stream.
type ruffStream struct {
	jsontext.Walker
	in    *tool.Input
	spans []result.Span // of the document that is open
	had   int           // what was taken when it began
}

// readRuffItems reads JSON on either stream and hands each wanted value over.
// Text outside of it is what ruff says in words, and so is a line that
// only begins like JSON: "[*] 3 fixable". A document with something foreign is
// not read on; one of which nothing was wanted is another tool's.
func readRuffItems(in *tool.Input, o *ruffOutput, foreign string, paths []string, take func(*ruffDoc, jsontext.Item)) *ruffDoc {
	d := newRuffDoc()
	streams := newRuffStreams(d, foreign, paths, take)
	streams[0].in, streams[1].in = in, in
	for l := range in.LentLines() {
		s := &streams[l.Stream-tool.Stdout]
		if rest, ok := read.CutGlued(l); ok && len(s.Stack) == 1 {
			l.Text, l.End = l.Text[:1], l.Start+1
			o.item(d, s, l)
			l = rest
		}
		if o.item(d, s, l); s.Left {
			return newRuffDoc()
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
	if !s.reads(l) || begins && len(s.Stack) == 0 && d.taken() == s.had {
		l.Text = strings.Clone(l.Text)
		o.line(l)
		return
	}
	s.spans = joinSpan(s.spans, result.Span{Start: l.Start, End: l.End})
	if len(s.Stack) == 0 {
		d.cover(s)
	}
}

// reads takes a line, of any length.
func (s *ruffStream) reads(l tool.Line) bool {
	if l.Cut {
		return s.Long(l, read.WholeLine(s.in, l))
	}
	return s.Line(l)
}

func newRuffStreams(d *ruffDoc, foreign string, paths []string, take func(*ruffDoc, jsontext.Item)) *[2]ruffStream {
	var streams [2]ruffStream
	want := make(map[string]bool, len(paths))
	for _, p := range paths {
		want[p] = true
	}
	for i := range streams {
		streams[i].Walker = jsontext.Walker{Want: want, Foreign: foreign, Take: func(i jsontext.Item) {
			if i.Text == `"ruff"` {
				d.names++
			}
			if d.counts(i.Text) {
				return
			}
			take(d, i)
		}}
	}
	return &streams
}

// counts says that no finding fits any more, and counts the one that an item is,
// without a look at more than its severity: quotes within a string are escaped, so
// the member is not text.
func (d *ruffDoc) counts(item string) bool {
	if len(d.findings) < tool.MaxFindings || item[0] != '{' {
		return false
	}
	severity := result.SevError
	for _, mild := range [...]result.Severity{result.SevWarning, result.SevInfo} {
		for _, member := range [...]string{`"severity":"`, `"severity": "`, `"level":"`, `"level": "`} {
			if strings.Contains(item, member+string(mild)+`"`) {
				severity = mild
			}
		}
	}
	d.dropped++
	d.beyond[severity]++
	return true
}

// taken counts all that a document is recognised by.
func (d *ruffDoc) taken() int { return len(d.findings) + d.dropped + d.lost + d.names }

// cover covers a document of which something was taken.
func (d *ruffDoc) cover(s *ruffStream) {
	if d.taken() > s.had {
		d.covered = append(d.covered, s.spans...)
		s.spans, s.had = s.spans[:0], d.taken()
	}
}

// joinSpan adds a span to those of a document, of which a long one keeps few.
func joinSpan(spans []result.Span, s result.Span) []result.Span {
	if n := len(spans); n > 0 && spans[n-1].End == s.Start {
		spans[n-1].End = s.End
		return spans
	}
	return append(spans, s)
}
