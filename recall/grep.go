package recall

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"cairn/internal/place"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

const (
	// window bounds how many bytes of a line are searched at a time, and so memory. A
	// longer line is searched in windows that overlap by overlap bytes, so that no
	// match of at most that length is missed.
	window  = 1 << 20
	overlap = 4 << 10
	// maxShown is how many bytes of a long line are printed, around the match.
	maxShown = 2 << 10
	// maxWord bounds how many bytes are removed of a word that a window cut, since it
	// may be the rest of a secret.
	maxWord = 1 << 10
	// What a search through many captures shows of one capture: at most grepShown lines.
	grepShown = 5
	grepWidth = 300 // bytes of a line
)

// Grep prints the lines that match, each with its number in front, without escape
// sequences, and returns how many matched. Of a line longer than 2 KiB it prints only
// the part that matches, and how many bytes it left out.
func Grep(w io.Writer, r io.Reader, match func(line []byte) bool) (n int64, err error) {
	err = eachMatch(r, match, func(l hitLine) error {
		n++
		_, err := fmt.Fprintf(w, "%d:%s\n", l.number, l.show(match, maxShown))
		return err
	})
	return n, err
}

// grep looks for q.Grep in a capture's raw bytes and in its findings. If the raw bytes
// are not in this clone, the findings may still hold the text.
func (q *query) grep(s *place.Site, hit *Hit) bool {
	whole, _ := Full(s, hit.Record, hit.Result)
	lines, err := q.grepRaw(s, hit)
	hit.Lines = append(lines, grepFindings(whole, q.Grep)...)
	if err != nil {
		if q.unsearched != nil {
			*q.unsearched++
		}
		hit.Unsure = "its output could not be searched: " + err.Error()
	}
	return len(hit.Lines) > 0
}

