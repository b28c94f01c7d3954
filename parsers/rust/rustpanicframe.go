package rust

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/result"
)

// ownFrames are the frames outside the standard library. Their paths, relative to the package, are made relative to the
// directory that the panic's path is relative to. If that is not known they keep their "./": see placeFrames.
func (p *rustPanic) ownFrames() (own []result.Location) {
	prefix := p.packageDir()
	for _, fr := range p.frames {
		if frame.IsRustLibrary(fr.Path) || !strings.HasSuffix(fr.Path, ".rs") || len(own) >= result.MaxFrames {
			continue
		}
		if rest, ok := strings.CutPrefix(fr.Path, "./"); ok {
			fr.Path = prefix + rest
		}
		own = append(own, fr)
	}
	return own
}

// packageDir is the directory of the package that the frames' paths are relative to, "./" if it is not known.
func (p *rustPanic) packageDir() string {
	for _, fr := range p.frames {
		path, relative := strings.CutPrefix(fr.Path, "./")
		if relative && p.at != nil && fr.Line == p.at.Line && (p.at.Path == path || strings.HasSuffix(p.at.Path, "/"+path)) {
			return strings.TrimSuffix(p.at.Path, path)
		}
	}
	return "./"
}

// placeFrames adds the directory of the package to paths that begin with "./", if another failure of the package has
// it.
func placeFrames(all []result.Finding) {
	dirs := map[string]string{}
	for i := range all {
		if f := &all[i]; f.At != nil && !isDocTest(f.Name) && !result.IsAbsolute(f.At.Path) && !strings.HasPrefix(f.At.Path, "./") {
			if dir, ok := cutPackageDir(f.At.Path); ok {
				dirs[crateOf(f)] = dir
			}
		}
	}
	for i := range all {
		dir := dirs[crateOf(&all[i])]
		if at := all[i].At; at != nil {
			at.Path = addPackageDir(dir, at.Path)
			if isDocTest(all[i].Name) && strings.HasPrefix(at.Path, "src/") { // until about 1.70 relative to the package
				at.Path = dir + at.Path
			}
		}
		for j := range all[i].Frames {
			all[i].Frames[j].Path = addPackageDir(dir, all[i].Frames[j].Path)
		}
	}
}

func addPackageDir(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "./"); ok {
		return dir + rest
	}
	return path
}

// cutPackageDir returns the part of a path before "src/lib.rs" or "tests/it.rs".
func cutPackageDir(path string) (dir string, ok bool) {
	for _, sub := range []string{"src/", "tests/", "benches/", "examples/"} {
		if strings.HasPrefix(path, sub) {
			return "", true
		}
		if i := strings.Index(path, "/"+sub); i >= 0 {
			return path[:i+1], true
		}
	}
	return "", false
}

// crateOf is the crate or package in the name of the finding's target.
func crateOf(f *result.Finding) string {
	if len(f.Suite) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(f.Suite[0], "::")
	return strings.ReplaceAll(name, "-", "_")
}
