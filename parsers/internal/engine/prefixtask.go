package engine

import (
	"bytes"
	"iter"
	"slices"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
)

// Limits for splitting an output into tasks. Each task is read by itself, so the work is their number times the
// size of the output.
const (
	maxTasks   = 128
	maxLevels  = 4       // nested prefixes: gh's job, its step, a time, a service of compose
	firstLines = 2048    // lines that are searched for a prefix even without an alarm word
	patience   = 1 << 12 // lines that are searched in vain before giving up
)

// tasks are the parts of an output whose lines a runner has marked with a prefix. Lines behind a prefix without a
// known tool stay with the rest.
type tasks struct {
	byKey map[string]*task
	list  []*task // in the order in which they were found
	tried int     // lines that were searched in vain
	built int     // how many tasks are steps of a docker build
	again task    // lines of a failed step that a docker build shows again

	margin margin // of the only task, if its lines have no other prefix
}

// task is what one task printed: a stream of its own, as it would be without its prefix.
type task struct {
	key     string
	end     string // the key without blanks at its end, as an empty line has it
	dir     string // the directory of its relative paths, if the output names it
	shell   string // the command, if the output shows it
	session *Session
}

func newTasks() *tasks { return &tasks{byKey: map[string]*task{}} }

// suspect adds a task: a known tool seems to write behind this prefix.
func (ts *tasks) suspect(key []byte) {
	if len(ts.list) < maxTasks && ts.byKey[string(key)] == nil {
		ts.list = append(ts.list, &task{key: string(key), end: string(bytes.TrimRight(key, " "))})
		ts.byKey[string(key)] = ts.list[len(ts.list)-1]
		ts.built += lex.Btoi(key[0] == '#')
	}
}

// of returns the task of a line, nil for the rest, and the length of its prefix.
func (ts *tasks) of(raw []byte) (t *task, n int) {
	if t = ts.byKey[timeKey]; t != nil && timeLen(raw) > 0 { // a carriage return behind it does not reach it
		return t, timeLen(raw)
	}
	shown := raw
	if term.Odd(raw) {
		shown = term.Resolve(raw)
	}
	if ts.margin != "" {
		if n, ok := ts.margin.of(shown); ok {
			return ts.list[0], max(0, rawPrefix(raw, shown, n))
		}
		return nil, 0
	}
	key, n := cutTask(shown)
	switch {
	case n > 0:
		t = ts.byKey[string(key)]
	case ts.built > 0 && shownAgain(shown):
		return &ts.again, 0
	}
	if t == nil && n > 0 {
		if key, n = cutBarred(shown); n > 0 {
			t = ts.byKey[string(key)]
		}
	}
	if t == nil { // an empty line may lack the blank at its prefix's end
		if n = len(shown); n == 0 || n > maxPrefix {
			return nil, 0
		}
		if t = ts.byEnd(shown); t == nil {
			return nil, 0
		}
	}
	if len(shown) == len(raw) && bytes.HasPrefix(raw, shown[:n]) {
		return t, n
	}
	if n = rawPrefix(raw, shown, n); n < 0 {
		return nil, 0
	}
	return t, n
}

// cut returns the task of a line, the line as the task has it, and the length of its prefix.
func (ts *tasks) cut(raw []byte) (t *task, text []byte, n int) {
	if !slices.Contains(wraps, ts.margin) {
		t, n = ts.of(raw)
		return t, raw[n:], n
	}
	if text, ok := ts.margin.unwrap(raw); ok {
		return ts.list[0], text, 0
	}
	return nil, raw, 0
}

// shownAgain reports whether a line is "1.234 text", as a docker build repeats it at its end below the name of a
// failed step.
func shownAgain(line []byte) bool {
	n := countDigits(line)
	return n > 0 && n+4 <= len(line) && matches(line[n:], ".ddd") && (n+4 == len(line) || line[n+4] == ' ')
}

func (ts *tasks) byEnd(line []byte) *task {
	for _, t := range ts.list {
		if t.end == string(line) && ts.byKey[t.key] == t {
			return t
		}
	}
	return nil
}

// drop moves a task's lines back to the rest.
func (ts *tasks) drop(t *task) {
	if ts.byKey[t.key] == t {
		ts.built -= lex.Btoi(t.key[0] == '#')
	}
	delete(ts.byKey, t.key)
}

// kept returns the tasks that were not dropped.
func (ts *tasks) kept() (kept []*task) {
	for _, t := range ts.list {
		if ts.byKey[t.key] == t {
			kept = append(kept, t)
		}
	}
	return kept
}

// taskSource replays one task of an output without its prefixes. Offsets count from the task's own first byte: see
// follow.
type taskSource struct {
	of   term.Source
	all  *tasks
	want *task
}

// taskChunk is how many bytes of a task are collected into one chunk.
const taskChunk = 32 << 10

func (s taskSource) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		var c term.Chunk
		pass := func() bool {
			full := c
			c.Offset, c.Data = c.Offset+int64(len(c.Data)), c.Data[:0]
			return len(full.Data) == 0 || yield(full)
		}
		going := true
		term.RawLines(s.of, term.Both, func(l term.RawLine) bool {
			t, text, _ := s.all.cut(l.Text)
			if t != s.want {
				return true
			}
			if l.Stream != c.Stream || len(c.Data) >= taskChunk {
				going = pass()
				c.Stream = l.Stream
			}
			c.Data = append(c.Data, text...)
			if l.Ended {
				c.Data = append(c.Data, '\n')
			}
			return going
		})
		if going {
			pass()
		}
	}
}

// follower assigns the lines of an output to its tasks.
type follower struct {
	all *tasks
	at  map[*task]int64 // offset at which the next line of each task begins
}

func (ts *tasks) follow() *follower { return &follower{all: ts, at: map[*task]int64{}} }

// next returns the task of the next line of the output, the line as the task has it, and the length of its prefix.
func (f *follower) next(l term.RawLine) (t *task, in term.RawLine, prefix int) {
	in = l
	t, in.Text, prefix = f.all.cut(l.Text)
	in.Start = f.at[t]
	in.End = in.Start + int64(len(in.Text))
	if l.Ended {
		in.End++
	}
	f.at[t] = in.End
	return t, in, prefix
}
