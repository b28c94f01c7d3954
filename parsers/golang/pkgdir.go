package golang

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// goDirs knows in which directory a package lies, as far as that follows from the text: package testing prints base
// names only, and a parser opens no file. Where no directory follows, a file is named as -trimpath does, with the
// import path ("example.com/m/store/store_test.go"), which cannot be mistaken for a path relative to here; a file of a
// package that may be the root of its module stays a base name. What proves a directory:
//
//   - a stack frame, "example.com/m/store.Put" at "/src/m/store/store.go";
//   - a compiler error under "# example.com/m/report" in "report/report.go";
//   - the command: "go test" or "go test ." is the package of the directory
//     it ran in; "./money" is the one package that ends in "/money"; under
//     "./..." every package lies below the directory, so that when the base
//     name of the directory is an element of all of their import paths, and
//     only once, what follows that element is the path from there. The same
//     holds where the command is not known, as for a script or a log.
//
// What is proven of one package also holds for its neighbours: from
// example.com/m/money in money follows example.com/m/store in store.
//
// The locator of a test's fingerprint is its id, which has the import path:
// a run in which fewer directories are known gives the same fingerprint.
type goDirs struct {
	known map[string]string // import path (or a parent of one) → directory
	start string            // the directory of -C, relative to where go was started
	name  string            // base name of the directory that go works in
}

// prove records that a file of package pkg lies at file.
func (d *goDirs) prove(pkg, file string) {
	d.proveDir(pkg, path.Dir(strings.ReplaceAll(file, `\`, "/")))
}

func (d *goDirs) proveDir(pkg, dir string) {
	pkg = strings.TrimSuffix(pkg, "_test")
	if d.known == nil {
		d.known = map[string]string{}
	}
	for {
		if _, ok := d.known[pkg]; ok {
			return
		}
		d.known[pkg] = dir
		parent := path.Dir(pkg)
		if path.Base(pkg) != path.Base(dir) || !strings.Contains(parent, "/") && strings.Contains(parent, ".") {
			return // the parent is a host such as github.com: the modules below it do not share one directory tree
		}
		pkg, dir = parent, path.Dir(dir)
	}
}

// frame proves a directory from a stack frame. A package path may have dots in all but its
// last element, which ends at its first dot.
func (d *goDirs) frame(f result.Location) {
	slash := strings.LastIndexByte(f.Function, '/')
	name, _, ok := strings.Cut(f.Function[slash+1:], ".")
	if ok && slash > 0 && result.IsAbsolute(f.Path) {
		pkg := strings.TrimSuffix(f.Function[:slash+1]+name, "_test")
		if at := path.Base(path.Dir(strings.ReplaceAll(f.Path, `\`, "/"))); at == path.Base(pkg) || at == path.Base(withoutMajor(pkg)) {
			d.prove(pkg, f.Path)
		}
	}
}

// command proves directories from the command line. pkgs are all packages of the run.
func (d *goDirs) command(c goCommand, pkgs []string) {
	if !c.known {
		d.below(pkgs)
		return
	}
	patterns := c.patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	for _, p := range patterns {
		dir := path.Clean(p)
		switch {
		case p != "." && !strings.HasPrefix(p, "./") && !strings.HasPrefix(p, "../"): // an import path
		case dir == "...":
			d.below(pkgs)
		case strings.HasSuffix(dir, "/..."):
			d.only(pkgs, strings.TrimSuffix(dir, "/..."), true)
		case dir != ".":
			d.only(pkgs, dir, false)
		case len(patterns) == 1 && len(pkgs) == 1:
			d.proveDir(pkgs[0], d.start)
		}
	}
}

// only proves a directory named by a pattern, if exactly one import path can be meant: of a package or, for
// "dir/...", of one that lies above packages.
func (d *goDirs) only(pkgs []string, dir string, above bool) {
	tail, match := "/"+strings.TrimPrefix(dir, "../"), ""
	for _, pkg := range pkgs {
		ok := strings.HasSuffix("/"+pkg, tail)
		if above {
			pkg, _, ok = strings.Cut(pkg+"/", tail+"/")
			pkg += tail
		}
		switch {
		case !ok:
		case match != "" && match != pkg:
			return
		default:
			match = pkg
		}
	}
	if match != "" {
		d.proveDir(match, path.Join(d.start, dir))
	}
}

// below proves directories for a run in which all packages lie under the directory that go works in.
func (d *goDirs) below(pkgs []string) {
	elements := strings.Split(commonImport(pkgs), "/")
	i := slices.IndexFunc(elements, func(e string) bool { return e == d.name || withoutMajor(e) == d.name })
	if i < 0 || slices.Contains(elements[i+1:], d.name) {
		return
	}
	if i+1 < len(elements) && withoutMajor("m/"+elements[i+1]) == "m" {
		i++ // the major version has no directory of its own
	}
	d.proveDir(strings.Join(elements[:i+1], "/"), d.start)
}

// withoutMajor is the path of a module without its major version, "example.com/m/v2" or "gopkg.in/m.v2".
func withoutMajor(pkg string) string {
	i := strings.LastIndexAny(pkg, "/.")
	if i > 0 && strings.HasPrefix(pkg[i+1:], "v") && lex.IsDigits(pkg[i+2:]) && (pkg[i] == '.' || lex.Atoi(pkg[i+2:]) > 1) {
		return pkg[:i]
	}
	return pkg
}

// commonImport is the longest import path that all packages lie at or below.
func commonImport(pkgs []string) string {
	var common []string
	for i, pkg := range pkgs {
		elements := strings.Split(pkg, "/")
		if i == 0 {
			common = elements
			continue
		}
		n := 0
		for n < min(len(common), len(elements)) && common[n] == elements[n] {
			n++
		}
		common = common[:n]
	}
	return strings.Join(common, "/")
}

// fromStart turns a path as go prints it into one relative to where go was started.
func (d *goDirs) fromStart(file string) string {
	if d.start == "" || result.IsAbsolute(file) {
		return file
	}
	return path.Join(d.start, file)
}

// file returns where a file of a package lies, or the name itself if that is not known. Under -trimpath a name
// consists of import path and base name.
func (d *goDirs) file(pkg, name string) string {
	if result.IsAbsolute(name) {
		return name
	}
	base, whole := path.Base(name), pkg
	switch {
	case strings.HasPrefix(name, "testdata/"), strings.HasPrefix(name, "../"): // a fuzz input and a feature are named relative to the package
		base = name
	case strings.Contains(name, "/"):
		pkg = path.Dir(name)
	}
	for rest := ""; pkg != "." && pkg != "/" && pkg != ""; {
		if dir, ok := d.known[pkg]; ok {
			return path.Join(dir, rest, base)
		}
		pkg, rest = path.Dir(pkg), path.Join(path.Base(pkg), rest)
	}
	if base != name || mayBeRoot(whole) {
		return name
	}
	return path.Join(strings.TrimSuffix(whole, "_test"), base)
}

// mayBeRoot says whether the package may be the root of its module: the path of a module has at least a host and a
// name, with an owner between them on code hosts. An import path without a host would be mistaken for a relative path.
func mayBeRoot(pkg string) bool {
	pkg = withoutMajor(pkg)
	elements := strings.Count(pkg, "/") + 1
	host, _, _ := strings.Cut(pkg, "/")
	switch {
	case slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}, host):
		return elements <= 3
	case strings.Contains(host, "."):
		return elements <= 2
	}
	return true
}
