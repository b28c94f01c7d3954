package recall

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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
