package own

import (
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/reviewdog/errorformat"

	"cairn/parsers"
	"cairn/result"
)

// maxEfmLine is how many bytes of a line the library gets; it stops at 64 KiB.
const maxEfmLine = 60 << 10

// parseEfm reads the output with errorformat patterns, which may match findings of
// several lines.
func (r *Rule) parseEfm(in *parsers.Input) *parsers.Report {
	rep := in.NewReport()
	rep.Complete = true
	next, stop := iter.Pull(in.Lines())
	defer stop()
	lines := &lineReader{next: next}
	for s := r.efm.NewScanner(lines); s.Scan(); {
		e := s.Entry()
		if !e.Valid {
			continue
		}
		f := r.fromEntry(e)
		if rep.Full(f.Severity) {
			continue
		}
		rep.Add(f)
		for _, text := range e.Lines {
			if span, ok := lines.take(text); ok && tells(f, text) {
				rep.CoverSpan(span.Start, span.End)
			}
		}
	}
	if len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

func (r *Rule) fromEntry(e *errorformat.Entry) result.Finding {
	f := result.Finding{Kind: result.Diagnostic, Severity: r.Severity, Message: strings.TrimSpace(e.Text)}
	if s := severityOf(string(e.Type)); e.Type != 0 && s != "" {
		f.Severity = s
	}
	if first, rest, more := strings.Cut(f.Message, "\n"); more {
		f.Message, f.Detail = first, rest
	}
	if e.Filename != "" {
		f.At = &result.Location{Path: e.Filename, Line: max(e.Lnum, 0), EndLine: max(e.EndLnum, 0)}
		if !e.Vcol {
			f.At.Column = max(e.Col, 0)
		}
	}
	return f
}

// lineReader passes lines to a scanner and remembers their places until an entry claims
// them.
type lineReader struct {
	next func() (parsers.Line, bool)
	rest string
	seen []parsers.Line // not claimed yet
}

// maxSeen bounds how many lines are remembered: an entry has few lines, and the scanner
// reads a few KiB ahead.
const maxSeen = 64 << 10

func (l *lineReader) Read(p []byte) (int, error) {
	if l.rest == "" {
		line, ok := l.next()
		if !ok {
			return 0, io.EOF
		}
		line.Text = cutRunes(strings.TrimSuffix(line.Text, "\r"), maxEfmLine)
		if l.seen = append(l.seen, line); len(l.seen) > maxSeen {
			l.seen = append(l.seen[:0], l.seen[maxSeen/2:]...)
		}
		l.rest = line.Text + "\n"
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// take finds the first line with that text that no entry has claimed, and forgets the
// lines before it.
func (l *lineReader) take(text string) (span result.Span, ok bool) {
	for i, line := range l.seen {
		if line.Text == text {
			l.seen = l.seen[i+1:]
			return result.Span{Start: line.Start, End: line.End}, true
		}
	}
	return span, false
}
