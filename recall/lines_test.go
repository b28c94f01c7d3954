package recall

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestParseRange(t *testing.T) {
	for s, want := range map[string]Range{"3:5": {3, 5}, "3:": {3, 0}, ":5": {1, 5}, "7": {7, 7}, ":": {1, 0}, "5:5": {5, 5}} {
		if got, err := ParseRange(s); err != nil || got != want {
			t.Errorf("ParseRange(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "5:2", "0:2", "-1:2", "a", "1:b", "1:2:3", "3:0", "0", "99999999999999999999"} {
		if got, err := ParseRange(s); err == nil {
			t.Errorf("ParseRange(%q) = %v", s, got)
		}
	}
}

// content is text with every kind of line ending, perhaps without a last one.
func content(t *rapid.T) []byte {
	line := rapid.SampledFrom([]string{"", "x", "\r", "a\rb", "\x00\xff", "größe", strings.Repeat("long", 20000)})
	end := rapid.SampledFrom([]string{"\n", "\n", "\r\n"})
	var b bytes.Buffer
	for range rapid.IntRange(0, 12).Draw(t, "lines") {
		b.WriteString(line.Draw(t, "line") + end.Draw(t, "end"))
	}
	b.WriteString(line.Draw(t, "last"))
	return b.Bytes()
}

// Ranges that follow each other are the whole, byte for byte, and a range is
// what a naive split gives.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := content(t)
		naive := bytes.SplitAfter(all, []byte{'\n'})
		cuts := []int64{0}
		for at := int64(0); at < int64(len(naive))+3; {
			at += int64(rapid.IntRange(1, 5).Draw(t, "step"))
			cuts = append(cuts, at)
		}
		var joined bytes.Buffer
		for i := range cuts[1:] {
			want := Range{cuts[i] + 1, cuts[i+1]}
			var got bytes.Buffer
			last := int64(len(naive))
			if len(naive[last-1]) == 0 {
				last-- // nothing behind the last line's end
			}
			if err := Lines(&got, iotest.HalfReader(bytes.NewReader(all)), want); (err != nil) != (want.From > max(last, 1)) {
				t.Fatalf("lines %v of %d: %v", want, last, err)
			}
			from, to := min(int(want.From)-1, len(naive)), min(int(want.To), len(naive))
			if model := bytes.Join(naive[from:to], nil); !bytes.Equal(got.Bytes(), model) {
				t.Fatalf("lines %v: %d bytes, want %d", want, got.Len(), len(model))
			}
			joined.Write(got.Bytes())
		}
		if !bytes.Equal(joined.Bytes(), all) {
			t.Fatalf("ranges join to %d bytes of %d", joined.Len(), len(all))
		}
		joined.Reset()
		if err := Lines(&joined, bytes.NewReader(all), Range{From: 1}); err != nil || !bytes.Equal(joined.Bytes(), all) {
			t.Fatalf("the open range: %d bytes of %d, %v", joined.Len(), len(all), err)
		}
	})
}

func TestLinesErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := Lines(io.Discard, io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), Range{From: 1}); !errors.Is(err, broken) {
		t.Errorf("a read that failed: %v", err)
	}
	if err := Lines(full{}, strings.NewReader("a\n"), Range{From: 1}); !errors.Is(err, errFull) {
		t.Errorf("a write that failed: %v", err)
	}
	var got bytes.Buffer // lines behind the range are not read
	if err := Lines(&got, io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(broken)), Range{From: 1, To: 2}); err != nil || got.String() != "a\nb\n" {
		t.Errorf("got %q, %v", &got, err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestGrep(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for name, test := range map[string]struct{ in, find, want string }{
		"plain":         {"a\nbab\n\nc", "a", "1:a\n2:bab\n"},
		"no newline":    {"a\nb", "b", "2:b\n"},
		"crlf":          {"ab\r\nb\r\n", "b", "1:ab\n2:b\n"},
		"empty lines":   {"\n\nz\n", "", "1:\n2:\n3:z\n"},
		"nothing":       {"", "", ""},
		"binary":        {"\x00a\xff\n\x1b[31mred a\x1b[0m\n", "a", "1:a\ufffd\n2:red a\n"},
		"progress":      {"10%\r20% a\r\n", "a", "1:10% 20% a\n"},
		"long":          {long + "needle" + long + "\nneedle\n", "needle", "1:[… 3144704 bytes]" + long[:1024] + "needle" + long[:1018] + "[…]\n2:needle\n"},
		"window's edge": {long[:window-3] + "needle\n", "needle", "1:[… 1047552 bytes]" + long[:1021] + "needle\n"},
		"end of a long": {long + "needle", "needle", "1:[… 3144704 bytes]" + long[:1024] + "needle\n"},
		"long, start":   {"needle" + long, "needle", "1:needle" + long[:2042] + "[…]\n"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			var got bytes.Buffer
			n, err := Grep(&got, strings.NewReader(test.in), func(line []byte) bool { return bytes.Contains(line, []byte(test.find)) })
			if err != nil || got.String() != test.want || n != int64(strings.Count(test.want, "\n")) {
				t.Errorf("%d, %v: got %.200q, want %.200q", n, err, got.String(), test.want)
			}
		})
	}
	broken := errors.New("broken")
	if _, err := Grep(io.Discard, iotest.ErrReader(broken), func([]byte) bool { return true }); !errors.Is(err, broken) {
		t.Errorf("a read that failed: %v", err)
	}
	if _, err := Grep(full{}, strings.NewReader("a"), func([]byte) bool { return true }); !errors.Is(err, errFull) {
		t.Errorf("a write that failed: %v", err)
	}
}

// Grep finds the same lines as a naive search, wherever the windows end.
func TestGrepModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := content(t)
		if rapid.Bool().Draw(t, "long") {
			at := rapid.IntRange(window-10, window+10).Draw(t, "at")
			all = append(append(bytes.Repeat([]byte{'y'}, at), "needle"...), all...)
		}
		find := []byte(rapid.SampledFrom([]string{"x", "long", "needle", "\xff"}).Draw(t, "find"))
		match := func(line []byte) bool { return bytes.Contains(line, find) }
		var got []int64
		if err := eachMatch(iotest.HalfReader(bytes.NewReader(all)), match, func(l hitLine) error {
			if !match(l.text) {
				return fmt.Errorf("line %d does not match", l.number)
			}
			got = append(got, l.number)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var want []int64
		for i, line := range bytes.Split(all, []byte{'\n'}) {
			if match(line) {
				want = append(want, int64(i)+1)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("lines %v, want %v", got, want)
		}
	})
}
