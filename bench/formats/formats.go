// Package formats makes outputs of any size in the formats of tools: the tool's own format, with other names and numbers in
// each piece. They are made and not recorded, since a recorded run is short.
package formats

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Format is one format of a tool's output, from which outputs of any size can be made.
//
// A template is for fmt, with numbered arguments for a piece: %[1]d counts pieces from 0, %[2]d is a line number, %[3]d
// a smaller number, %[4]s the path of a file without its extension, %[5]d counts pieces from 1.
type Format struct {
	Tool, shape, kind string
	Argv              []string
	Exit              int
	JSON              bool // jq can read it
	width             int  // the width of lines that are filled up with "=" or "_", like pytest's

	heads []string // templates before each part; %[1]d is the number of pieces
	parts []string // templates, each repeated for all pieces, one part after the other
	join  string   // between the pieces of the last part
	foot  string   // template at the end; %[1]d is the number of pieces

	each  int // findings per piece
	extra int // findings in the foot
}

// Made describes an output that was written to a file.
type Made struct {
	Size     int64
	Failures int
}

// All are all formats. A "flood" has only failures, far more than are kept; "quiet" is a list of successes with one
// failure at its end.
var All = slices.Concat(python, rust, javascript, golang, others)

// Name is "tool/shape", or "tool/shape kind".
func (f Format) Name() string {
	name := f.Tool + "/" + f.shape
	if f.kind != "" {
		name += " " + f.kind
	}
	return name
}

// Write writes an output of about size bytes.
func (f Format) Write(file string, size int64) (Made, error) {
	n := f.pieces(size)
	out, err := os.Create(file)
	if err != nil {
		return Made{}, fmt.Errorf("making an output: %w", err)
	}
	defer out.Close()
	w := bufio.NewWriterSize(out, 1<<20)
	var piece []byte
	for p, template := range f.parts {
		if p < len(f.heads) {
			w.Write(f.piece(nil, f.heads[p], n))
		}
		for i := range n {
			if i > 0 && p == len(f.parts)-1 {
				w.WriteString(f.join)
			}
			piece = f.piece(piece[:0], template, i)
			w.Write(piece)
		}
	}
	w.Write(f.piece(nil, f.foot, n))
	if err := w.Flush(); err != nil {
		return Made{}, fmt.Errorf("making an output: %w", err)
	}
	info, err := out.Stat()
	if err != nil {
		return Made{}, fmt.Errorf("making an output: %w", err)
	}
	return Made{info.Size(), n*f.each + f.extra}, nil
}

// pieces returns how many pieces make an output of this size, by a sample.
func (f Format) pieces(size int64) int {
	const tried = 1000
	var sample []byte
	for _, template := range f.parts {
		for i := range tried {
			sample = f.piece(sample, template, i*97)
			sample = append(sample, f.join...)
		}
	}
	return max(1, int(size*tried/int64(len(sample))))
}

func (f Format) piece(b []byte, template string, i int) []byte {
	path := fmt.Sprintf("src/%s/part%d", [...]string{"core", "api", "store", "web/forms"}[i/40%4], i/10%5003)
	if !strings.Contains(template, "%[") {
		return append(b, template...)
	}
	text := fmt.Sprintf(template, i, i*7%1999+1, i*3%97+1, path, i+1)
	if f.width == 0 {
		return append(b, text...)
	}
	for line := range strings.Lines(text) {
		b = append(b, filled(line, f.width)...)
	}
	return b
}

// filled centres the title of a line that begins with "===", "---" or "___", like pytest's terminal writer.
func filled(line string, width int) string {
	if len(line) < 3 || strings.IndexByte("=-_", line[0]) < 0 || line[1] != line[0] || line[2] != line[0] {
		return line
	}
	title := " " + strings.Trim(line, line[:1]+" \n") + " "
	side := strings.Repeat(line[:1], max(1, (width-len(title))/2))
	line = side + title + side
	if len(line) < width {
		line += side[:1]
	}
	return line + "\n"
}
