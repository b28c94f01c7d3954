package parsers

import (
	"path"
	"strings"

	"cairn/result"
)

// goDirs knows in which directory a package lies, as far as that follows from
// the text: package testing prints base names only, and a parser opens no
// file. What does not follow stays a base name, which is true, rather than
// become a path that may be wrong. What proves a directory:
//
//   - a stack frame, "example.com/m/store.Put" at "/src/m/store/store.go";
//   - a compiler error under "# example.com/m/report" in "report/report.go";
//   - the command: "go test" or "go test ." is the package of the directory
//     it ran in; "./money" is the one package that ends in "/money"; under
//     "./..." every package lies below the directory, so that when the base
//     name of the directory is an element of all of their import paths, what
//     follows that element is the path from there.
//
// What is proven of one package holds for its neighbours: from
// example.com/m/store in store follows example.com/m/money in money.
//
// The locator of a test's fingerprint is its id, which has the import path:
// a machine on which less is known gives the same fingerprint.
type goDirs struct {
	known map[string]string // import path (or a parent of one) → directory
	dir   string            // base name of the directory the command ran in
	args  []string          // package patterns of the command; nil when they are not known
	local bool              // the command names no package: the one in its directory
}

// prove records that a file of package pkg lies at file.
func (d *goDirs) prove(pkg, file string) {
	dir := path.Dir(strings.ReplaceAll(file, `\`, "/"))
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
			return // the parent is a host: what lies below it is not one tree
		}
		pkg, dir = parent, path.Dir(dir)
	}
}

// frame proves from a stack frame. A package path may have dots in all but its
// last element, which ends at the first one.
func (d *goDirs) frame(f result.Location) {
	slash := strings.LastIndexByte(f.Function, '/')
	name, _, ok := strings.Cut(f.Function[slash+1:], ".")
	if ok && slash > 0 && (strings.HasPrefix(f.Path, "/") || strings.Contains(f.Path, `:\`) || strings.Contains(f.Path, ":/")) {
		pkg := strings.TrimSuffix(f.Function[:slash+1]+name, "_test")
		if path.Base(path.Dir(strings.ReplaceAll(f.Path, `\`, "/"))) == path.Base(pkg) {
			d.prove(pkg, f.Path)
		}
	}
}

// command takes what argv says. pkgs are all packages of the run.
func (d *goDirs) command(pkgs []string) {
	if d.local && len(pkgs) == 1 {
		d.prove(pkgs[0], "./x.go")
	}
	for _, arg := range d.args {
		dir, ok := strings.CutPrefix(path.Clean(arg), "./")
		if !strings.HasPrefix(arg, "./") && arg != "." {
			continue
		}
		switch {
		case strings.HasSuffix(arg, "..."):
			d.below(pkgs)
		case arg == "." && len(pkgs) == 1:
			d.prove(pkgs[0], "./x.go")
		case !ok:
			d.only(pkgs, path.Clean(arg))
		default:
			d.only(pkgs, dir)
		}
	}
}

// only: the pattern names one directory, and one package can be meant.
func (d *goDirs) only(pkgs []string, dir string) {
	var match string
	for _, pkg := range pkgs {
		if strings.HasSuffix(pkg, "/"+dir) {
			if match != "" {
				return
			}
			match = pkg
		}
	}
	if match != "" {
		d.prove(match, dir+"/x.go")
	}
}

// below: the packages lie under the directory the command ran in.
func (d *goDirs) below(pkgs []string) {
	common := commonImport(pkgs)
	elements := strings.Split(common, "/")
	for i := len(elements) - 1; i >= 0 && d.dir != ""; i-- {
		if elements[i] == d.dir {
			d.prove(strings.Join(elements[:i+1], "/"), "./x.go")
			return
		}
	}
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

// file is where a file of a package lies; the base name when that is not known.
func (d *goDirs) file(pkg, name string) string {
	if strings.ContainsAny(name, `/\`) {
		return name
	}
	for rest := ""; pkg != "." && pkg != "/" && pkg != ""; {
		if dir, ok := d.known[pkg]; ok {
			return path.Join(dir, rest, name)
		}
		pkg, rest = path.Dir(pkg), path.Join(path.Base(pkg), rest)
	}
	return name
}
