package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"cairn/objects"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// bytesOfPiece bounds the bytes shown as one line. Longer lines are shown as several, so that a huge line needs no more
// screen and memory than others.
const bytesOfPiece = 512

// bytesRead is how many bytes are read at once in a search.
const bytesRead = 1 << 20

// output is the page of a run's output. Only the visible part is read.
type output struct {
	out      *recall.Output
	object   *objects.Object
	findings []result.Finding
	finding  int   // index of the last finding that was visited
	at       int64 // offset of the first line shown
	line     int64 // number of that line, from 1; 0 if not counted yet
	from, to int64 // lines to highlight
	found    int64 // offset of the text found last; -1 for none
	wrap     bool
	escapes  bool // escape sequences are shown
	side     int  // columns hidden to the left
	failed   error
}

// showOutput opens an output at a line.
func showOutput(u *UI, out *recall.Output, findings []result.Finding, line int64) tea.Cmd {
	return u.ask("reading the output", func(ctx context.Context) (func(), error) { return outputFrom(ctx, u, out, findings, line) })
}

// openOutput opens the output of the run with this id.
func openOutput(u *UI, id string, findings []result.Finding, line int64) tea.Cmd {
	return u.ask("reading the output", func(ctx context.Context) (func(), error) {
		out, err := recall.Find(ctx, u.site, id)
		if err != nil {
			return nil, err
		}
		if findings == nil && out.Record != nil {
			if r, err := out.Record.Result(); err == nil && r != nil {
				findings = r.Findings
			}
		}
		return outputFrom(ctx, u, out, findings, line)
	})
}

// openFinding opens an output at the place where a finding was read.
func openFinding(u *UI, out *recall.Output, f result.Finding) tea.Cmd {
	return u.ask("reading the output", func(ctx context.Context) (func(), error) { return outputAt(ctx, u, out, f) })
}

// outputAt opens an output at a finding's place in it, or at its beginning if the output does not have one.
func outputAt(ctx context.Context, u *UI, out *recall.Output, f result.Finding) (func(), error) {
	r, _, err := out.Result()
	if err != nil {
		return nil, err
	}
	o, err := opened(out, r.Findings)
	if err != nil {
		return nil, err
	}
	note := ""
	o.from, o.to, err = recall.PlaceOf(all(o.object), f)
	if err != nil {
		o.from, o.to, note = 1, 0, err.Error()
	}
	if err := o.lookAt(ctx, o.from); err != nil {
		return nil, errors.Join(err, o.object.Close())
	}
	o.finding = slices.IndexFunc(r.Findings, func(g result.Finding) bool { return g.Fingerprint == f.Fingerprint && g.Occurrence == f.Occurrence })
	return func() {
		u.open(o)
		u.note = note
	}, nil
}

// outputFrom opens an output at a line, which is highlighted unless it is the first.
func outputFrom(ctx context.Context, u *UI, out *recall.Output, findings []result.Finding, line int64) (func(), error) {
	o, err := opened(out, findings)
	if err != nil {
		return nil, err
	}
	if line > 1 {
		o.from, o.to = line, line
	}
	if err := o.lookAt(ctx, line); err != nil {
		return nil, errors.Join(err, o.object.Close())
	}
	return func() { u.open(o) }, nil
}

func opened(out *recall.Output, findings []result.Finding) (*output, error) {
	object, err := out.Open()
	if err != nil {
		return nil, err
	}
	return &output{out: out, object: object, findings: findings, finding: -1, line: 1, found: -1, wrap: true}, nil
}

func all(object *objects.Object) io.Reader { return io.NewSectionReader(object, 0, object.Size()) }

func (o *output) close() { o.object.Close() }

// lookAt shows a line, a few lines below the top of the screen.
func (o *output) lookAt(ctx context.Context, line int64) error {
	const above = 3
	top := max(line-above, 1)
	at, err := o.offset(ctx, top)
	if err != nil {
		return err
	}
	o.at, o.line = at, top
	return nil
}

