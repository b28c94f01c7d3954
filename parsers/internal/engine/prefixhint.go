package engine

import (
	"bytes"
	"strings"

	"cairn/result"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
)

// readHints reads what the output says about its tasks: their directory and their command. A time of day is a
// prefix only if nearly every line has one, so that a line which another program slipped in does not hide the
// others.
//
//	packages/web lint$ eslint .                                    pnpm
//	@mono/web#test: command (/src/packages/web) npm run … exited   turbo
//	[0] npm error location /src/packages/web                       npm, in the task
//	[0] cd web && eslint . exited with code 1                      concurrently
func (s *Session) readHints(ts *tasks) {
	bare, timed := 0, 0
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		t, n := ts.of(l.Text)
		text := l.Text[n:min(len(l.Text), n+4*maxPrefix)]
		if term.Odd(text) {
			text = term.Resolve(text)
		}
		switch {
		case t == nil:
			bare += min(1, len(bytes.TrimSpace(text)))
			ts.hint(string(text))
		case t.key == timeKey:
			timed++
		case bytes.Contains(text, []byte(" location ")), bytes.Contains(text, []byte(" exited with code ")):
			t.hint(string(text))
		}
		return true
	})
	if t := ts.byKey[timeKey]; t != nil && (bare*4 > timed || len(ts.list) > 1) {
		ts.drop(t)
	}
	for _, t := range ts.list {
		if dir, _, ok := strings.Cut(t.key, " "); ok && t.dir == "" && strings.HasSuffix(t.key, ": ") && strings.Contains(dir, "/") && dir[0] != '@' && dir[0] != '[' {
			t.dir = dir // pnpm, without the line that shows the command
		}
	}
}

// hint reads a line of a task.
func (t *task) hint(line string) {
	if dir := shell.FailedIn(line); dir != "" && t.dir == "" {
		t.dir = dir
	}
	if command, code, ok := strings.Cut(line, " exited with code "); ok && lex.IsDigits(strings.TrimSpace(code)) {
		t.shell = command
	}
}

// hint reads a line outside the tasks.
func (ts *tasks) hint(line string) {
	if head, command, ok := strings.Cut(line, "$ "); ok {
		dir, name, two := strings.Cut(head, " ")
		if t := ts.byKey[head+": "]; t != nil && two && !strings.Contains(name, " ") {
			t.dir, t.shell = dir, strings.TrimSpace(command)
		}
		return
	}
	if _, rest, ok := strings.Cut(line, " command ("); ok && strings.Contains(rest, " exited (") {
		name, _, _ := strings.Cut(line, ": ")
		dir, _, _ := strings.Cut(rest, ")")
		if t := ts.byKey[strings.Replace(strings.TrimSpace(name), "#", ":", 1)+": "]; t != nil && result.IsAbsolute(dir) {
			t.dir = dir
		}
	}
}
