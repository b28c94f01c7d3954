package frame

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// JVM reads "at com.acme.T.m(T.java:3)", possibly with a module or a class loader before the class. The path is
// only the name of the file: the package gives its directory.
func JVM(text string) (at result.Location, ok bool) {
	_, s, ok := strings.Cut(text, " ")
	s, archive := cutArchive(s)
	open := strings.LastIndexByte(s, '(')
	if !ok || open < 0 || !strings.HasSuffix(s, ")") {
		return at, false
	}
	function, spot := strings.TrimSpace(s[:open]), s[open+1:len(s)-1]
	file, number, ok := strings.Cut(spot, ":")
	if !ok || strings.ContainsAny(file, `/\`) || !lex.IsDigits(number) || !IsJVMSource(file) {
		return at, false
	}
	function = function[strings.LastIndexByte(function, '/')+1:]
	return result.Location{Path: file, Line: lex.Atoi(number), Function: function, External: archive || lex.HasAnyPrefix(function, jvmLibraries...)}, true
}

// InPackage adds the directories of the package to a place from JVM that is only the name of a file.
func InPackage(at *result.Location) {
	class, _, _ := lex.CutLast(at.Function, ".")
	if pkg, _, ok := lex.CutLast(class, "."); ok && IsJVMSource(at.Path) && !strings.ContainsAny(at.Path, `/\`) {
		at.Path = strings.ReplaceAll(pkg, ".", "/") + "/" + at.Path
	}
}

// cutArchive removes the archive of a class, as Logback and Log4j print it: "(Assert.java:102)
// ~[spring-core-7.0.5.jar!/:7.0.5]".
func cutArchive(s string) (frame string, archive bool) {
	i := strings.LastIndex(s, ") ")
	if i < 0 || !strings.HasSuffix(s, "]") || !lex.HasAnyPrefix(s[i+2:], "[", "~[") {
		return s, false
	}
	return s[:i+1], strings.Contains(s[i:], ".jar")
}

// IsJVMSource reports whether a file is source in a language of the JVM.
func IsJVMSource(file string) bool {
	i := strings.LastIndexByte(file, '.')
	return i >= 0 && lex.IsOneOf(file[i+1:], "java kt groovy scala kts clj")
}

// jvmLibraries are packages of the platform, of languages, and of libraries for testing: their frames lie between a
// test and the code that it calls, or above the test.
var jvmLibraries = []string{
	"java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.opentest4j.", "org.hamcrest.", "org.assertj.", "org.mockito.", "com.tngtech.archunit.", "net.jqwik.", "org.easymock.", "org.awaitility.",
	"net.bytebuddy.", "org.testng.", "org.apache.maven.", "org.gradle.", "worker.org.gradle.", "kotlin.", "kotlinx.", "scala.", "groovy.",
	"org.codehaus.groovy.", "org.spockframework.", "com.google.common.truth.", "org.scalatest.", "io.kotest.", "org.springframework.", "clojure.", "io.cucumber.", "org.apache.catalina.", "org.apache.tomcat.", "org.apache.coyote.", "org.hibernate.", "com.zaxxer.", "com.fasterxml.", "jakarta.", "io.netty.", "reactor.", "org.eclipse.jetty.", "com.intuit.karate.", "io.karatelabs.", "munit.", "org.specs2.", "org.yaml.snakeyaml.", "io.quarkus.", "org.jboss.", "io.restassured.", "io.vertx.",
}

// Cut reads a stack frame of any language, for traces of unknown programs and those quoted in reports.
func Cut(line string) (at result.Location, ok bool) {
	s := strings.TrimSpace(line)
	switch {
	case strings.HasSuffix(s, ") {"): // members of the error follow, such as its cause, whose stack says more
		return at, false
	case strings.HasPrefix(s, "at "), strings.HasPrefix(s, "❯ "), strings.HasPrefix(s, "//"):
		return cutAt(s)
	case strings.HasPrefix(s, `File "`):
		return Python(s)
	case strings.HasPrefix(s, "#") && strings.Contains(s, " 0x"):
		return C(s)
	case strings.HasPrefix(s, "# "):
		s = s[2:]
	case strings.HasPrefix(s, "(in test file "), strings.HasPrefix(s, "(from function "), strings.HasPrefix(s, "in test file "), strings.HasPrefix(s, "from function `"):
		return Shell(s)
	case strings.HasPrefix(s, "In ["): // ginkgo: "In [It] at: /src/a_test.go:15 @ 11/26/26 23:30:52.843"
		_, spot, _ := strings.Cut(s, "] at: ")
		spot, _, _ = strings.Cut(spot, " @ ")
		return cutPosition(spot)
	case strings.HasPrefix(s, "thread '"):
		if _, rest, ok := strings.Cut(s, " panicked at "); ok {
			return cutPosition(strings.TrimSuffix(rest, ":"))
		}
		return at, false
	case strings.HasPrefix(s, "["):
		return at, false
	case strings.HasSuffix(s, "]:"): // "test_total(CartTest) [test/cart_test.rb:7]:"
		if i := strings.LastIndex(s, " ["); i >= 0 {
			return cutPosition(s[i+2 : len(s)-2])
		}
	}
	return cutBare(s)
}

