package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// count finds the number of the first line shown.
func (o *output) count(u *UI) tea.Cmd {
	to := o.at
	return u.ask("counting lines", func(ctx context.Context) (func(), error) {
		line, err := o.lineAt(ctx, to)
		return func() {
			if o.at == to {
				o.line = line
			}
		}, err
	})
}

func (o *output) lineAt(ctx context.Context, to int64) (int64, error) {
	line := int64(1)
	err := o.read(ctx, 0, func(from int64, piece []byte) bool {
		piece = piece[:min(int64(len(piece)), to-from)]
		line += int64(bytes.Count(piece, []byte("\n")))
		return from+int64(len(piece)) < to
	})
	return line, err
}

// toFinding goes to the next or previous finding that is in the output.
func (o *output) toFinding(u *UI, step int) tea.Cmd {
	if len(o.findings) == 0 {
		u.note = "no finding was read in this output"
		return nil
	}
	begin := o.finding
	if begin < 0 && step < 0 {
		begin = 0
	}
	return u.ask("looking for the finding", func(ctx context.Context) (func(), error) {
		for n := 1; n <= len(o.findings); n++ {
			i := (begin + n*step + n*len(o.findings)) % len(o.findings)
			from, to, err := recall.PlaceOf(all(o.object), o.findings[i])
			if err != nil {
				continue // the finding is in another stream, or in a report file
			}
			at, err := o.offset(ctx, max(from-3, 1))
			if err != nil {
				return nil, err
			}
			return func() {
				o.at, o.line, o.from, o.to, o.finding = at, max(from-3, 1), from, to, i
				u.note = fmt.Sprintf("%d of %d: %s", i+1, len(o.findings), render.Line(o.findings[i]))
			}, nil
		}
		return nil, errors.New("this output does not show where its findings were read")
	})
}

// search searches all bytes for a text, from the position that is shown or was found last.
func (o *output) search(u *UI, text string, forward bool) tea.Cmd {
	from := o.at
	if o.found >= 0 {
		from = o.found
	}
	return u.ask("searching the output", func(ctx context.Context) (func(), error) {
		found, err := o.find(ctx, text, from, forward)
		if err != nil {
			return nil, err
		}
		if found < 0 {
			return nil, fmt.Errorf("%s is not in this output", text)
		}
		return func() {
			o.at, o.line, o.found, o.from, o.to = found+1, 0, found, 0, 0
			for range 4 { // the line itself, and a few above
				o.up()
			}
			u.next = o.count(u)
		}, nil
	})
}

// find returns the next or previous position of a text, continuing at the other end; -1 if it does not occur.
func (o *output) find(ctx context.Context, text string, from int64, forward bool) (int64, error) {
	first, last, before := int64(-1), int64(-1), int64(-1)
	after := int64(-1)
	want := []byte(text)
	fold := text == strings.ToLower(text)
	tail := []byte{}
	err := o.read(ctx, 0, func(at int64, piece []byte) bool {
		at -= int64(len(tail))
		piece = append(bytes.Clone(tail), piece...)
		low := piece
		if fold {
			low = bytes.ToLower(piece)
			if len(low) != len(piece) { // a letter is longer in lower case
				low = lowered(piece)
			}
		}
		for i := 0; ; {
			n := bytes.Index(low[i:], want)
			if n < 0 {
				break
			}
			last = at + int64(i+n)
			if first < 0 {
				first = last
			}
			if last < from {
				before = last
			}
			if last > from && after < 0 {
				after = last
				if forward {
					return false
				}
			}
			i += n + 1
		}
		tail = bytes.Clone(piece[max(len(piece)-len(want)+1, 0):])
		return forward || last < from || before < 0
	})
	switch {
	case err != nil:
		return -1, err
	case forward && after >= 0:
		return after, nil
	case forward:
		return first, nil
	case before >= 0:
		return before, nil
	}
	return last, nil
}

// lowered is b with ASCII letters in lower case. Others are unchanged, so that positions stay the same.
func lowered(b []byte) []byte {
	low := bytes.Clone(b)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return low
}

// searchedOutputs is how many outputs, the newest, a search reads; "cairn recall search" has the same default.
const searchedOutputs = 200

func searchAll(u *UI, text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return u.ask("searching", func(ctx context.Context) (func(), error) {
		found, report, err := recall.Search{Text: text, Outputs: searchedOutputs, Filters: recall.Filters{Limit: 500}}.Run(ctx, u.site)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s is in no finding, no command and none of %s", text, result.Count(report.Outputs, "output"))
		}
		return func() { u.open(foundPage(text, found, report)) }, nil
	})
}

func foundPage(text string, found []recall.Found, report recall.SearchReport) *list {
	l := &list{name: fmt.Sprintf("%d with %s, %s searched", len(found)+report.Left, text, result.Count(report.Outputs, "output"))}
	for _, f := range found {
		line := f.Text
		if f.Kind == "finding" {
			line = render.Line(f.Finding)
		}
		l.items = append(l.items, item{
			line: func(s *render.Screen) string {
				return s.Columns(3, []render.Cell{{Text: fmt.Sprintf("%-7s", f.Kind), Ink: render.Faint}, {Text: fmt.Sprintf("%3d×", f.Captures)},
					{Text: fmt.Sprintf("%4s", render.Age(s.Now.Sub(f.Last.Time))), Ink: render.Faint}, {Text: line}})
			},
			more: line,
			open: func(u *UI) tea.Cmd { return openFound(u, f) },
			text: line,
			bad:  f.Kind == "finding",
		})
	}
	return l
}

// openFound opens the place where something was found.
func openFound(u *UI, f recall.Found) tea.Cmd {
	number, _, _ := strings.Cut(f.Text, ":")
	line, err := strconv.ParseInt(number, 10, 64)
	switch {
	case f.Kind == "finding":
		return findingItem("", render.Plain, f.Finding, f.Last.Run, nil).open(u)
	case f.Kind == "output" && err == nil:
		return openOutput(u, f.Last.Run, nil, line)
	}
	return openRun(u, f.Last.Run)
}
