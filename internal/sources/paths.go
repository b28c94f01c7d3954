package sources

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cairn/result"
)

// mostEntries bounds the directory entries that are read to find a file.
const mostEntries = 100_000

// packaged are the extensions of languages whose tools name a file by its package
// ("com/acme/CartTest.java") and not by its path.
var packaged = []string{".java", ".kt", ".scala", ".groovy", ".clj", ".cljc"}

// SeePaths replaces the places of a sealed result that name a file by its package by the file's path in
// the workspace, if exactly one file fits: below the command's directory, else in the workspace.
// Identities stay: they are made of the tool's own words, which are the same on every machine.
func SeePaths(r *result.ToolResult, w result.Workspace) {
	if w.Root == "" {
		return
	}
	s := sources{root: w.Root, dir: w.Root, found: map[string]string{}}
	if rel, err := filepath.Rel(w.Root, w.Dir); err == nil && w.Dir != "" && filepath.IsLocal(rel) {
		s.dir = w.Dir
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		for at := range f.Places() {
			s.open(at, f.ID)
		}
		if f.At != nil {
			f.Location = f.At.String()
		}
	}
}

// sources looks up names below a directory and below the root; each is read once, and only when needed.
type sources struct {
	root, dir         string
	inDir, inRoot     []string // paths of files, from the root
	readDir, readRoot bool
	found             map[string]string // by the name that was looked up
}

// open replaces the path of a place by that of the only file that it can mean.
func (s *sources) open(at *result.Location, id string) {
	if at.External || at.Path == "" || result.IsAbsolute(at.Path) || !slices.Contains(packaged, path.Ext(at.Path)) {
		return
	}
	name := at.Path
	if rel, err := filepath.Rel(s.root, s.dir); err == nil && rel != "." {
		name = strings.TrimPrefix(name, filepath.ToSlash(rel)+"/")
	}
	if !strings.Contains(name, "/") {
		name = inPackage(name, id)
	}
	file, known := s.found[name]
	if !known {
		if _, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(at.Path))); err != nil {
			file = s.only(name)
		}
		s.found[name] = file
	}
	if file != "" {
		at.Path = file
	}
}

// inPackage is a file with the package of a test's class in front, if the class has the file's name.
func inPackage(file, id string) string {
	class := strings.TrimSuffix(file, path.Ext(file))
	before, after, ok := strings.Cut(id, "."+class)
	if !ok || after != "" && !strings.ContainsRune(".#$(:[", rune(after[0])) || strings.ContainsAny(before, "/ :") {
		return file
	}
	return strings.ReplaceAll(before, ".", "/") + "/" + file
}

// only is the only file whose path ends with a name; "" if there are several or no such files.
func (s *sources) only(name string) string {
	if !s.readDir {
		s.readDir, s.inDir = true, s.list(s.dir)
	}
	if file, n := ending(s.inDir, name); n > 0 || s.dir == s.root {
		return file
	}
	if !s.readRoot {
		s.readRoot, s.inRoot = true, s.list(s.root)
	}
	file, _ := ending(s.inRoot, name)
	return file
}

func ending(files []string, name string) (file string, n int) {
	for _, path := range files {
		if path == name || strings.HasSuffix(path, "/"+name) {
			file = path
			n++
		}
	}
	if n != 1 {
		file = ""
	}
	return file, n
}

// list are the files below a directory that a place can name, as paths from the root; empty if
// there are too many entries to read. It leaves out build output and hidden directories.
func (s *sources) list(dir string) (files []string) {
	entries := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err // e may be nil
		}
		if entries++; entries > mostEntries {
			files = nil
			return fs.SkipAll
		}
		switch base := e.Name(); {
		case e.IsDir() && name != dir && (base[0] == '.' || base == "node_modules" || base == "target" || base == "build"):
			return fs.SkipDir
		case e.Type().IsRegular() && slices.Contains(packaged, path.Ext(base)):
			rel, err := filepath.Rel(s.root, name)
			if err != nil {
				return err
			}
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		return nil // not all files are known, so no file is certainly the only one
	}
	return files
}
