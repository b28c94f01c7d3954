package engine

import (
	"bytes"
	"iter"

	"cairn/parsers/text/term"
)

// Limits of what is read apart. Each task is read by itself, so that their
// number times the size of the output is the work.
const (
	maxTasks   = 128
	maxLevels  = 4       // prefixes before one another: gh's job, its step, a time, a service of compose
	firstLines = 2048    // lines that are looked at for a prefix whatever they say
	patience   = 1 << 12 // lines that are looked at in vain
)

// tasks are the parts of an output whose lines a runner has marked by a prefix.
// What no known tool is behind stays with the rest.
type tasks struct {
	byKey map[string]*task
	list  []*task // in the order in which they were suspected
	tried int     // lines that were looked at in vain
	wide  bool    // behind a time of day stands one blank more
	built int     // steps of a docker build
	again task    // what such a build shows again of a step that failed
}

// task is what one task printed: a stream of its own, as it would have been
// without its prefix.
type task struct {
	key     string
	end     string // the key as an empty line has it
	dir     string // that its paths count from, where the output tells
	shell   string // the command, where the output tells
	session *Session
}

func newTasks() *tasks { return &tasks{byKey: map[string]*task{}} }

// suspect says that a known tool seems to write behind a prefix.
func (ts *tasks) suspect(key string) {
	if len(ts.list) < maxTasks {
		ts.list = append(ts.list, &task{key: key, end: string(bytes.TrimRight([]byte(key), " "))})
		ts.byKey[key] = ts.list[len(ts.list)-1]
		ts.built += isBuildStep(key)
	}
}

func isBuildStep(key string) int {
	if key[0] == '#' {
		return 1
	}
	return 0
}

// of says whose line it is, nil for the rest, and how long its prefix is.
func (ts *tasks) of(raw []byte) (t *task, n int) {
	shown := raw
	if term.Odd(raw) {
		shown = term.Resolve(raw)
	}
	key, n := cutTask(shown)
	switch {
	case n > 0:
		if t = ts.byKey[string(key)]; ts.wide && t != nil && t.key == timeKey && n < len(shown) && shown[n] == ' ' {
			n++
		}
	case ts.built > 0 && shownAgain(shown):
		return &ts.again, 0
	}
	if t == nil && n > 0 {
		if key, n = cutBarred(shown); n > 0 {
			t = ts.byKey[string(key)]
		}
	}
	if t == nil { // an empty line may have lost the blank at its prefix's end
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

// shownAgain: "1.234 text", which stands below the head of a step in the end.
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

// drop gives a task's lines back to the rest.
func (ts *tasks) drop(t *task) {
	if ts.byKey[t.key] == t {
		ts.built -= isBuildStep(t.key)
	}
	delete(ts.byKey, t.key)
}

// kept are the tasks that were not dropped.
func (ts *tasks) kept() (kept []*task) {
	for _, t := range ts.list {
		if ts.byKey[t.key] == t {
			kept = append(kept, t)
		}
	}
	return kept
}

// taskSource replays one task of an output, without its prefixes. Offsets
// count from its own first byte: see follow.
type taskSource struct {
	of   term.Source
	all  *tasks
	want *task
}

// taskChunk is how much of a task is collected before it is passed on, in
// bytes: enough to be read in bulk.
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
			t, n := s.all.of(l.Text)
			if t != s.want {
				return true
			}
			if l.Stream != c.Stream || len(c.Data) >= taskChunk {
				going = pass()
				c.Stream = l.Stream
			}
			c.Data = append(c.Data, l.Text[n:]...)
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

// follower finds the lines of an output in its tasks.
type follower struct {
	all *tasks
	at  map[*task]int64 // where the next line of each begins
}

func (ts *tasks) follow() *follower { return &follower{all: ts, at: map[*task]int64{}} }

// next is the line as its task has it; prefix bytes of it are not there.
func (f *follower) next(l term.RawLine) (t *task, in term.RawLine, prefix int) {
	t, prefix = f.all.of(l.Text)
	in = l
	in.Text = l.Text[prefix:]
	in.Start = f.at[t]
	in.End = in.Start + int64(len(in.Text))
	if l.Ended {
		in.End++
	}
	f.at[t] = in.End
	return t, in, prefix
}
