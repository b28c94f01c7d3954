package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/tool"
)

// What Maven's surefire and failsafe, and Gradle, write as JUnit XML. Both keep
// reports in the module that they are of.

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
	Suite: func(tag *tool.SuiteTag) bool { // their order is all that its reports have of their own
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
		if strings.HasPrefix(task, "test") { // of Android: testDebugUnitTest
			task = "test"
		}
		return before + "src/" + task, true
	},
}

// mavenWords begin lines in which Maven says where to read more.
var mavenWords = []string{
	"Tests run: ", "-> [Help 1]", "[Help 1] http", "To see the full stack trace", "Re-run Maven using", "For more information about the errors",
	"Please refer to ", "See dump files", "After correcting the problems",
}

func mavenRepeats(line string) bool {
	switch line {
	case "Failures:", "Errors:", "Tests in error:", "Failed tests:", "BUILD FAILURE", "[INFO] BUILD FAILURE", "There are test failures.":
		return true
	}
	return strings.HasPrefix(line, "Failed to execute goal ") && strings.Contains(line, "There are test failures.") ||
		slices.ContainsFunc(mavenWords, func(w string) bool { return strings.HasPrefix(line, w) })
}
