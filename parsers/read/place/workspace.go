package place

import (
	"slices"
	"strings"

	"cairn/result"
)

// Files decides which paths of an output lie in the workspace.
type Files struct {
	Workspace result.Workspace
	known     map[string]bool // external, by path
}

func NewFiles(ws result.Workspace) *Files { return &Files{Workspace: ws, known: map[string]bool{}} }

// Fallback sets the root of the workspace if the caller did not know it.
func (p *Files) Fallback(root string) {
	if p.Workspace.Root == "" && p.Workspace.Dir == "" {
		p.Workspace.Root, p.Workspace.Dir = root, root
		clear(p.known)
	}
}

// maxKnownPaths bounds the cache; the stack traces of a run normally name few files.
const maxKnownPaths = 10_000

// External reports whether a path lies outside the workspace, or is no file.
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

// libraries are parts of paths to which package managers install.
var libraries = [...]string{"/gems/", "/vendor/", "/perl5/", "/share/perl", "/.m2/", "/lib/python", "/lib/ruby/", "/erlang/", "/elixir/"}

// Elsewhere reports whether an absolute path outside the workspace may still be the project's: the tool ran in a
// container, or its output is read in another directory. Installed files are not.
func Elsewhere(ws result.Workspace, path string) bool {
	name, external := ws.Path(path)
	return external && result.IsAbsolute(path) && !result.Installed(name) && !slices.ContainsFunc(libraries[:], func(part string) bool { return strings.Contains(path, part) })
}

// Elsewhere is the function Elsewhere for the workspace of p.
func (p *Files) Elsewhere(path string) bool { return Elsewhere(p.Workspace, path) }

// FromHere returns a path of the workspace as written from the directory in which the tool ran; "" if the path is
// outside, or that is not possible.
func (p *Files) FromHere(path string) string {
	if p.External(path) {
		return ""
	}
	if !result.IsAbsolute(path) {
		return path
	}
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(p.Workspace.Dir, "/")+"/"); ok {
		return rest
	}
	name, _ := p.Workspace.Path(path) // which knows other names of the root
	if rest, ok := strings.CutPrefix(name, strings.TrimPrefix(p.Workspace.Rel()+"/", "/")); ok && !result.IsAbsolute(name) {
		return rest
	}
	return ""
}
