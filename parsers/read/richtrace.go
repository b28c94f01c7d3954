package read

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// box reads the frame that rich draws around a traceback, as programs with typer, hatch and dagster print it. The
// exception follows below, wrapped to the width of the box:
//
//	╭──────────── Traceback (most recent call last) ────────────╮
//	│ /src/app.py:3 in main                                     │
//	│                                                           │
//	│ ❱ 3 │   load()                                            │
//	╰───────────────────────────────────────────────────────────╯
//	ValueError: bad row in
//	table 3
type box struct {
	open bool
	half string // the first part of a path that is wider than the box
}

// isBoxHead reports whether a line begins rich's box, drawn with "+" and "-" if Unicode is not available.
func isBoxHead(line string) bool {
	head, tail, ok := strings.Cut(line, " "+strings.TrimSuffix(traceHead, ":"))
	return ok && strings.ContainsAny(head, "╭+") && strings.Trim(head, " │╭─+-") == "" && strings.Trim(tail, "╮─+- │") == ""
}

// line takes a line of the box; at is the frame that the line names, or nil.
func (b *box) line(line string) (at *result.Location, ok bool) {
	text := strings.TrimLeft(line, " ")
	if strings.HasPrefix(text, "╰") || strings.HasPrefix(text, "+-") {
		b.open = false
		return nil, true
	}
	row, ok := lex.CutAnyPrefix(text, "│ ", "| ")
	if b.open = ok; !ok || row == "" || row[0] == ' ' {
		b.half = ""
		return nil, ok
	}
	row = b.half + strings.TrimRight(row, " │|")
	where, function, _ := strings.Cut(row, " in")
	path, number, placed := lex.CutLast(where, ":")
	if !placed || !lex.IsDigits(number) {
		b.half = ""
		if strings.HasPrefix(row, "/") && !strings.Contains(row, " ") {
			b.half = row
		}
		return nil, true
	}
	b.half = ""
	if strings.HasPrefix(path, "in ") { // of a module without a file
		path, function = "<frozen>", path[len("in "):]
	}
	return &result.Location{Path: path, Line: lex.Atoi(number), Function: strings.TrimSpace(function)}, true
}

// More takes a continuation of the exception's line: rich wraps it, and leaves the blank at which it does. A line
// that rich pads to the full width ends with several blanks.
func (t *Traceback) More(f *result.Finding, line string) bool {
	if !t.boxed || f == nil || strings.TrimSpace(line) == "" || !strings.HasSuffix(t.Last, " ") || strings.HasSuffix(t.Last, "  ") {
		return false
	}
	t.Last += line
	f.Message = lex.Clip(strings.TrimRight(f.Message, " ") + " " + strings.TrimRight(line, " "))
	return true
}
