package recall

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/result"
)

// aroundLines is how many lines before and after a finding Around shows.
const aroundLines = 5

// FindingOf is the finding of a capture whose fingerprint begins with the given hex digits.
func (o *Output) FindingOf(fingerprint string) (result.Finding, error) {
	id, err := hexDigits(fingerprint)
	if err != nil {
		return result.Finding{}, err
	}
	r, _, err := o.Result()
	if err != nil {
		return result.Finding{}, err
	}
	for _, f := range r.Findings {
		if strings.HasPrefix(f.Fingerprint, id) {
			return f, nil
		}
	}
	return result.Finding{}, fmt.Errorf("capture %s has no finding %s: %w", o.Record.ID, id, manifest.ErrNotFound)
}

// Around prints the lines of the output from which a finding was read, and some before
// and after, byte for byte. It finds them by the place that the parser noted, or else
// by the first line that contains the finding's message.
func (o *Output) Around(w io.Writer, f result.Finding) error {
	obj, err := o.Open()
	if err != nil {
		return err
	}
	defer obj.Close()
	from, to, err := PlaceOf(io.NewSectionReader(obj, 0, obj.Size()), f)
	if err != nil {
		return err
	}
	return Lines(w, io.NewSectionReader(obj, 0, obj.Size()), Range{From: max(from-aroundLines, 1), To: to + aroundLines})
}

// PlaceOf finds the first and the last line, counted from 1, from which a finding was read in an output.
func PlaceOf(r io.Reader, f result.Finding) (from, to int64, err error) {
	spanned := f.RawSpan != nil && (f.RawSpan.Stream == "" || f.RawSpan.Stream == "merged") && f.RawSpan.End > f.RawSpan.Start
	in := bufio.NewReaderSize(r, window)
	for line, at := int64(1), int64(0); ; {
		piece, err := in.ReadSlice('\n')
		end := at + int64(len(piece))
		switch {
		case spanned && from == 0 && end > f.RawSpan.Start:
			from = line
		case !spanned && f.Message != "" && bytes.Contains(piece, []byte(f.Message)):
			return line, line, nil
		}
		if spanned && end >= f.RawSpan.End {
			return from, line, nil
		}
		at = end
		switch {
		case err == nil:
			line++
		case errors.Is(err, io.EOF):
			return 0, 0, fmt.Errorf("the output does not show where finding %s was read: %w", f.Fingerprint, manifest.ErrNotFound)
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, 0, err
		}
	}
}

// hexDigits checks that f is a fingerprint or the beginning of one, and returns it in lower case.
func hexDigits(f string) (string, error) {
	if !filter.Hex(f, minPrefix, shownHex) {
		return "", fmt.Errorf("%q is not a fingerprint: give %d to %d hex digits", f, minPrefix, shownHex)
	}
	return strings.ToLower(f), nil
}
