package shell

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"cairn/capture/stage"
	"cairn/internal/bash"
)

// maxHeld bounds the output held in memory, in bytes; further output of a known tool goes to a temporary file.
const maxHeld = 1 << 20

// holder holds output back until it is decided how to show it. No output is lost: what cannot be held is passed on at
// once.
type holder struct {
	mu       sync.Mutex
	out, err io.Writer
	spills   bool // put large output into a file instead of passing it on
	live     bool // output is passed on as it comes
	tty      bool // the host has a terminal: output was written to a terminal of our own
	over     bool // the command has ended, and the host's terminal has its modes back
	dropped  bool

	runs  []run
	mem   bytes.Buffer
	spill *os.File // holds the output that precedes mem; usually nil
	// spilled is how many bytes of the file are valid.
	spilled int64

	size, lines int64
	open        bool   // the last line has no newline yet
	last        []byte // the line begun last, cut
	end         []byte // the last bytes of output
	at          time.Time
}

// run is a stretch of one stream.
type run struct {
	stderr bool
	size   int64
}

// stream is one of the two streams as a capture writes it.
type stream struct {
	h      *holder
	stderr bool
}

func (s stream) Write(p []byte) (int, error) {
	h := s.h
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(p)
	if h.live {
		return h.to(s.stderr).Write(p)
	}
	if n := len(h.runs); n > 0 && h.runs[n-1].stderr == s.stderr {
		h.runs[n-1].size += int64(len(p))
	} else {
		h.runs = append(h.runs, run{s.stderr, int64(len(p))})
	}
	h.mem.Write(p)
	if h.mem.Len() > maxHeld && !h.toFile() {
		h.release()
	}
	return len(p), nil
}

const (
	maxLastLine = 200
	maxEnd      = 64
)

func (h *holder) count(p []byte) {
	h.size += int64(len(p))
	h.at = time.Now()
	h.end = append(h.end, p[max(0, len(p)-maxEnd):]...)
	h.end = append(h.end[:0], h.end[max(0, len(h.end)-maxEnd):]...)
	h.lines += int64(bytes.Count(p, []byte{'\n'}))
	if len(p) > 0 {
		h.open = p[len(p)-1] != '\n'
	}
	text := bytes.TrimRight(p, "\r\n")
	if i := bytes.LastIndexAny(text, "\r\n"); i >= 0 {
		text = text[i+1:]
	}
	if len(bytes.TrimSpace(text)) > 0 {
		h.last = append(h.last[:0], text[:min(len(text), maxLastLine)]...)
	}
}

func (h *holder) to(stderr bool) io.Writer {
	switch {
	case stderr:
		return h.err
	case h.tty && h.over:
		return lineEnds{h.out}
	}
	return h.out
}

// lineEnds converts line ends written by one terminal for another terminal, which would convert them once more.
type lineEnds struct{ to io.Writer }

