package junit

import (
	"path"
	"strings"

	"cairn/parsers/internal/shell"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/result"
)

// locate finds the line to open: the innermost frame of the trace that lies in
// the workspace. Python prints the innermost one last, all others first.
func (r *junitReader) locate(f *result.Finding, d string, message, body []string) {
	var inside, outside *result.Location
	for _, text := range [][]string{body, message} {
		for _, s := range text {
			at, ok := junitFrame(strings.TrimSpace(s))
			if !ok {
				continue
			}
			at.External = at.External || r.run.places.External(at.Path)
			python := strings.HasPrefix(strings.TrimSpace(s), `File "`)
			switch {
			case !at.External && (inside == nil || python):
				inside = &at
			case at.External && outside == nil:
				outside = &at
			}
			if inside != nil && !python {
				break
			}
		}
		if inside != nil {
			break
		}
	}
	if inside != nil {
		r.resolveClass(inside, d)
		f.At = inside
		return
	}
	if f.At == nil && outside != nil {
		f.Frames = append(f.Frames, *outside)
	}
}

// junitFrame reads a line of a trace, as any language prints it.
func junitFrame(s string) (at result.Location, ok bool) {
	switch {
	case strings.HasPrefix(s, "at "), strings.HasPrefix(s, "❯ "), strings.HasPrefix(s, "//"):
		return atFrame(s)
	case strings.HasPrefix(s, `File "`):
		at, ok = place.CutFileLine(s)
		return at, ok
	case strings.HasPrefix(s, "# "):
		s = s[2:]
	case strings.HasPrefix(s, "(in test file "), strings.HasPrefix(s, "(from function "), strings.HasPrefix(s, "in test file "):
		return testFileFrame(s)
	case strings.HasPrefix(s, "thread '"):
		if _, rest, ok := strings.Cut(s, " panicked at "); ok {
			return cutTriple(strings.TrimSuffix(rest, ":"))
		}
		return at, false
	case strings.HasPrefix(s, "["):
		return at, false
	case strings.HasSuffix(s, "]:"): // Minitest: "test_total(CartTest) [test/cart_test.rb:7]:"
		_, spot := cutLast(strings.TrimSuffix(s, "]:"), " [")
		return cutTriple(spot)
	}
	return bareFrame(s)
}

// atFrame reads "at f (path:3:5)", "at path:3:5", "at com.acme.T.m(T.java:3)",
// "❯ f path:3:5" and "at N.C.M() in path:line 3".
func atFrame(s string) (at result.Location, ok bool) {
	_, s, _ = strings.Cut(s, " ")
	if i := strings.LastIndex(s, ") in "); i >= 0 {
		file, line, found := strings.Cut(s[i+len(") in "):], ":line ")
		at = result.Location{Path: file, Line: lex.LeadingNumber(line), Function: s[:i+1]}
		return at, found && at.Line > 0
	}
	if open := strings.LastIndexByte(s, '('); open >= 0 && strings.HasSuffix(s, ")") {
		function, spot := strings.TrimSpace(s[:open]), s[open+1:len(s)-1]
		if at, ok = javaFrame(function, spot); ok {
			return at, true
		}
		at, ok = cutTriple(spot)
		at.Function = function
		return at, ok
	}
	function := ""
	if i := strings.LastIndexByte(s, ' '); i >= 0 && !strings.Contains(s[:i], "/") {
		function, s = strings.TrimPrefix(s[:i], "async "), s[i+1:]
	}
	at, ok = cutTriple(s)
	at.Function = function
	return at, ok
}

