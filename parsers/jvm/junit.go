package jvm

import (
	"strings"

	"cairn/parsers/tool"
)

// What Maven's surefire and failsafe, and Gradle, write as JUnit XML. Both keep
// reports in the module that they are of.

var mavenReports = &tool.Dialect{
	Property: func(name string) bool {
		return strings.HasPrefix(name, "surefire.") || name == "maven.home" || name == "basedir"
	},
	Suite: func(tag *tool.SuiteTag) bool { return strings.Contains(tag.Schema, "surefire") },
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
