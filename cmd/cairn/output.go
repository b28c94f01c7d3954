package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"cairn/render"
	"cairn/result"
)

// output prints the program's own words, and texts of records, flags and file names in
// them. Records come from other clones, so nothing reaches a terminal unchanged: every
// line is cleaned (see result.Clean), and a character without width is written as an
// escape. Captured bytes do not go through it: they go to the file itself, and only if
// the user asked for them.
type output struct {
	mu   sync.Mutex
	to   io.Writer
	held []byte // a line that is not complete yet
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held = append(o.held, p...)
	end := bytes.LastIndexByte(o.held, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	_, err := io.WriteString(o.to, render.Shown(string(o.held[:end])))
	o.held = append(o.held[:0], o.held[end:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush prints an incomplete last line.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := io.WriteString(o.to, render.Shown(string(o.held)))
	o.held = nil
	return err
}

// say prints a line of text. Text in an argument stays on that line: a reason with a
// line break must not look like a record.
func (a *app) say(format string, args ...any) error {
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			args[i] = result.CleanLine(v)
		case []string:
			args[i] = result.CleanLines(v)
		}
	}
	_, err := fmt.Fprintf(a.out, format, args...)
	return err
}

// put prints a document in one of the formats. In JSON, characters that cleaning would
// remove become escapes, so that a program reads the record's own text.
func (a *app) put(format render.Format, doc []byte) error {
	if format == render.FormatJSON {
		doc = escapeHidden(doc)
	}
	_, err := a.out.Write(doc)
	return err
}

// escapeHidden replaces characters that result.Clean would change by \u escapes. In
// JSON they can only be in strings.
func escapeHidden(doc []byte) []byte {
	if text := string(doc); result.Clean(text) == text {
		return doc
	}
	out := make([]byte, 0, len(doc)+16)
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRune(doc[i:])
		if r == '\n' || result.Clean(string(doc[i:i+size])) == string(doc[i:i+size]) {
			out = append(out, doc[i:i+size]...)
		} else {
			for _, unit := range utf16.Encode([]rune{r}) {
				out = append(out, `\u`...)
				out = append(out, strconv.FormatUint(0x10000|uint64(unit), 16)[1:]...)
			}
		}
		i += size
	}
	return out
}
