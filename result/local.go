package result

import (
	"path"
	"slices"
	"strings"
)

// Local is a path of this result as it opens from the directory in which the command
// ran: relative to that directory instead of to the root. A path that is not relative
// to the root stays as it is.
func (r *ToolResult) Local(p string) string {
	if r.Dir == "" || !fromRoot(p) {
		return p
	}
	from, to := strings.Split(r.Dir, "/"), strings.Split(p, "/")
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return path.Clean(path.Join(strings.Repeat("../", len(from)), path.Join(to...)))
}

// fromRoot says whether a path, in the form of Workspace.Path, is relative to the root.
func fromRoot(p string) bool {
	return p != "" && p != "-" && p[0] != '<' && !IsAbsolute(p) && !hasScheme(p) && p != "~" && !strings.HasPrefix(p, "~/")
}

// cutAnchors begin the paths of which only the part from the anchor is known, but not
// where the library is installed. (node_modules is usually at the root.)
var cutAnchors = []string{"site-packages/", "dist-packages/", "rustc/", "registry/src/", "go/src/", "pkg/mod/"}

func (r *ToolResult) localOf(l *Location) string {
	if l.External && slices.ContainsFunc(cutAnchors, func(anchor string) bool { return strings.HasPrefix(l.Path, anchor) }) {
		return l.Path
	}
	return r.Local(l.Path)
}

// LocalFinding is a copy of a finding with all its places in the form of Local, to show
// to a person in the directory where the command ran.
func (r *ToolResult) LocalFinding(f Finding) Finding {
	if r.Dir == "" {
		return f
	}
	local := func(l *Location) *Location {
		if l == nil {
			return nil
		}
		moved := *l
		moved.Path = r.localOf(l)
		return &moved
	}
	if f.At = local(f.At); f.At != nil {
		f.Location = f.At.String()
	}
	f.Locations, f.Frames, f.Related = slices.Clone(f.Locations), slices.Clone(f.Frames), slices.Clone(f.Related)
	for _, list := range [][]Location{f.Locations, f.Frames} {
		for i := range list {
			list[i].Path = r.localOf(&list[i])
		}
	}
	for i := range f.Related {
		f.Related[i].At = local(f.Related[i].At)
	}
	return f
}
