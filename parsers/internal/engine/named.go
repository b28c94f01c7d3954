package engine

import (
	"bytes"
	"slices"

	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// name notes that a command runs a parser's tool, and starts those of its formats that need no line of their own. l
// is the line that shows the command, or the beginning of the output.
func (s *Session) name(p *tool.Parser, l *term.RawLine) {
	if slices.Contains(s.named, p) {
		return
	}
	s.named = append(s.named, p)
	if !s.offered.has(p) {
		return
	}
	for i := range p.Formats {
		if f := &p.Formats[i]; f.Named || len(f.Starts) == 0 {
			s.start(format{p, f}, l, false)
		}
	}
}

// maxSections bounds how many sections are kept.
const maxSections = 1024

// maxEcho bounds the command lines that are read, in bytes.
const maxEcho = 16 << 10

// seeEcho looks at a line that may show a command.
func (s *Session) seeEcho(l *term.RawLine) {
	text := bytes.TrimLeft(l.Text, " \t")
	if s.tasks == nil || l.Binary || len(text) > maxEcho {
		return
	}
	if ended := shell.CutEnded(text); ended != "" {
		for _, p := range s.table.allNamed(s.table.tools.UnwrapShell(ended, "sh")) {
			s.name(p, l)
		}
		return
	}
	shown := shell.ShowsCommand(text)
	if !shown && !s.showsProgram(text) {
		return
	}
	tools := s.table.allNamed(s.table.tools.UnwrapShell(shell.CutEcho(string(text)), "sh"))
	for _, p := range tools {
		s.name(p, l)
	}
	if len(s.sections) < maxSections && (shown || len(tools) > 0 && s.hint != nil && s.hint.Runner) {
		s.sections = append(s.sections, section{l.Start, tools})
	}
}

// showsProgram reports whether a line begins with the name of a program that has a parser, or with a path to it, as
// in the commands that make shows.
func (s *Session) showsProgram(text []byte) bool {
	end := bytes.IndexByte(text, ' ')
	if end <= 0 || end > 128 {
		return false
	}
	word := text[:end]
	if i := bytes.LastIndexByte(word, '/'); i >= 0 {
		word = word[i+1:]
	}
	return s.table.all().programs[string(word)] || shell.StartsCommand(string(word))
}

// runsOthers reports whether the command line names no tool but such as run others: a script, make, pre-commit.
func (s *Session) runsOthers() bool {
	return !slices.ContainsFunc(s.table.allNamed(s.command), func(p *tool.Parser) bool { return !p.Runner })
}