// cutAt reads a frame that begins with "at", as in several languages.
func cutAt(s string) (at result.Location, ok bool) {
	if strings.Contains(s, ") in ") {
		return DotNet(s)
	}
	if at, ok = JVM(s); ok {
		return at, true
	}
	if strings.HasPrefix(s, "//") {
		_, s, _ = strings.Cut(s, " ")
		s = "at " + s
	}
	at, ok = JavaScript(s)
	at.External = at.External || isNameless(at.Path)
	return at, ok && at.Path != ""
}

// cutBare reads a line that is a place, or begins with one, as in GoogleTest, phpunit and Ruby.
func cutBare(s string) (at result.Location, ok bool) {
	at, rest, ok := place.CutPlace(strings.TrimPrefix(s, "classpath:")) // Karate's features
	if !ok || !strings.Contains(at.Path, ".") || strings.Contains(at.Path, "://") || strings.Contains(at.Path, " ") && !strings.ContainsAny(at.Path, `/\`) {
		return at, false
	}
	at.External = IsLibrary(at.Path) || isNameless(at.Path)
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

// cutPosition reads "path:3:5" or "path:3".
func cutPosition(s string) (at result.Location, ok bool) {
	file, n, ok := place.CutLineNumber(s)
	if !ok {
		return at, false
	}
	if before, m, two := place.CutLineNumber(file); two {
		return result.Location{Path: before, Line: m, Column: n, External: IsLibrary(before) || isNameless(before)}, true
	}
	return result.Location{Path: file, Line: n, External: IsLibrary(file) || isNameless(file)}, true
}

// IsLibrary reports whether a path belongs to a runtime or is installed, so that it is no code of the workspace. A
// runtime names its own modules with a scheme ("node:fs", "ext:core/01_core.js").
func IsLibrary(path string) bool {
	return strings.Contains(path, "node_modules") || strings.Contains(path, "/vendor/") || strings.Contains(path, "<") ||
		strings.HasPrefix(path, "internal/") || strings.HasPrefix(path, "phar:") || strings.HasSuffix(path, "]-wrapper") || hasScheme(path)
}

// isNameless reports whether a path has neither directory nor extension, like a runtime's name for its own modules.
func isNameless(path string) bool { return !strings.ContainsAny(path, `./\`) }

// hasScheme recognises "node:fs", but not "file:///a.js" nor a drive's letter.
func hasScheme(path string) bool {
	scheme, rest, ok := strings.Cut(path, ":")
	return ok && len(scheme) > 1 && !strings.HasPrefix(rest, "/") && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz") == ""
}
