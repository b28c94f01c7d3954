package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// The patterns of extract. They match forms that many tools share, not the format of one.
var (
	escape = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")

	// place matches path.ext:LINE, with or without a column, and path.ext(LINE,COLUMN).
	place = regexp.MustCompile(`(?:^|[\s"'(\[|=>])((?:[\w@.+-]*[/\\])*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9})(?::([1-9]\d*)(?::\d+)?|\(([1-9]\d*),\d+\))(?:[\s:,)\]"'|]|$)`)

	// testLines match the name of a failed test.
	testLines = []*regexp.Regexp{
		regexp.MustCompile(`^(?:FAILED|ERROR) (\S+::[^\s\[]+(?:\[.*\])?)(?: - .*)?$`),
		regexp.MustCompile(`^\s*--- FAIL: (\S+)`),
		regexp.MustCompile(`^test (\S+) \.\.\. FAILED$`),
		regexp.MustCompile(`^\s*not ok \d+ (?:- )?([^#]+?)$`),
	}

	// code matches codes such as E501, SC2086, TS2322 or E0308, which count as rules if the line
	// has a place or begins with headline.
	code     = regexp.MustCompile(`(?:^|[\s\[(])([A-Z]{1,6}\d{2,5})(?:[\s:\])]|$)`)
	headline = regexp.MustCompile(`^(?:error|warning)\b`)
)

// elsewhere are parts of paths outside of the project: frames of libraries and runtimes.
var elsewhere = []string{"/usr/", "/opt/", "/lib/", "site-packages/", "dist-packages/", "node_modules/", ".cargo/", "/rustc/", "/go/src/", "/go/pkg/", "internal/", "libsanitizer/", "sysdeps/", "csu/libc-start", "_testmain.go"}

// library matches a stack frame of the JVM or of a test runner, which has a class instead of a directory:
// "org.junit.jupiter.api.AssertEquals.fail(AssertEquals.java:197)".
var library = regexp.MustCompile(`(?:^|[\s/])(?:java|javax|jdk|sun|org\.junit|org\.opentest4j|org\.testng|org\.apache\.maven)\.[\w.$<>]+\(\w+\.java:\d+\)`)

// method matches a row of surefire, "AccountTest.adds:7 sum ==> …", whose class and method look like a file name.
var method = regexp.MustCompile(`^\[ERROR\]\s+[A-Z]\w*\.[a-z]\w*:\d+ `)

// home is the home directory in the recorded runs of package golden.
const home = "/home/dev/"

// extract finds facts in raw output without knowing the tool: places (path:line), failed tests and rule codes. It
// reports too many on purpose: a place in an unimportant line counts like any other.
func extract(raw []byte, cwd string) (facts []fact) {
	add := func(kind, text string) {
		if f := (fact{Kind: kind, Text: text}); text != "" && !slices.Contains(facts, f) {
			facts = append(facts, f)
		}
	}
	for l := range strings.Lines(escape.ReplaceAllString(string(raw), "")) {
		l = strings.TrimRight(l, "\r\n")
		for _, pattern := range testLines {
			if m := pattern.FindStringSubmatch(l); m != nil {
				add("test", m[1])
			}
		}
		found := places(l, cwd)
		for _, p := range found {
			add("at", p)
		}
		if len(found) > 0 || headline.MatchString(l) {
			for _, m := range code.FindAllStringSubmatch(l, -1) {
				add("rule", m[1])
			}
		}
	}
	return facts
}

// places returns the places in one line, relative to cwd if they are below it.
func places(l, cwd string) (all []string) {
	if library.MatchString(l) || method.MatchString(l) {
		return nil
	}
	for _, m := range place.FindAllStringSubmatch(l, -1) {
		file := strings.ReplaceAll(m[1], `\`, "/")
		if slices.ContainsFunc(elsewhere, func(e string) bool { return strings.Contains(file, e) }) {
			continue
		}
		if cwd != "" {
			file = strings.TrimPrefix(file, strings.TrimSuffix(cwd, "/")+"/")
		}
		if below, ok := strings.CutPrefix(file, home); ok {
			file = "~/" + below
		}
		all = append(all, path.Clean(file)+":"+m[2]+m[3])
	}
	return all
}
