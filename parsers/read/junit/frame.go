package junit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/result"
)

// locate finds the line to open: the innermost frame of the trace that lies in
// the workspace. Python prints the innermost one last, all others first. The outermost
// one, which is the test's own line where a helper failed, is among the frames.
func (r *junitReader) locate(f *result.Finding, d string, message, body []string) {
	var inside, above, elsewhere, outside, other *result.Location
	for _, text := range [][]string{body, message} {
		for _, s := range text {
			if inside != nil && strings.HasPrefix(strings.TrimSpace(s), "Caused by") {
				break
			}
			at, ok := frame.Cut(jserror.BarePlace(strings.TrimSpace(s)))
			if !ok {
				continue
			}
			if at.Path == "/"+f.ID { // the file that did not load, by its path from the root of vite
				at.Path = f.ID
			}
			stranger := false // a class of the JVM, of a library maybe
			if frame.IsJVMSource(at.Path) && len(r.test.class) > 0 {
				r.qualify(&at)
				own := r.isOwnClass(&at)
				at.External = at.External && !own
				stranger = !at.External && !own
			}
			at.External = at.External || r.run.files.External(at.Path)
			python := strings.HasPrefix(strings.TrimSpace(s), `File "`)
			switch {
			case !at.External && python && inside != nil:
				inside, above = &at, cmp.Or(above, inside)
			case stranger:
				other = cmp.Or(other, &at)
			case !at.External && inside == nil:
				inside = &at
			case !at.External && lex.HasAnyPrefix(strings.TrimSpace(s), "at ", "❯ ") && (!frame.IsJVMSource(at.Path) || r.isOfTest(&at)):
				above = &at // whose code another class of the JVM is, its name does not say
			case at.External && elsewhere == nil && r.run.files.Elsewhere(at.Path):
				elsewhere = &at
			case at.External && outside == nil:
				outside = &at
			}
		}
		if inside != nil {
			break
		}
	}
	if inside = cmp.Or(inside, other); inside != nil {
		r.resolveClass(inside, d)
		f.At = inside
		if above != nil {
			r.resolveClass(above, d)
		}
		if above != nil && (above.Path != inside.Path || above.Line != inside.Line) {
			f.Frames = append(f.Frames, *above)
		}
		return
	}
	switch {
	case elsewhere != nil && (f.At == nil || f.At.Line == 0 && strings.HasSuffix(elsewhere.Path, "/"+f.At.Path)):
		f.At = elsewhere
	case f.At == nil && outside != nil:
		f.Frames = append(f.Frames, *outside)
	}
}

// placeSaid takes the place with which a line of the text begins, where no frame tells
// one, as libraries for tests in C write it: "test.c:6: error: Failure!".
func (r *junitReader) placeSaid(f *result.Finding, message, body []string) {
	if at, rest, ok := place.Cut(f.Message); ok && at.Line > 0 && strings.TrimSpace(rest) != "" && (f.At == nil || f.At.Line == at.Line) {
		_, f.Message = read.CutSeverity(rest)
		f.Message = strings.TrimLeft(f.Message, ": ")
	}
	if f.At != nil && f.At.Line > 0 {
		return
	}
	if at := labelledPlace(slices.Concat(body, message)); at != nil && r.isProjects(at.Path) && (f.At == nil || f.At.Path == at.Path) {
		f.At = at
		return
	}
	for _, line := range slices.Concat(body, message) {
		at, _, ok := place.Cut(strings.TrimSpace(line))
		if ok && at.Line > 0 && !place.IsHost(at) && r.isProjects(at.Path) && (f.At == nil || f.At.Path == at.Path) {
			f.At = &at
			return
		}
	}
}

// isProjects says whether a file may be of the project that is tested.
func (r *junitReader) isProjects(path string) bool {
	return !r.run.files.External(path) || r.run.files.Elsewhere(path)
}

// labelledPlace reads a place of which path and line stand in lines of their own, as
// Boost.Test and golangci-lint write it: "- file   : a.cc", "- line   : 6".
func labelledPlace(lines []string) *result.Location {
	var at result.Location
	for _, line := range lines {
		label, value, ok := strings.Cut(strings.TrimLeft(line, "- "), ":")
		value = strings.TrimSpace(value)
		switch label = strings.ToLower(strings.TrimSpace(label)); {
		case !ok:
		case label == "file" && at.Path == "" && value != "" && value != "unknown location":
			at.Path = value
		case label == "line" && at.Path != "" && lex.Atoi(value) > 0:
			at.Line = lex.Atoi(value)
			return &at
		}
	}
	return nil
}

// resolveClass gives the base name that Java prints the directories of its
// package. The class of the test stands where the build tool has its tests, as
// far as the report tells in which module: maven writes that into it, and both
// maven and gradle keep it in the module.
func (r *junitReader) resolveClass(at *result.Location, d string) {
	if !frame.IsJVMSource(at.Path) || strings.ContainsAny(at.Path, `/\`) {
		return
	}
	frame.InPackage(at)
	class, _ := cutLast(at.Function, ".")
	outer, _, _ := strings.Cut(class, "$")
	tested, _, _ := strings.Cut(string(r.test.class), "$")
	if dir, ok := r.testDir(d); ok && outer == tested {
		at.Path = path.Join(dir, sourceSet(at.Path), at.Path)
	}
}

// qualify gives a frame that names the class of the test without its package, as AssertJ does, the package.
func (r *junitReader) qualify(at *result.Location) {
	pkg, tested := cutLast(string(r.test.class), ".")
	if class, _, _ := strings.Cut(at.Function, "."); class == tested && pkg != "" {
		at.Function = pkg + "." + at.Function
	}
}

// isOfTest: the frame is in the class of the test itself, or in one inside it.
func (r *junitReader) isOfTest(at *result.Location) bool {
	class, method := cutLast(at.Function, ".")
	class, _, _ = strings.Cut(class, "$")
	tested, _, _ := strings.Cut(string(r.test.class), "$")
	return class != "" && class == tested && !strings.HasPrefix(method, "lambda$")
}

// isOwnClass: the frame's class has the package of the test, or one that begins with the same two names. Other classes are
// of a library, as far as one can tell, and so is the whole list of them, but for tests that are in such a package.
func (r *junitReader) isOwnClass(at *result.Location) bool {
	class, _ := cutLast(at.Function, ".")
	pkg, _ := cutLast(class, ".")
	tested, _ := cutLast(string(r.test.class), ".")
	if at.External || tested == "" {
		return pkg == tested || tested != "" && strings.HasPrefix(pkg, tested+".")
	}
	names := strings.SplitN(tested, ".", 3)
	root := strings.Join(names[:min(2, len(names))], ".")
	return pkg == root || strings.HasPrefix(pkg, root+".")
}

// testDir is the directory of the sources of the tests, without that of their
// language.
func (r *junitReader) testDir(d string) (dir string, known bool) {
	file := strings.ReplaceAll(r.run.path, `\`, "/")
	if file != "" { // it is seen from the top of the workspace, paths of findings are from where the tool ran
		file = shell.JoinDir(strings.ReplaceAll(r.run.files.Workspace.Root, `\`, "/"), file)
	}
	if sources := r.run.known(d).Sources; sources != nil {
		return sources(strings.ReplaceAll(r.base, `\`, "/"), file)
	}
	return "", false
}

// sourceSet is where both keep sources of a language.
func sourceSet(file string) string {
	return cmp.Or(lex.Means(path.Ext(file), "kotlin: .kt; groovy: .groovy; scala: .scala"), "java")
}

// cutLast splits s before and after the last sep; all is after without one.
func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(sep):]
}