// offset is the offset at which a line begins.
func (o *output) offset(ctx context.Context, line int64) (int64, error) {
	at := int64(0)
	err := o.read(ctx, 0, func(from int64, piece []byte) bool {
		for line > 1 {
			i := bytes.IndexByte(piece, '\n')
			if i < 0 {
				return true
			}
			from, piece, line = from+int64(i)+1, piece[i+1:], line-1
			at = from
		}
		return false
	})
	return at, err
}

// read passes the bytes from an offset on to use, in pieces, until use returns false.
func (o *output) read(ctx context.Context, from int64, use func(from int64, piece []byte) bool) error {
	buf := make([]byte, bytesRead)
	for from < o.object.Size() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := o.object.ReadAt(buf, from)
		if n > 0 && !use(from, buf[:n]) {
			return nil
		}
		from += int64(n)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

func (o *output) title() string {
	size := o.object.Size()
	where := fmt.Sprintf("%d %%", 100*o.at/max(size, 1))
	if o.line > 0 {
		where = fmt.Sprintf("line %d, %s", o.line, where)
	}
	name := o.out.ID.String()
	if rec := o.out.Record; rec != nil {
		name = render.ShortRun(rec.ID) + "  " + screens.OneLine(recall.CommandLine(rec), 60)
	}
	return fmt.Sprintf("%s of %s  %s", where, screens.Bytes(size), name)
}

func (o *output) keys() string { return "/ search  ] next finding  e escapes  W wrap  esc back" }

// piece returns the text shown as one line from an offset on, and the offset of the next. ends says whether a line
// ends.
func (o *output) piece(at int64) (text []byte, next int64, ends bool, err error) {
	buf := make([]byte, bytesOfPiece)
	n, err := o.object.ReadAt(buf, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, at, false, err
	}
	buf = buf[:n]
	if i := bytes.IndexByte(buf, '\n'); i >= 0 {
		return buf[:i], at + int64(i) + 1, true, nil
	}
	if n == bytesOfPiece {
		buf = buf[:whole(buf)]
	}
	return buf, at + int64(len(buf)), false, nil
}

// whole is how many bytes of a piece can be shown, without an incomplete character or escape sequence at its end.
func whole(piece []byte) int {
	const longest = 40
	if i := bytes.LastIndexByte(piece, 0x1b); i > len(piece)-longest && i > 0 && len(escape.Find(piece[i:])) == 0 {
		return i
	}
	for i := 1; i < utf8.UTFMax && i < len(piece); i++ {
		if utf8.RuneStart(piece[len(piece)-i]) {
			if !utf8.FullRune(piece[len(piece)-i:]) {
				return len(piece) - i
			}
			break
		}
	}
	return len(piece)
}

// down scrolls down by a line.
func (o *output) down() bool {
	_, next, ends, err := o.piece(o.at)
	o.failed = errors.Join(o.failed, err)
	if next >= o.object.Size() || next == o.at {
		return false
	}
	o.at = next
	if ends && o.line > 0 {
		o.line++
	}
	return true
}

// up scrolls up by a line.
func (o *output) up() bool {
	if o.at == 0 {
		return false
	}
	from := max(o.at-bytesOfPiece-1, 0)
	buf := make([]byte, o.at-from)
	n, err := o.object.ReadAt(buf, from)
	if err != nil && !errors.Is(err, io.EOF) {
		o.failed = err
		return false
	}
	buf = buf[:n]
	ended := bytes.HasSuffix(buf, []byte("\n"))
	rest := bytes.TrimSuffix(buf, []byte("\n"))
	begin := bytes.LastIndexByte(rest, '\n') + 1
	if begin == 0 && from > 0 {
		begin = max(len(rest)-bytesOfPiece, 1) // in the middle of a long line
		for begin < len(rest)-1 && !utf8.RuneStart(rest[begin]) {
			begin++
		}
	}
	o.at = from + int64(begin)
	if ended && o.line > 0 {
		o.line--
	}
	return true
}

func (o *output) draw(u *UI, width, height int) []string {
	var lines []string
	at, number := o.at, o.line
	for len(lines) < height && at < o.object.Size() {
		text, next, ends, err := o.piece(at)
		if err != nil || next == at && !ends {
			o.failed = errors.Join(o.failed, err)
			break
		}
		mark := "  "
		if number > 0 && o.from <= number && number <= o.to || o.found >= at && o.found < next {
			mark = u.paint(">", render.Bad) + " "
		}
		shown := o.shown(u, text)
		if o.wrap {
			for _, line := range strings.Split(ansi.Hardwrap(shown, max(width-gutter, 1), true), "\n") {
				lines = append(lines, mark+line)
			}
		} else {
			lines = append(lines, mark+ansi.Truncate(ansi.TruncateLeft(shown, o.side, ""), max(width-gutter, 1), "…"))
		}
		at = next
		if ends && number > 0 {
			number++
		}
	}
	if o.object.Size() == 0 {
		lines = append(lines, u.paint("  it printed nothing", render.Faint))
	}
	if o.failed != nil {
		u.note, o.failed = o.failed.Error(), nil
	}
	return lines[:min(len(lines), height)]
}

// escape matches an escape sequence for colours.
var escape = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// shown is a line as text, with its colours if wanted, or with its escape sequences made visible.
func (o *output) shown(u *UI, line []byte) string {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if o.escapes {
		line = pictured(line)
	}
	var b strings.Builder
	for len(line) > 0 {
		at := escape.FindIndex(line)
		if at == nil {
			at = []int{len(line), len(line)}
		}
		text := strings.ReplaceAll(string(line[:at[0]]), "\r", "␍")
		b.WriteString(strings.ReplaceAll(render.Shown(text), "\n", "␤"))
		if u.color {
			b.Write(line[at[0]:at[1]])
		}
		line = line[at[1]:]
	}
	text := untabbed(b.String())
	if strings.Contains(text, "\x1b") {
		text += "\x1b[0m"
	}
	return text
}

// pictured replaces each control character by its symbol, such as "␛".
func pictured(line []byte) []byte {
	var b bytes.Buffer
	for _, c := range line {
		if c < ' ' && c != '\t' {
			b.WriteRune('␀' + rune(c))
		} else {
			b.WriteByte(c)
		}
	}
	return b.Bytes()
}

// untabbed replaces tabs by spaces.
func untabbed(text string) string {
	const stop = 8
	before, rest, ok := strings.Cut(text, "\t")
	for ok {
		before += strings.Repeat(" ", stop-ansi.StringWidth(before)%stop)
		var more string
		more, rest, ok = strings.Cut(rest, "\t")
		before += more
	}
	return before
}

func (o *output) key(u *UI, key string, height int) (tea.Cmd, bool) {
	times := func(n int, step func() bool) {
		for range n {
			if !step() {
				return
			}
		}
	}
	switch key {
	case "up", "k":
		o.up()
	case "down", "j", "enter":
		o.down()
	case "pgup", "ctrl+b", "b":
		times(max(height-2, 1), o.up)
	case "pgdown", "ctrl+f", "space":
		times(max(height-2, 1), o.down)
	case "ctrl+u":
		times(height/2, o.up)
	case "ctrl+d":
		times(height/2, o.down)
	case "home", "g":
		o.at, o.line = 0, 1
	case "end", "G":
		o.at, o.line = o.object.Size(), 0
		times(max(height-2, 1), o.up)
		return o.count(u), true
	case "e":
		o.escapes = !o.escapes
	case "W":
		o.wrap = !o.wrap
	case "<":
		o.side = max(o.side-u.width/2, 0)
	case ">":
		o.wrap = false
		o.side += u.width / 2
	case "]", "tab":
		return o.toFinding(u, 1), true
	case "[", "shift+tab":
		return o.toFinding(u, -1), true
	default:
		return nil, false
	}
	return nil, true
}
