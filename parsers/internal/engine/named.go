package engine

import (
	"bytes"
	"slices"
	"strings"

	"cairn/parsers/internal/shell"
	"cairn/parsers/internal/term"
	"cairn/parsers/tool"
)

// echoMarks stand before a command that a runner shows: npm and pnpm, yarn and
// just, "set -x", go-task, nox, and the logs of continuous integration; pre-commit
// shows the name of a hook, most often that of its program.
var echoMarks = []string{"$ ", "+ ", "> ", "task: [", "nox > ", "##[group]Run ", "##[command]", "[command]", "- hook id: "}

// name notes that a command runs a parser's tool, and reads the output in those
// of its formats that no line of their own starts. l is the line that shows the
// command, or the beginning of the output.
func (s *Session) name(p *tool.Parser, l *term.RawLine) {
	if slices.Contains(s.named, p) {
		return
	}
	s.named = append(s.named, p)
	for i, f := range s.offered.formats {
		if f.parser == p && len(f.format.Starts) == 0 && !s.found[i] {
			s.found[i] = true
			s.start(f, l)
		}
	}
}

// maxEcho bounds the command lines that are read, in bytes.
const maxEcho = 16 << 10

// seeEcho takes a line that may show a command.
func (s *Session) seeEcho(l *term.RawLine) {
	text := bytes.TrimLeft(l.Text, " \t")
	if s.tasks == nil || l.Binary || len(text) > maxEcho || !hasEchoMark(text) && !s.showsProgram(text) {
		return
	}
	for _, p := range s.table.allNamed(shell.UnwrapShell(cutEchoMark(string(text)), "sh")) {
		s.name(p, l)
	}
}

func hasEchoMark(text []byte) bool {
	return isStep(text) || slices.ContainsFunc(echoMarks, func(mark string) bool { return bytes.HasPrefix(text, []byte(mark)) })
}

// stepMark stands in a line that shows a command behind the name of its
// environment: "lint: commands[0]> flake8 src".
const stepMark = ": commands["

func isStep(text []byte) bool {
	head := text[:min(len(text), 96)]
	i := bytes.IndexByte(head, '[')
	return i >= len(stepMark) && string(head[i+1-len(stepMark):i+1]) == stepMark
}

// cutEchoMark takes the mark off a line that shows a command.
func cutEchoMark(line string) string {
	if _, rest, ok := strings.Cut(line, stepMark); ok {
		if _, command, shown := strings.Cut(rest, "> "); shown {
			return command
		}
	}
	for _, mark := range echoMarks {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			if mark == "task: [" {
				_, rest, _ = strings.Cut(rest, "] ")
			}
			return rest
		}
	}
	return line
}

// showsProgram: the line begins with the name of a program that has a parser,
// or with a path to it, as make shows what it runs.
func (s *Session) showsProgram(text []byte) bool {
	end := bytes.IndexByte(text, ' ')
	if end <= 0 || end > 128 {
		return false
	}
	word := text[:end]
	if i := bytes.LastIndexByte(word, '/'); i >= 0 {
		word = word[i+1:]
	}
	return s.table.programs[string(word)] || startsCommand(string(word))
}

// startsCommand: the word is a program that runs others.
func startsCommand(word string) bool {
	switch word {
	case "python", "python3", "npx", "uv", "poetry", "bundle", "env", "pnpm", "yarn", "node", "sudo", "time", "timeout":
		return true
	}
	return false
}
