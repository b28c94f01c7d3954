package frame

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// JVM reads "at com.acme.T.m(T.java:3)". A module or a class loader may stand
// before the class. The path is the name of the file alone: the package says in
// which directory it is.
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

// InPackage gives a place that JVM read, where a file is named alone, the directories of its package.
func InPackage(at *result.Location) {
	class, _, _ := lex.CutLast(at.Function, ".")
	if pkg, _, ok := lex.CutLast(class, "."); ok && IsJVMSource(at.Path) && !strings.ContainsAny(at.Path, `/\`) {
		at.Path = strings.ReplaceAll(pkg, ".", "/") + "/" + at.Path
	}
}

// cutArchive takes off from which archive a class came, as Logback and Log4j tell it: "(Assert.java:102) ~[spring-core-7.0.5.jar!/:7.0.5]".
func cutArchive(s string) (frame string, archive bool) {
	i := strings.LastIndex(s, ") ")
	if i < 0 || !strings.HasSuffix(s, "]") || !lex.HasAnyPrefix(s[i+2:], "[", "~[") {
		return s, false
	}
	return s[:i+1], strings.Contains(s[i:], ".jar")
}

// IsJVMSource: the name of a file in a language of the JVM.
func IsJVMSource(file string) bool {
	i := strings.LastIndexByte(file, '.')
	return i >= 0 && lex.IsOneOf(file[i+1:], "java kt groovy scala kts clj")
}

// jvmLibraries are packages of the platform, of languages, of runners and of
// assertions: their frames lie between a test and what it calls, or above it.
var jvmLibraries = []string{
	"java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.opentest4j.", "org.hamcrest.", "org.assertj.", "org.mockito.", "com.tngtech.archunit.", "net.jqwik.", "org.easymock.", "org.awaitility.",
	"net.bytebuddy.", "org.testng.", "org.apache.maven.", "org.gradle.", "worker.org.gradle.", "kotlin.", "kotlinx.", "scala.", "groovy.",
	"org.codehaus.groovy.", "org.spockframework.", "com.google.common.truth.", "org.scalatest.", "io.kotest.", "org.springframework.", "clojure.",
}
