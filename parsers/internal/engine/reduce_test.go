package engine

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
)

// reduced is what a failing run with this output shows.
func reduced(text string) string {
	r, eye := newReducer(), scan.NewScanner()
	term.RawLines(term.Separate([]byte(text), nil), term.Both, func(l term.RawLine) bool {
		eye.Look(&l)
		r.see(&l)
		return true
	})
	body, _ := r.body(true)
	return body
}

func numbered(n int, line func(i int) string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// words gives line i a shape of its own.
func words(i int) string {
	return fmt.Sprintf("line %d %s", i, strings.Repeat(string(rune('a'+i%26)), 2+i%7))
}

// TestReduceCountsWhatFindingsTell: a line that a finding tells is not left out.
func TestReduceCountsWhatFindingsTell(t *testing.T) {
	r := newReducer()
	for i, word := range []string{"shown", "told", "told", "shown", "told", "blank", "told", "shown", "told"} {
		switch word {
		case "told":
			r.tell()
		case "blank":
			r.skip()
		default:
			r.see(&term.RawLine{Text: []byte(words(i)), Alarm: -1})
		}
	}
	const want = "line 0 aa\n[… 2 lines, 2-3, told by findings]\nline 3 ddddd\n[… 3 lines, 2 told by findings, 5-7]\nline 7 hh\n[… line 9, told by a finding]"
	if got, _ := r.body(true); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReduce(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"short", "a\nb\n", "a\nb"},
		{"folded", numbered(50, func(i int) string { return fmt.Sprintf("fetched part %d of 9", i) }),
			"fetched part 1 of 9\n[… 48 more like this, 2-49]\nfetched part 50 of 9"},
		{"folded beside an error", numbered(9, func(i int) string { return fmt.Sprintf("fetched part %d of 9", i) }) + "error: no\n",
			"fetched part 1 of 9\n[… 7 more like this, 2-8]\nfetched part 9 of 9\nerror: no"},
		{"few lines, of which each may be an error", numbered(5, func(i int) string { return fmt.Sprintf("a%d.x: row %d is too long", i, i) }),
			"a1.x: row 1 is too long\na2.x: row 2 is too long\na3.x: row 3 is too long\na4.x: row 4 is too long\na5.x: row 5 is too long"},
		{"two are not folded", numbered(2, func(i int) string { return fmt.Sprintf("fetched part %d of 9, from cache", i) }),
			"fetched part 1 of 9, from cache\nfetched part 2 of 9, from cache"},
		{"blank lines are not folded", "a\n\n\n\n\nb\n", "a\n\n\n\n\nb"},
		{"errors that differ in a number are two facts", numbered(4, func(i int) string { return fmt.Sprintf("error: part %d of 9 is damaged", i) }),
			"error: part 1 of 9 is damaged\nerror: part 2 of 9 is damaged\nerror: part 3 of 9 is damaged\nerror: part 4 of 9 is damaged"},
		{"the same error", numbered(4, func(int) string { return "error: part 7 of 9 is damaged" }),
			"error: part 7 of 9 is damaged\n[… 3 more like this, 2-4]"},
		{"binary", "ok\n" + strings.Repeat("\x01\x02\x03\x04\xff\n", 9) + "error: no text\n",
			"ok\n[5 bytes, not text]\n[… 8 more like this, 3-10]\nerror: no text"},
		{"error in binary", "\x7fELF\x02\x01\x01\x00\x01\x02\x03\x04 cannot open %s\x00\x05\n",
			"[29 bytes, not text]  cannot open %s"},
		{"zeros", strings.Repeat("\x00", 4096) + "\n", "[4096 bytes, not text]"},
		{"UTF-16", "E\x00r\x00r\x00o\x00r\x00!\x00\r\x00\n\x00", "Error!"},
		{"error written over", "error: bad sum\rdone          \n", "error: bad sum [\\r] done          "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := reduced(c.text); got != c.want {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

// TestReduceLongLines: one long line has all the room, one of many a little;
// an error in it is always shown, and the bytes left out are counted.
func TestReduceLongLines(t *testing.T) {
	long := strings.Repeat("x", 9000) + " error: here " + strings.Repeat("y", 9000) + "\n"
	marks := regexp.MustCompile(`^\[… (\d+) bytes\](x* error: here y*)\[… (\d+) bytes\]$`)
	for times, least := range map[int]int{1: maxWide, 3: 4 * term.MaxShown, 30: term.MaxShown} {
		body := reduced(numbered(times, func(i int) string { return strconv.Itoa(i) + long }))
		var shown []string
		for line := range strings.SplitSeq(body, "\n") {
			m := marks.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if n := number(m[1]) + len(m[2]) + number(m[3]); n < len(long) || n > len(long)+2 || len(m[2]) < least {
				t.Errorf("%d bytes told, %d shown, of %d", n, len(m[2]), len(long))
			}
			shown = append(shown, line)
		}
		if len(shown) == 0 {
			t.Errorf("%d times: %.300q", times, body)
		}
	}
}

// TestReduceKeepsErrors: errors anywhere in 5 MB of log are in the body, and
// so are the first lines and the last.
func TestReduceKeepsErrors(t *testing.T) {
	const n = 80_000
	text := numbered(n, func(i int) string {
		switch i {
		case 30_000:
			return "worker 3: checksum mismatch in shard 17"
		case 60_000:
			return "Traceback (most recent call last):"
		case 60_001:
			return `  File "app.py", line 3, in <module>`
		case 60_002:
			return "KeyError: 'rows'"
		}
		return fmt.Sprintf("%06d %s %s", i, words(i), words(i/2))
	})
	body := reduced(text)
	for _, want := range []string{
		"000001 line", "080000 line", "checksum mismatch in shard 17", "Traceback", "KeyError: 'rows'", "[… 29991 lines, 9-29999]",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if len(body) > maxBody+40*markerSize {
		t.Errorf("body of %d bytes", len(body))
	}
}

var (
	gapMarker  = regexp.MustCompile(`^\[… (?:line (\d+)|(\d+) lines, (\d+)-(\d+)|(\d+) more like this, (\d+)-(\d+))\]$`)
	cutMarker  = regexp.MustCompile(`\[… \d+ bytes\]`)
	errsMarker = regexp.MustCompile(`^\[… (\d+) of the lines left out report errors\]$`)
)

// TestMarkersAreExact: what is shown and what the markers speak of are all the
// lines, in order, each once; errors that are not shown are counted.
func TestMarkersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"", "compiling unit 7 of 12", "compiling unit 8 of 12", "error: one thing is wrong", "error: another thing is wrong",
			"note: see there", strings.Repeat("long ", 300), "FAILED " + strings.Repeat("z", 700), "plain words here",
		}), 0, 1500).Draw(t, "lines")
		for i := range lines { // runs, and lines of their own
			switch i % 5 {
			case 3:
				lines[i] = words(i)
			case 4:
				lines[i] = lines[i-1]
			}
		}
		lines = append(lines, "end")
		alarms := 0
		for _, l := range lines {
			if strings.HasPrefix(l, "error") || strings.HasPrefix(l, "FAILED") {
				alarms++
			}
		}
		body := reduced(strings.Join(lines, "\n"))
		if markers := strings.Count(body, "[…"); len(body) > maxBody+(markers+1)*80 {
			t.Fatalf("body of %d bytes with %d markers", len(body), markers)
		}
		at := 1
		last := ""
		for shown := range strings.SplitSeq(body, "\n") {
			if m := errsMarker.FindStringSubmatch(shown); m != nil {
				alarms -= number(m[1])
				continue
			}
			m := gapMarker.FindStringSubmatch(shown)
			if m == nil {
				if cut, _, _ := strings.Cut(shown, "[… "); !strings.HasPrefix(lines[at-1], cut) || !cutMarker.MatchString(shown) && lines[at-1] != shown {
					t.Fatalf("line %d is %q, shown is %q", at, lines[at-1], shown)
				}
				if strings.HasPrefix(shown, "error") || strings.HasPrefix(shown, "FAILED") {
					alarms--
				}
				last = shown
				at++
				continue
			}
			from, to := number(m[1]+m[3]+m[6]), number(m[1]+m[4]+m[7])
			if n := m[2] + m[5]; n != "" && number(n) != to-from+1 || from != at {
				t.Fatalf("%q at line %d", shown, at)
			}
			if m[5] != "" && strings.HasPrefix(last, "error") {
				alarms -= number(m[5])
			}
			if m[5] != "" && strings.HasPrefix(last, "FAILED") {
				alarms -= number(m[5])
			}
			at = to + 1
		}
		if at != len(lines)+1 {
			t.Fatalf("%d of %d lines told\n%s", at-1, len(lines), body)
		}
		if alarms != 0 {
			t.Fatalf("%d errors neither shown nor counted\n%s", alarms, body)
		}
	})
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// TestSkippedLinesKeepTheirNumbers: markers speak of lines of the output, also
// where some of them are told elsewhere.
func TestSkippedLinesKeepTheirNumbers(t *testing.T) {
	r, eye := newReducer(), scan.NewScanner()
	for i := 1; i <= 100; i++ {
		if i > 5 && i < 90 {
			r.skip()
			continue
		}
		l := term.RawLine{Text: []byte(words(i))}
		eye.Look(&l)
		r.see(&l)
	}
	body, _ := r.body(true)
	if !strings.Contains(body, words(5)+"\n[… 84 lines, 6-89]\n"+words(90)) {
		t.Error(body)
	}
}

