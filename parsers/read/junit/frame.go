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

// locate finds the line to open: the innermost frame of the trace that lies in the workspace. Python prints the
// innermost frame last, other languages first. If a helper failed, the outermost frame, which is the test's own
// line, is kept among the frames.
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
			if at.Path == "/"+f.ID { // the file that did not load, as a path from vite's root
				at.Path = f.ID
			}
			stranger := false // a class of the JVM that may be a library's
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
			case !at.External && (lex.HasAnyPrefix(strings.TrimSpace(s), "at ", "❯ ") || strings.Contains(s, ".rb:") && strings.Contains(s, ":in ")) && (!frame.IsJVMSource(at.Path) || r.isOfTest(&at)):
				above = &at // the name of such a class does not show whose it is
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

// placeSaid reads the place with which a line of the text begins, if there are no frames, as libraries for tests in
// C print it: "test.c:6: error: Failure!".
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

// isProjects reports whether a file may belong to the tested project.
func (r *junitReader) isProjects(path string) bool {
	return !r.run.files.External(path) || r.run.files.Elsewhere(path)
}

// labelledPlace reads a place whose path and line are on lines of their own, as Boost.Test and golangci-lint print
// it: "- file   : a.cc", "- line   : 6".
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

// resolveClass extends the base name that Java prints by the directories of its package. For the test's own class
// it adds the build tool's test directory, if the report shows the module: maven writes it into the report, and
// both maven and gradle keep the report in the module.
func (r *junitReader) resolveClass(at *result.Location, d string) {
	if !frame.IsJVMSource(at.Path) || strings.ContainsAny(at.Path, `/\`) {
		return
	}
	frame.InPackage(at)
	if dir, ok := r.testDir(d); ok && isInClass(at, string(r.test.class)) {
		at.Path = path.Join(dir, sourceSet(at.Path), at.Path)
	}
}

// qualify adds the package to a frame that names the test's class without it, as AssertJ does.
func (r *junitReader) qualify(at *result.Location) {
	pkg, tested := cutLast(string(r.test.class), ".")
	if class, _, _ := strings.Cut(at.Function, "."); class == tested && pkg != "" {
		at.Function = pkg + "." + at.Function
	}
}

// isOfTest reports whether a frame is in the test's class, or in a class inside it.
func (r *junitReader) isOfTest(at *result.Location) bool {
	class, method := cutLast(at.Function, ".")
	return class != "" && isInClass(at, string(r.test.class)) && !strings.HasPrefix(method, "lambda$")
}

// isInClass reports whether a frame is in a class, or in one that lies in the same file's outer class.
func isInClass(at *result.Location, class string) bool {
	of, _ := cutLast(at.Function, ".")
	outer, _, _ := strings.Cut(of, "$")
	tested, _, _ := strings.Cut(class, "$")
	return outer == tested
}

// isOwnClass reports whether the package of a frame's class is the test's, or begins with the same two names. Other
// classes count as a library's, and so do those in jvmLibraries, unless the test itself is in such a package.
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

// testDir is the directory of the test sources, without the part for their language.
func (r *junitReader) testDir(d string) (dir string, known bool) {
	file := strings.ReplaceAll(r.run.path, `\`, "/")
	if file != "" { // file is relative to the top of the workspace, paths of findings to where the tool ran
		file = shell.JoinDir(strings.ReplaceAll(r.run.files.Workspace.Root, `\`, "/"), file)
	}
	if sources := r.run.known(d).Sources; sources != nil {
		return sources(strings.ReplaceAll(r.base, `\`, "/"), file)
	}
	return "", false
}

// sourceSet is the folder in which maven and gradle keep sources of a language.
func sourceSet(file string) string {
	return cmp.Or(lex.Means(path.Ext(file), "kotlin: .kt; groovy: .groovy; scala: .scala"), "java")
}

// cutLast splits s around the last sep; without one, all of s is after.
func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(sep):]
}
