package sources

import (
	"cmp"
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
	s := sources{root: w.Root, dir: w.Root, found: map[string]string{}, built: map[string]bool{}}
	if rel, err := filepath.Rel(w.Root, w.Dir); err == nil && w.Dir != "" && filepath.IsLocal(rel) {
		s.dir = w.Dir
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		for at := range f.Places() {
			if at.External {
				s.fromBuild(at)
			}
			s.open(at, f.ID)
		}
		if f.At == nil && len(f.Frames) > 0 && s.built[f.Frames[0].Path] {
			own := f.Frames[0]
			f.At = &own
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
	built             map[string]bool   // the files that fromBuild found
	modules           map[string]string // of Go: the directory of each, from the root; nil until they were read
}

// fromBuild replaces "../tests/bank.cpp", which lies outside of the workspace and is not there, by tests/bank.cpp: a
// compiler or a test that ran in a directory of the build printed it.
func (s *sources) fromBuild(at *result.Location) {
	file := at.Path
	for strings.HasPrefix(file, "../") {
		file = file[3:]
	}
	if file != at.Path && !s.exists(at.Path) && s.exists(file) {
		at.Path, at.External, s.built[file] = file, false, true
	}
}

// open replaces the path of a place by that of the only file that it can mean.
func (s *sources) open(at *result.Location, id string) {
	if at.External || at.Path == "" || result.IsAbsolute(at.Path) {
		return
	}
	if path.Ext(at.Path) == ".go" && !s.exists(at.Path) {
		name := at.Path
		if pkg := goPackage(id); pkg != "" && !strings.Contains(name, "/") {
			name = pkg + "/" + name
		}
		at.Path = cmp.Or(s.ofModule(name), at.Path)
	}
	if !slices.Contains(packaged, path.Ext(at.Path)) {
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
		if !s.exists(at.Path) {
			file = s.only(name)
		}
		s.found[name] = file
	}
	if file != "" {
		at.Path = file
	}
}

// goPackage is the package in the id of a Go test, "example.com/m/money.TestAdd", or "".
func goPackage(id string) string {
	for _, kind := range []string{".Test", ".Example", ".Fuzz", ".Benchmark"} {
		if pkg, _, ok := strings.Cut(id, kind); ok {
			return pkg
		}
	}
	return ""
}

func (s *sources) exists(file string) bool {
	_, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(file)))
	return err == nil
}

// ofModule is the only file of the workspace's Go modules that has an import path, "example.com/m/money/money_test.go". A
// directory may stand before the path.
func (s *sources) ofModule(name string) (file string) {
	if s.modules == nil {
		s.modules = map[string]string{}
		for _, mod := range s.list(s.root, func(name string) bool { return name == "go.mod" }) {
			if text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(mod))); err == nil {
				s.modules[moduleOf(string(text))] = path.Dir(mod)
			}
		}
	}
	for rest, more := name, true; more && len(s.modules) > 0; _, rest, more = strings.Cut(rest, "/") {
		for module, dir := range s.modules {
			below, ok := strings.CutPrefix(rest, module+"/")
			if in := path.Join(dir, below); ok && s.exists(in) {
				if file != "" && file != in {
					return ""
				}
				file = in
			}
		}
	}
	return file
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
		s.readDir, s.inDir = true, s.list(s.dir, isPackaged)
	}
	if file, n := ending(s.inDir, name); n > 0 || s.dir == s.root {
		return file
	}
	if !s.readRoot {
		s.readRoot, s.inRoot = true, s.list(s.root, isPackaged)
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

func isPackaged(name string) bool { return slices.Contains(packaged, path.Ext(name)) }

// list are the files below a directory whose base name is wanted, as paths from the root; empty if there are too many
// entries to read. It leaves out build output and hidden directories.
func (s *sources) list(dir string, wanted func(name string) bool) (files []string) {
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
		case e.Type().IsRegular() && wanted(base):
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