func (q *query) grepRaw(s *place.Site, hit *Hit) (lines []string, err error) {
	if hit.Record.Raw == nil {
		return nil, nil // the command never ran
	}
	id, err := objects.ParseID(hit.Record.Raw.OID)
	if err != nil {
		return nil, err
	}
	obj, err := s.Objects.OpenObject(id)
	if err != nil {
		return nil, err
	}
	defer obj.Close()
	match := func(line []byte) bool { return bytes.Contains(line, []byte(q.Grep)) }
	err = eachMatch(obj, match, func(l hitLine) error {
		lines = append(lines, fmt.Sprintf("%d: %s", l.number, l.redacted().show(match, grepWidth)))
		if len(lines) == grepShown {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return lines, err
}

// errEnough ends eachMatch early, when enough lines were found.
var errEnough = errors.New("enough")

// hitLine is a line that matches, or the window of a long line that matches.
type hitLine struct {
	number int64
	text   []byte // valid until the next hitLine
	before int64  // bytes of the line before text
	more   bool   // the line goes on after text
}

// show is the part of the line that matches, on one line of text.
func (l hitLine) show(match func([]byte) bool, width int) string {
	text, before, more := l.text, l.before, l.more
	for step := width / 2; len(text) > width; { // overlapping pieces, so that no short match is split
		if match(text[:width]) || !match(text[step:]) {
			text, more = text[:width], true
			break
		}
		text, before = text[step:], before+int64(step)
	}
	shown := strings.ReplaceAll(result.Clean(string(text)), "\n", " ")
	if before > 0 {
		shown = fmt.Sprintf("[… %d bytes]", before) + shown
	}
	if more {
		shown += "[…]"
	}
	return shown
}

// redacted is the line without its secrets, since others than the one who ran the
// command read a list. Secrets are removed before the line is cut, since the words that
// mark a value as secret may stand far before it. If the window begins or ends within
// the line, a secret may be cut already, so the word at that end is removed too.
func (l hitLine) redacted() hitLine {
	const ends = " \t,;\"'&"
	text := []byte(redact.Text(string(l.text)))
	if l.before > 0 {
		n := min(len(text), maxWord)
		if end := bytes.IndexAny(text[:n], ends); end >= 0 {
			n = end
		}
		text, l.before = text[n:], l.before+int64(n)
	}
	if l.more {
		n := max(0, len(text)-maxWord)
		text = text[:n+max(0, bytes.LastIndexAny(text[n:], ends))]
	}
	l.text = text
	return l
}

// eachMatch calls found once for every line that matches, without the line ending. It
// uses bounded memory.
func eachMatch(r io.Reader, match func([]byte) bool, found func(hitLine) error) error {
	in := bufio.NewReaderSize(r, window)
	for number := int64(1); ; number++ {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			l := hitLine{number: number, text: bytes.TrimRight(line, "\r\n")}
			if errors.Is(err, bufio.ErrBufferFull) {
				l.text, l.more = line, true
			}
			if serr := searchLine(in, l, match, found); serr != nil {
				return serr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// searchLine searches a line, of which l is the first window.
func searchLine(in *bufio.Reader, l hitLine, match func([]byte) bool, found func(hitLine) error) error {
	var joined []byte // the end of the previous window, and this one
	for done := false; ; {
		if !done && match(l.text) {
			done = true
			if err := found(l); err != nil {
				return err
			}
		}
		if !l.more {
			return nil
		}
		skip := len(l.text) - overlap
		l.before += int64(skip)
		joined = append(joined[:0], l.text[skip:]...)
		piece, err := in.ReadSlice('\n')
		joined = append(joined, piece...)
		l.text, l.more = joined, errors.Is(err, bufio.ErrBufferFull)
		if !l.more {
			if l.text = bytes.TrimRight(joined, "\r\n"); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
	}
}

func grepFindings(r *result.ToolResult, text string) (found []string) {
	for _, f := range findingsOf(r) {
		for _, s := range []string{f.Message, f.ID, f.Rule, f.Detail, f.Expected, f.Actual, f.Location} {
			if strings.Contains(s, text) && len(found) < grepShown {
				found = append(found, strings.TrimPrefix(f.Location+": "+f.Message, ": "))
				break
			}
		}
	}
	return found
}

// lineGrep decides from the bytes of a record's line whether the line, or an object
// that it names, can hold the text. Only then is the line decoded: of a million records
// most hold it in neither.
type lineGrep struct {
	word   []byte // a part of the text that appears in a line unescaped; nil if there is no such part
	here   map[objects.ID]bool
	counts bool // lines whose output is not in this clone are only counted

	mu        sync.Mutex
	elsewhere hashTable // runs whose output is not in this clone
}

// newLineGrep lists the objects of this clone.
func newLineGrep(s *place.Site, q *query) (*lineGrep, error) {
	g := &lineGrep{word: []byte(plainPart(q.Grep)), here: map[objects.ID]bool{}}
	g.counts = len(q.needs()) == 0 && q.Since.IsZero() && q.Until.IsZero() // otherwise only runs that q selects count
	for id, err := range s.Objects.Readable() {
		if err != nil {
			return nil, err
		}
		g.here[id] = true
	}
	return g, nil
}

// plainPart is the longest part of a text that a JSON line holds unchanged: without
// characters that JSON may escape, and without the separators of a place ("a.go:3").
func plainPart(text string) (best string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f || strings.ContainsRune("\"\\<>&:-", r) })
	for _, p := range parts {
		if len(p) > len(best) {
			best = p
		}
	}
	return best
}

var objectPrefixBytes = []byte(objectPrefix)

// wants says whether a line has to be decoded.
func (g *lineGrep) wants(line []byte) bool {
	if len(g.word) == 0 || bytes.Contains(line, g.word) {
		return true
	}
	away := false
	for at := 0; ; {
		i := bytes.Index(line[at:], objectPrefixBytes)
		if i < 0 {
			break
		}
		at += i + len(objectPrefix)
		var id objects.ID
		if at+2*len(id) > len(line) {
			break
		}
		if _, err := hex.Decode(id[:], line[at:at+2*len(id)]); err != nil {
			continue
		}
		if g.here[id] {
			return true
		}
		away = true
	}
	if !away {
		return false
	}
	if !g.counts {
		return true
	}
	g.count(line)
	return false
}

// count counts the run of a line once, even if its line is in several shards.
func (g *lineGrep) count(line []byte) {
	_, id, _ := bytes.Cut(line[:min(len(line), 80)], []byte(`"id":"`))
	id, _, _ = bytes.Cut(id, []byte(`"`))
	hash := hashed(id)
	g.mu.Lock()
	g.elsewhere.put(hash, 0)
	g.mu.Unlock()
}

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

// Lines copies a range of lines exactly, byte for byte. It is an error if there are fewer than the first.
func Lines(w io.Writer, r io.Reader, want Range) error {
	in := bufio.NewReaderSize(r, 64<<10)
	some := want.From == 1
	for line := int64(1); want.To == 0 || line <= want.To; {
		piece, err := in.ReadSlice('\n')
		if line >= want.From {
			some = some || len(piece) > 0
			if _, werr := w.Write(piece); werr != nil {
				return werr
			}
		}
		switch {
		case err == nil:
			line++
		case errors.Is(err, io.EOF) && !some:
			if len(piece) == 0 {
				line--
			}
			return fmt.Errorf("line %d is asked for, and the last is line %d", want.From, line)
		case errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
	return nil
}
