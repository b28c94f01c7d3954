package recall

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cairn/result"
)

// Range is a range of lines, counted from 1, both ends included. To is 0 for
// "to the end".
type Range struct{ From, To int64 }

// ParseRange reads "A:B", "A:", ":B" or "A".
func ParseRange(s string) (Range, error) {
	from, to, isRange := strings.Cut(s, ":")
	if !isRange {
		to = from
	}
	r := Range{From: 1}
	var err error
	if from != "" {
		r.From, err = strconv.ParseInt(from, 10, 64)
	}
	if err == nil && to != "" {
		r.To, err = strconv.ParseInt(to, 10, 64)
	}
	if err != nil || s == "" || r.From < 1 || to != "" && r.To < r.From {
		return Range{}, fmt.Errorf("%q is not a range of lines: write A:B, A:, :B or A, counted from 1", s)
	}
	return r, nil
}

// Lines copies a range of lines exactly, byte for byte.
func Lines(w io.Writer, r io.Reader, want Range) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for line := int64(1); want.To == 0 || line <= want.To; {
		piece, err := in.ReadSlice('\n')
		if line >= want.From {
			if _, werr := w.Write(piece); werr != nil {
				return werr
			}
		}
		switch {
		case err == nil:
			line++
		case errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
	return nil
}

// Grep prints the lines that match, each with its number in front, escapes
// taken off. It says how many there were. Of a longer line than grepBuffer only
// the beginning is looked at.
func Grep(w io.Writer, r io.Reader, match func(line []byte) bool) (n int64, err error) {
	err = eachLine(r, func(number int64, line []byte) error {
		if !match(line) {
			return nil
		}
		n++
		_, err := fmt.Fprintf(w, "%d:%s\n", number, result.Clean(string(line)))
		return err
	})
	return n, err
}

// grepBuffer bounds the part of a line that is searched.
const grepBuffer = 1 << 20

// errEnough ends eachLine early.
var errEnough = errors.New("enough")

// eachLine calls see with every line, without its line ending, in bounded
// memory.
func eachLine(r io.Reader, see func(number int64, line []byte) error) error {
	in := bufio.NewReaderSize(r, grepBuffer)
	for number := int64(1); ; number++ {
		line, err := in.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		if len(line) > 0 {
			if serr := see(number, bytes.TrimRight(line, "\r\n")); serr != nil {
				return serr
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !tooLong {
			return err
		}
	}
}

// grepLines gives the first lines that match, as "NUMBER: TEXT".
func grepLines(r io.Reader, match func([]byte) bool, limit int) (found []string, err error) {
	err = eachLine(r, func(number int64, line []byte) error {
		if !match(line) {
			return nil
		}
		text := result.Clean(string(line[:min(len(line), grepWidth)]))
		if found = append(found, fmt.Sprintf("%d: %s", number, text)); len(found) == limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found, err
}
