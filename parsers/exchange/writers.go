package exchange

import "cairn/parsers/tool"

// writers returns where tools write JUnit XML whose printed output has no parser.
func writers() []tool.Files {
	return []tool.Files{
		{
			Flags: append(tool.ReportFlags(
				"--junit-report",          // ginkgo
				"--xunit-output",          // swift
				"--junit-xml-path",        // nose2
				"--xunit-file",            // nose
				"--reporter-junit-export", // newman
				"--junit-output-path",     // platformio
				"--report-junit-path",     // schemathesis
			), tool.FileFlag{Flag: "--output", Of: []string{"xcpretty"}}),
			Variables: []string{"JUNIT_REPORT_PATH", "XUNIT_FILE"},
			Folders:   []string{"CI_REPORTS", "JUNIT_OUTPUT_DIR"},
		},
		{Shared: true, Programs: []string{"cypress", "karma", "wdio"}},
		{
			Places:   []string{"target/test-reports/TEST-*.xml", "*/target/test-reports/TEST-*.xml"},
			Homes:    []string{"build.sbt"},
			Programs: []string{"sbt"},
		},
		{
			Places:   []string{"meson-logs/testlog.junit.xml", "*/meson-logs/testlog.junit.xml"},
			Programs: []string{"meson"},
		},
	}
}
