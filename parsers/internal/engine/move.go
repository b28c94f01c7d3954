package engine

import (
	"cmp"
	"path"
	"strings"

	"cairn/parsers/text/shell"
	"cairn/result"
)

// moveAll makes the paths of all parts relative to the directory of the command.
func (s *Session) moveAll(parts []*claim) {
	for _, m := range parts {
		s.dirs.Ended(m.parser.Matches, m.stream, m.report.Ends)
		for i := range m.report.Findings {
			f, at := &m.report.Findings[i], m.at
			if f.RawSpan != nil {
				at = f.RawSpan.Start
			}
			dir := cmp.Or(s.dirs.Of(m.parser.Matches, m.stream, at), s.dirs.OfSource(f.At))
			if dir == "" && len(s.command.Listed) > 0 {
				dir = s.command.DirOf(m.parser.Matches)
			}
			moveFinding(f, s.seenFrom(dir))
		}
	}
}

// move prefixes all relative paths of a part with dir.
func (m *claim) move(dir string) {
	for i := range m.report.Findings {
		moveFinding(&m.report.Findings[i], dir)
	}
}

// dirFor is the directory in which m's tool ran, judged by where its first line of output was found; "" if it is
// unknown.
func (s *Session) dirFor(m *claim) string {
	dir := s.dirs.Of(m.parser.Matches, m.stream, m.at)
	if dir == "" {
		dir = s.command.DirOf(m.parser.Matches)
		if len(s.command.Listed) == 0 {
			return s.in.Workspace.Dir // the command's directory is included already
		}
	}
	return shell.JoinDir(s.in.Workspace.Dir, dir)
}

// seenFrom returns a directory relative to the command's own; "" if it is the same.
func (s *Session) seenFrom(dir string) string {
	start := strings.ReplaceAll(s.in.Workspace.Dir, `\`, "/")
	start = cmp.Or(start, strings.ReplaceAll(s.in.Workspace.Root, `\`, "/"))
	dir = strings.ReplaceAll(dir, `\`, "/")
	switch rest, below := strings.CutPrefix(dir, start+"/"); {
	case dir == start, dir == ".":
		return ""
	case below && start != "":
		return rest
	}
	return dir
}

// moveFinding prefixes the relative paths of a finding, and a test id that begins with one, with a directory.
func moveFinding(f *result.Finding, dir string) {
	if dir == "" {
		return
	}
	move := func(p *string) {
		if *p != "" && !result.IsAbsolute(*p) && strings.IndexByte("<~-", (*p)[0]) < 0 && !strings.Contains(*p, "://") && !strings.HasPrefix(*p, "node:") {
			*p = path.Join(dir, strings.ReplaceAll(*p, `\`, "/"))
		}
	}
	for at := range f.Places() {
		move(&at.Path)
	}
	for i := range f.Fixes {
		for k := range f.Fixes[i].Edits {
			move(&f.Fixes[i].Edits[k].Path)
		}
	}
	if file, rest, ok := strings.Cut(f.ID, "::"); ok && path.Ext(file) == ".py" {
		if len(f.Suite) > 0 && f.Suite[0] == file {
			move(&f.Suite[0])
		}
		move(&file)
		f.ID = file + "::" + rest
	}
}
