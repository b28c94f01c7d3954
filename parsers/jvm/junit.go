package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// The dialects of JUnit XML that Gradle, and surefire and failsafe of Maven, write. Both keep
// the reports of a module in the module's directory.

var mavenReports = &tool.Dialect{
	Property: func(name string) bool {
		return strings.HasPrefix(name, "surefire.") || name == "maven.home" || name == "basedir"
	},
	Suite:   func(tag *tool.SuiteTag) bool { return strings.Contains(tag.Schema, "surefire") },
	Repeats: mavenRepeats,
	Sources: func(base, report string) (dir string, known bool) {
		if base != "" {
			return base + "/src/test", true
		}
		for _, reported := range [...]string{"target/surefire-reports/", "target/failsafe-reports/"} {
			if before, _, ok := strings.Cut(report, reported); ok {
				return before + "src/test", true
			}
		}
		return "", false
	},
}

var gradleReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool { // only the order of attributes shows that a report is Gradle's
		return !tag.All && strings.Join(tag.Attrs, " ") == "name tests skipped failures errors timestamp hostname time"
	},
	Repeats: func(line string) bool {
		switch line {
		case "Failures:", "FAILURE: Build failed with an exception.":
			return true
		}
		return strings.HasPrefix(line, "> There were failing tests.") || strings.HasPrefix(line, "Execution failed for task ':test'")
	},
	Sources: func(_, report string) (dir string, known bool) {
		before, task, ok := strings.Cut(report, "build/test-results/")
		if !ok {
			return "", false
		}
		task, _, _ = strings.Cut(task, "/")
		if strings.HasPrefix(task, "test") { // such as Android's testDebugUnitTest
			task = "test"
		}
		return before + "src/" + task, true
	},
}

func mavenRepeats(line string) bool {
	switch line {
	case "Failures:", "Errors:", "Tests in error:", "Failed tests:", "BUILD FAILURE", "[INFO] BUILD FAILURE", "There are test failures.":
		return true
	}
	return strings.HasPrefix(line, "Failed to execute goal ") && strings.Contains(line, "There are test failures.") ||
		lex.HasAnyPrefix(line, "Tests run: ", "-> [Help 1]", "[Help 1] http", "To see the full stack trace", "Re-run Maven using", "For more information about the errors",
			"Please refer to ", "See dump files", "After correcting the problems")
}

// feedNode is an engine, a class, a method or one run of a method.
type feedNode struct {
	above         *feedNode
	name          string
	class, method string // as --select-method takes them; "" if the output does not show them
	nth, below    int    // its number among the nodes below above, from 1; the number of nodes below it
	depth         int    // depth of its row, with --details=verbose
	started       bool   // testfeed announced it with STARTED, as it does for tests only
}

func (n *feedNode) add(name string) *feedNode {
	n.below++
	return &feedNode{above: n, name: strings.Clone(name), nth: n.below}
}

// path returns the nodes from the engine to n.
func (n *feedNode) path() []*feedNode {
	if n.above == nil {
		return nil
	}
	return append(n.above.path(), n)
}

func (n *feedNode) names() (names []string) {
	for _, up := range n.path() {
		names = append(names, up.name)
	}
	return names
}

func (n *feedNode) id() string {
	path := n.path()
	return treeID(n.names(), func(i int) int { return path[i].nth })
}

// identify takes class and method from "[engine:junit-jupiter]/[class:AccountTest]/[method:adds()]".
func (n *feedNode) identify(unique string) {
	for part := range strings.SplitSeq(unique, "/") {
		kind, value, _ := strings.Cut(strings.Trim(part, "[]"), ":")
		switch kind {
		case "class":
			n.class = strings.Clone(value)
		case "nested-class":
			n.class += "$" + value
		case "method", "test-template", "test-factory":
			n.method = strings.Clone(value)
		}
	}
}

// selectedBy returns the value of --select-method for a test, from the stack of its failure, or "". A row does not
// have the package, nor, for a test with a title, the method.
func (n *feedNode) selectedBy(stack []string) string {
	names := n.names()
	method := max(2, slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, "(") }))
	if len(names) <= method {
		return ""
	}
	for _, frame := range slices.Backward(stack) {
		function, _, _ := strings.Cut(strings.TrimPrefix(frame, "at "), "(")
		class, called, ok := lex.CutLast(function, ".")
		if !ok || strings.Contains(called, "$") || !strings.HasSuffix("."+class, "."+strings.Join(names[1:method], "$")) {
			continue
		}
		if strings.HasSuffix(names[method], ")") {
			called = names[method]
		}
		return class + "#" + called + index(strings.Join(names, ":"))
	}
	return ""
}
