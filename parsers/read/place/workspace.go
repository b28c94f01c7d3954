package place

import (
	"slices"
	"strings"

	"cairn/result"
)

// Files knows which of the paths in an output lie in the workspace.
type Files struct {
	Workspace result.Workspace
	known     map[string]bool // external, by path
}

func NewFiles(ws result.Workspace) *Files { return &Files{Workspace: ws, known: map[string]bool{}} }

// Fallback sets the root of the workspace where the caller knew none.
func (p *Files) Fallback(root string) {
	if p.Workspace.Root == "" && p.Workspace.Dir == "" {
		p.Workspace.Root, p.Workspace.Dir = root, root
		clear(p.known)
	}
}

// maxKnownPaths bounds the cache: a run has as many files as its stack traces
// name, which is few.
const maxKnownPaths = 10_000

// External says that a path lies outside the workspace, or is no file.
func (p *Files) External(path string) bool {
	if strings.HasPrefix(path, "<") {
		return true
	}
	ext, ok := p.known[path]
	if !ok {
		_, ext = p.Workspace.Path(path)
		if len(p.known) < maxKnownPaths {
			p.known[path] = ext
		}
	}
	return ext
}

// libraries are parts of the paths of what was installed, where a package manager puts it.
var libraries = [...]string{"/gems/", "/vendor/", "/perl5/", "/share/perl", "/.m2/", "/lib/python", "/lib/ruby/", "/erlang/", "/elixir/"}

// Elsewhere says of an absolute path outside the workspace that it may be the project's own all the same: the tool ran in a container, or
// what it printed is read in another directory. What was installed there is not.
func Elsewhere(ws result.Workspace, path string) bool {
	name, external := ws.Path(path)
	return external && result.IsAbsolute(path) && !result.Installed(name) && !slices.ContainsFunc(libraries[:], func(part string) bool { return strings.Contains(path, part) })
}

// Elsewhere is Elsewhere of a workspace.
func (p *Files) Elsewhere(path string) bool { return Elsewhere(p.Workspace, path) }

// FromHere is a path of the workspace as it is written in the directory that
// the tool ran in; "" if it is outside, or another way leads there.
func (p *Files) FromHere(path string) string {
	if p.External(path) {
		return ""
	}
	if !result.IsAbsolute(path) {
		return path
	}
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(p.Workspace.Dir, "/")+"/")
	if !ok {
		return ""
	}
	return rest
}