// TestReduceMemory: any number of lines in the room of a few megabytes.
func TestReduceMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much")
	}
	block := []byte(numbered(10_000, func(i int) string { return words(i) + strings.Repeat(" error: x", i%3) }))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, eye := newReducer(), scan.NewScanner()
	for range 60 {
		term.RawLines(term.Separate(block, nil), term.Both, func(l term.RawLine) bool {
			eye.Look(&l)
			r.see(&l)
			return true
		})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("holds %d bytes after %d", grown, 60*len(block))
	}
	if r.total != 60*10_000 || r.alarms == 0 {
		t.Errorf("%d lines, %d alarms", r.total, r.alarms)
	}
}

func FuzzReduce(f *testing.F) {
	f.Add([]byte("a\nerror: x\n\x00\x01\n\xff\r\x1b[Kz\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, times := range []int{1, 700} {
			body := reduced(string(bytes.Repeat(text, times)))
			if strings.ContainsAny(body, "\x00\x1b\r") {
				t.Errorf("%q", body)
			}
		}
	})
}

// TestReduceSizes: what is left out of a line that is longer than any that is kept is
// counted to its end, however its bytes came.
func TestReduceSizes(t *testing.T) {
	for _, c := range []struct {
		name, line string
		shown      int // bytes beside marks
	}{
		{"text", strings.Repeat("abc ", 1_000_000), maxWide},
		{"NULs", strings.Repeat("\x00", 3_000_000), 0},
		{"text with an error", strings.Repeat("x", 9000) + " error: here " + strings.Repeat("y", 2_000_000), maxWide},
		{"not text", strings.Repeat("\x01\xff", 2_000_000), 0},
	} {
		for _, chunk := range []int{len(c.line) + 1, 64 << 10, 1<<20 + 1} {
			for _, end := range []string{"\n", ""} {
				r, eye := newReducer(), scan.NewScanner()
				var source term.Bytes
				for at, text := 0, []byte(c.line+end); at < len(text); at += chunk {
					source = append(source, term.Chunk{Stream: term.Stdout, Offset: int64(at), Data: text[at:min(at+chunk, len(text))]})
				}
				term.RawLines(source, term.Both, func(l term.RawLine) bool {
					eye.Look(&l)
					r.see(&l)
					return true
				})
				body, _ := r.body(true)
				left := 0
				for _, m := range regexp.MustCompile(`\[(?:… )?(\d+) bytes`).FindAllStringSubmatch(body, -1) {
					n, _ := strconv.Atoi(m[1])
					left += n
				}
				if left != len(c.line)-c.shown {
					t.Errorf("%s in chunks of %d, ended by %q: %d bytes left out, want %d", c.name, chunk, end, left, len(c.line)-c.shown)
				}
			}
		}
	}
}