// javaFrame: the place is "T.java:3", and the function a method of a class that
// lies in a package. A module or a class loader may stand before it.
func javaFrame(function, spot string) (at result.Location, ok bool) {
	file, number, ok := strings.Cut(spot, ":")
	if !ok || strings.ContainsAny(file, `/\`) || !lex.IsDigits(number) || !isJVMSource(file) {
		return at, false
	}
	function = function[strings.LastIndexByte(function, '/')+1:]
	at = result.Location{Path: file, Line: lex.Atoi(number), Function: function}
	at.External = isJavaLibrary(function)
	return at, true
}

func isJVMSource(file string) bool {
	for _, ext := range [...]string{".java", ".kt", ".groovy", ".scala", ".kts", ".clj"} {
		if strings.HasSuffix(file, ext) {
			return true
		}
	}
	return false
}

// javaLibraries are packages of the platform, of languages, of runners and of
// assertions: their frames lie between a test and what it calls, or above it.
var javaLibraries = []string{
	"java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.opentest4j.", "org.hamcrest.", "org.assertj.", "org.mockito.",
	"net.bytebuddy.", "org.testng.", "org.apache.maven.", "org.gradle.", "worker.org.gradle.", "kotlin.", "kotlinx.", "scala.", "groovy.",
	"org.codehaus.groovy.", "org.spockframework.", "com.google.common.truth.", "org.scalatest.", "io.kotest.", "org.springframework.", "clojure.",
}

func isJavaLibrary(function string) bool {
	for _, p := range javaLibraries {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}

// resolveClass gives the base name that Java prints the directories of its
// package. The class of the test stands where the build tool has its tests, as
// far as the report tells in which module: maven writes that into it, and both
// maven and gradle keep it in the module.
func (r *junitReader) resolveClass(at *result.Location, d string) {
	if !isJVMSource(at.Path) || strings.ContainsAny(at.Path, `/\`) {
		return
	}
	class, _ := cutLast(at.Function, ".")
	pkg, _ := cutLast(class, ".")
	if pkg != "" {
		at.Path = strings.ReplaceAll(pkg, ".", "/") + "/" + at.Path
	}
	outer, _, _ := strings.Cut(class, "$")
	tested, _, _ := strings.Cut(string(r.test.class), "$")
	if dir, ok := r.testDir(d); ok && outer == tested {
		at.Path = path.Join(dir, sourceSet(at.Path), at.Path)
	}
}

// testDir is the directory of the sources of the tests, without that of their
// language.
func (r *junitReader) testDir(d string) (dir string, known bool) {
	file := strings.ReplaceAll(r.run.path, `\`, "/")
	if file != "" { // it is seen from the top of the workspace, paths of findings are from where the tool ran
		file = shell.JoinDir(strings.ReplaceAll(r.run.places.Workspace.Root, `\`, "/"), file)
	}
	if sources := r.run.known(d).Sources; sources != nil {
		return sources(strings.ReplaceAll(r.base, `\`, "/"), file)
	}
	return "", false
}

// sourceSet is where both keep sources of a language.
func sourceSet(file string) string {
	switch path.Ext(file) {
	case ".kt":
		return "kotlin"
	case ".groovy":
		return "groovy"
	case ".scala":
		return "scala"
	}
	return "java"
}

// cutLast splits s before and after the last sep; all is after without one.
func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(sep):]
}

// cutTriple reads "path:3:5" or "path:3".
func cutTriple(s string) (at result.Location, ok bool) {
	file, n, ok := place.CutLineNumber(s)
	if !ok {
		return at, false
	}
	if before, m, two := place.CutLineNumber(file); two {
		return result.Location{Path: before, Line: m, Column: n, External: isRuntimePath(before)}, true
	}
	return result.Location{Path: file, Line: n, External: isRuntimePath(file)}, true
}

// isRuntimePath: of the runtime itself, which no workspace holds.
func isRuntimePath(file string) bool {
	return strings.HasPrefix(file, "node:") || strings.HasPrefix(file, "internal/") || strings.HasPrefix(file, "native") ||
		strings.Contains(file, "node_modules/") || strings.Contains(file, "/vendor/") || strings.HasPrefix(file, "phar:") ||
		!strings.ContainsAny(file, "./")
}

// bareFrame reads a line that is a place and nothing else, or begins with one:
// GoogleTest's, phpunit's, Ruby's.
func bareFrame(s string) (at result.Location, ok bool) {
	at, rest, ok := place.CutPlace(s)
	if !ok || !strings.Contains(at.Path, ".") || strings.Contains(at.Path, "://") || strings.Contains(at.Path, " ") && !strings.ContainsAny(at.Path, `/\`) {
		return at, false
	}
	at.External = isRuntimePath(at.Path)
	switch {
	case rest == "", rest == "Failure", rest == "Error":
		return at, true
	case strings.HasPrefix(rest, "in `"), strings.HasPrefix(rest, "in '"):
		at.Function = strings.Trim(rest[len("in "):], "`'")
		return at, true
	case rest[0] >= '1' && rest[0] <= '9' && lex.IsDigits(rest):
		at.Column = lex.Atoi(rest)
		return at, true
	}
	return at, false
}

// testFileFrame reads "(in test file test/a.bats, line 5)" and "(from function `f'
// in file test/helper.bash, line 3,".
func testFileFrame(s string) (at result.Location, ok bool) {
	_, rest, ok := strings.Cut(s, "file ")
	file, line, found := strings.Cut(rest, ", line ")
	at = result.Location{Path: file, Line: lex.LeadingNumber(line)}
	return at, ok && found && at.Line > 0
}
