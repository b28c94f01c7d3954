package frame

import (
	"strings"

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
	"org.codehaus.groovy.", "org.spockframework.", "com.google.common.truth.", "org.scalatest.", "io.kotest.", "org.springframework.", "clojure.", "io.cucumber.", "org.apache.catalina.", "org.apache.tomcat.", "org.apache.coyote.", "org.hibernate.", "com.zaxxer.", "com.fasterxml.", "jakarta.", "io.netty.", "reactor.", "org.eclipse.jetty.", "com.intuit.karate.", "io.karatelabs.", "munit.", "org.specs2.",
}
