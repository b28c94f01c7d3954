package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// words are the names of pieces for people.
var words = map[string]string{
	"shell": "shell", "mcp": "MCP server", "package": "package", packageFile: "package", "skill": "skill", "instructions": "paragraph", "exclude": "not to be committed: .claude/settings.local.json",
}

// packageFile is the kind of a piece that is a file of the package for pi.
const packageFile = "package file"

func whatIs(pieces []piece) (what []string) {
	for _, p := range pieces {
		if word := words[p.what]; !slices.Contains(what, word) {
			what = append(what, word)
		}
	}
	return what
}

// Summary describes the changes, one line per file. The files of a package are one line.
func (p *Plan) Summary() (lines []string) {
	packages := map[string]int{} // by folder: its line
	files := map[string]int{}
	for _, c := range p.Changes {
		if c.Same() {
			continue
		}
		verb := "changed"
		switch {
		case c.Before == nil:
			verb = "new"
		case c.After == nil:
			verb = "removed"
		}
		if folder := p.s.packageOf(c.Path); folder != "" {
			files[folder]++
			at, known := packages[folder]
			if !known {
				at = len(lines)
				packages[folder], lines = at, append(lines, "")
			}
			lines[at] = fmt.Sprintf("%-8s %s/ (package, %d files)", verb, p.s.Short(folder), files[folder])
			continue
		}
		lines = append(lines, fmt.Sprintf("%-8s %s (%s)", verb, p.s.Short(c.Path), strings.Join(c.What, ", ")))
	}
	return lines
}

// packageOf is the folder of pi's package that contains the file, or "".
func (s Surroundings) packageOf(path string) string {
	for _, folder := range []string{filepath.Join(s.DataDir(), "pi"), filepath.Join(s.Dir, ".pi", "cairn")} {
		if within(folder, path) {
			return folder
		}
	}
	return ""
}

// Short is a path relative to the project, or with ~ for the home.
func (s Surroundings) Short(path string) string {
	if rel, err := filepath.Rel(s.Dir, path); s.Project && err == nil && filepath.IsLocal(rel) {
		return rel
	}
	if rel, err := filepath.Rel(s.Home, path); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return path
}

// Diffs are the exact changes as unified diffs. A new file with the same content as one shown before is only named.
func (p *Plan) Diffs() string {
	var b strings.Builder
	shown := map[string]string{}
	for _, c := range p.Changes {
		if c.Same() {
			continue
		}
		if at := shown[string(c.After)]; c.Before == nil && at != "" {
			fmt.Fprintf(&b, "new %s: the same as %s\n", c.Path, at)
			continue
		}
		if c.Before == nil {
			shown[string(c.After)] = c.Path
		}
		b.WriteString(c.Diff())
	}
	return b.String()
}

// Left are the notes about what was not changed.
func (p *Plan) Left() (notes []string) {
	for _, c := range p.Changes {
		notes = append(notes, c.Notes...)
	}
	return notes
}

// starts is how a host must be started for the way to be used; "" if its settings or this environment already ensure
// it.
func (s Surroundings) starts(h host, p piece) string {
	if !p.exec || p.path != s.bashFirst() {
		return ""
	}
	if dirs := filepath.SplitList(s.Getenv("PATH")); len(dirs) > 0 && filepath.Clean(dirs[0]) == filepath.Dir(s.bashFirst()) {
		return ""
	}
	return s.bashStart(h.program)
}