func (l lineEnds) Write(p []byte) (int, error) {
	if _, err := l.to.Write(bytes.ReplaceAll(p, []byte("\r\n"), []byte("\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// ended notes that the command has ended.
func (h *holder) ended() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
}

// newline ends a line of our own while the command runs: a terminal is in raw mode then.
func (h *holder) newline() string {
	if h.tty {
		return "\r\n"
	}
	return "\n"
}

// quiet is how long no output must follow a question.
const quiet = 300 * time.Millisecond

// question matches the end of a line that waits for an answer. Lines that wait only for the next result end otherwise:
// in dots, in the name of a test.
var question = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)([?:]|[\[(](y/n|yes/no|y|n)(/[^\])]*)?[\])])( |\x1b\[[0-9;?]*[a-z])*$`)
})

// asks says whether the command seems to have asked something and to wait.
func (h *holder) asks() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tty && !h.live && h.open && time.Since(h.at) >= quiet && question().Match(h.end)
}

// toFile moves what is held in memory to a file without a name.
func (h *holder) toFile() bool {
	if !h.spills {
		return false
	}
	if h.spill == nil {
		f, err := os.CreateTemp("", "cairn-shell-")
		if err != nil {
			return false
		}
		if os.Remove(f.Name()) != nil { // Windows: the file is removed when it is closed
			defer os.Remove(f.Name())
		}
		h.spill = f
	}
	if _, err := h.spill.WriteAt(h.mem.Bytes(), h.spilled); err != nil {
		return false // mem still has all of it
	}
	h.spilled += int64(h.mem.Len())
	h.mem.Reset()
	return true
}

// release prints the held output, and from now on passes output on.
func (h *holder) release() error {
	if h.live || h.dropped {
		return nil
	}
	h.live = true
	var from io.Reader = &h.mem
	if h.spill != nil {
		from = io.MultiReader(io.NewSectionReader(h.spill, 0, h.spilled), &h.mem)
		defer h.spill.Close()
	}
	for _, r := range h.runs {
		if _, err := io.CopyN(h.to(r.stderr), from, r.size); err != nil {
			return err
		}
	}
	h.runs = nil
	return nil
}

// Release is release for callers that do not hold the lock.
func (h *holder) Release() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.release()
}

// Drop discards the held output, and says whether nothing has been shown so far.
func (h *holder) Drop() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live {
		return false
	}
	h.dropped = true
	if h.spill != nil {
		h.spill.Close()
	}
	return true
}

// state returns how much output there is so far.
func (h *holder) state() (size, lines int64, last string, live bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.size, h.lines, string(h.last), h.live
}

// lineEnd is what must be printed before a line of our own.
func (h *holder) lineEnd() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open && h.live {
		return "\n"
	}
	return ""
}

// Frame is the script that a host wraps around the user's line.
type Frame struct {
	Host string // the host; "" if the script is the line itself
	Line string // the user's line
	Zsh  bool   // the host meant it for zsh

	before, after string // the script around the line
	quoted        bool   // the script has the line as one quoted word
}

// With returns the script with another line in place of the user's.
func (f Frame) With(line string) string {
	if f.quoted {
		line = quote(line)
	}
	return f.before + line + f.after
}

// Marks of the hosts' scripts. A script without them is no host's, and is not parsed.
const (
	claudeSnapshot = "/shell-snapshots/"
	claudeDir      = "pwd -P >| "
	geminiSetup    = "shopt -u promptvars"
	geminiCode     = "__code=$?"
)

// Unframe extracts the user's line from a script. ok is false if the script has the marks of a frame but not its
// structure: then the line is not known.
func Unframe(script string) (f Frame, ok bool) {
	switch {
	case strings.Contains(script, claudeSnapshot) && strings.Contains(script, claudeDir):
		f = Frame{Host: "claude", Zsh: strings.Contains(script, claudeSnapshot+"snapshot-zsh"), quoted: true}
		ok = f.evaluated(script)
	case strings.HasPrefix(strings.TrimSpace(script), geminiSetup) && strings.Contains(script, geminiCode):
		f = Frame{Host: "gemini"}
		ok = f.grouped(script)
	default:
		return Frame{Line: script}, true
	}
	return f, ok && strings.TrimSpace(f.Line) != ""
}

// IsFrame says whether a script is a known host's.
func IsFrame(script string) bool {
	f, ok := Unframe(script)
	return ok && f.Host != ""
}

// evaluated finds the text that a script passes to eval, if the script has one eval and the text contains no expansion.
func (f *Frame) evaluated(script string) (ok bool) {
	if strings.Contains(script, "\r\n") {
		return false // the parser reads "\r\n" as "\n", the shell does not
	}
	file, err := bash.Parse(script)
	if err != nil {
		return false
	}
	count := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		call, is := n.(*syntax.CallExpr)
		if !is || len(call.Args) < 2 || call.Args[0].Lit() != "eval" {
			return true
		}
		count++
		var words []*syntax.Word
		if f.Line, words, ok = joined(call.Args[1:]); ok {
			f.before, f.after = script[:words[0].Pos().Offset()], script[words[len(words)-1].End().Offset():]
		}
		return false
	})
	return ok && count == 1
}

// joined returns the words as eval joins them, and the words used. Older scripts pass eval "< /dev/null" as words,
// which are left out.
func joined(words []*syntax.Word) (string, []*syntax.Word, bool) {
	texts := make([]string, len(words))
	for i, w := range words {
		text, ok := stage.Static(w.Parts)
		if !ok {
			return "", nil, false
		}
		texts[i] = text
	}
	if n := len(texts); n > 2 && texts[n-2] == "<" && texts[n-1] == "/dev/null" {
		texts = texts[:n-2]
	}
	return strings.Join(texts, " "), words[:len(texts)], true
}

// grouped finds the text in the group ( … ) or { … } whose status the script reads, without the traps that the host
// sets.
func (f *Frame) grouped(script string) bool {
	file, err := bash.Parse(script)
	if err != nil {
		return false
	}
	for i, stmt := range file.Stmts {
		if i+1 == len(file.Stmts) || !strings.HasPrefix(script[file.Stmts[i+1].Pos().Offset():], geminiCode) {
			continue
		}
		switch g := stmt.Cmd.(type) {
		case *syntax.Subshell:
			f.within(script, g.Stmts, g.Lparen, g.Rparen)
			return true
		case *syntax.Block:
			f.within(script, g.Stmts, g.Lbrace, g.Rbrace)
			return true
		}
	}
	return false
}

func (f *Frame) within(script string, stmts []*syntax.Stmt, opens, closes syntax.Pos) {
	from := int(opens.Offset()) + 1
	if len(stmts) > 1 && strings.HasPrefix(script[stmts[0].Pos().Offset():], "trap ") {
		from = int(stmts[0].End().Offset())
	}
	text := script[from:closes.Offset()]
	line := strings.TrimSpace(text)
	if script[opens.Offset()] == '{' {
		line = strings.TrimSpace(strings.TrimSuffix(line, ";"))
	}
	from += strings.Index(text, line)
	f.Line, f.before, f.after = line, script[:from], script[from+len(line):]
}
