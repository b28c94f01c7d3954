package place

import (
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
