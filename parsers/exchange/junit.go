package exchange

import (
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "junit", Kind: result.Test, Version: 2,
		About: "JUnit XML of pytest, surefire, gradle, jest-junit, vitest, go-junit-report, gotestsum, phpunit, playwright, ctest, GoogleTest, cargo-nextest, node, mocha, bats and others",
		Files: writers(),
		Formats: []tool.Format{{
			Name:   "junit",
			Starts: []string{"<testsuite", "<?xml…<testsuite"},
			Sniff:  junit.IsLine,
			Parse:  junit.Parse,
		}},
	}
}, tool.WritesFiles)
