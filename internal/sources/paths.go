package sources

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cairn/result"
)

// mostEntries bounds the directory entries that are read to find a file that was named by its package, mostPlain those for
// any other file: most tools name a file by its path, and one that is not there is then not worth much time.
const (
	mostEntries = 100_000
	mostPlain   = 20_000
)

// packaged are the extensions of languages whose tools name a file by its package ("com/acme/CartTest.java"). A file
// without a directory is then looked up with the package of its test.
var packaged = []string{".java", ".kt", ".scala", ".groovy", ".clj", ".cljc"}

// SeePaths replaces the places of a sealed result that are no files here by the path of the only file in the workspace
// that they can mean, below the command's directory or else anywhere: a tool may name a file by its package, or from the
// directory that a script changed to.
// Identities stay: they are made of the tool's own words, which are the same on every machine.
func SeePaths(r *result.ToolResult, w result.Workspace) {
	if w.Root == "" {
		return
	}
	s := sources{root: w.Root, dir: w.Root, found: map[string]string{}, built: map[string]bool{}, wanted: map[string]bool{}, lines: map[string]int{}, most: mostPlain}
	if rel, err := filepath.Rel(w.Root, w.Dir); err == nil && w.Dir != "" && filepath.IsLocal(rel) {
		s.dir = w.Dir
	}
	for i := range r.Findings {
		for at := range r.Findings[i].Places() {
			s.wanted[path.Base(at.Path)] = true
			if ext := path.Ext(at.Path); ext == ".go" || slices.Contains(packaged, ext) {
				s.most = mostEntries
			}
		}
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
	most              int             // directory entries to read at most
	wanted            map[string]bool // the last elements of all places
	inDir, inRoot     []string        // paths of files with such names, from the root
	readDir, readRoot bool
	found             map[string]string // by the name that was looked up
	built             map[string]bool   // the files that fromBuild found
	lines             map[string]int    // how many a file has
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
		if at.Path = cmp.Or(s.ofModule(name), at.Path); id != "" {
			return
		}
	}
	name := at.Path
	if rel, err := filepath.Rel(s.root, s.dir); err == nil && rel != "." {
		name = strings.TrimPrefix(name, filepath.ToSlash(rel)+"/")
	}
	byPackage := slices.Contains(packaged, path.Ext(name))
	if byPackage && !strings.Contains(name, "/") {
		name = inPackage(name, id)
	}
	file, known := s.found[name]
	if !known {
		if !s.exists(at.Path) {
			file = s.only(name)
		}
		s.found[name] = file
	}
	if file != "" && (byPackage || s.hasLine(file, at.Line)) {
		at.Path = file
	}
}

// hasLine reports whether a file has a line of this number. It is asked of files that were not named by their package: a
// script may have removed the file that its tool read, and another of its name may lie elsewhere.
func (s *sources) hasLine(file string, line int) bool {
	if s.lines[file] == 0 {
		text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
		if err != nil {
			return false
		}
		s.lines[file] = 1 + bytes.Count(text, []byte("\n"))
	}
	return line > 0 && line <= s.lines[file]
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
		s.readDir, s.inDir = true, s.list(s.dir, s.isWanted)
	}
	if file, n := ending(s.inDir, name); n > 0 || s.dir == s.root {
		return file
	}
	if !s.readRoot {
		s.readRoot, s.inRoot = true, s.list(s.root, s.isWanted)
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

func (s *sources) isWanted(name string) bool { return s.wanted[name] }

// list are the files below a directory whose base name is wanted, as paths from the root; empty if there are too many
// entries to read. It leaves out build output and hidden directories.
func (s *sources) list(dir string, wanted func(name string) bool) (files []string) {
	entries := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err // e may be nil
		}
		if entries++; entries > s.most {
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
