package exchange

import (
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "junit-lint", Kind: result.Lint, Version: 1,
		About: "JUnit XML of linters: golangci-lint, phpcs, flake8, rubocop, luacheck, oxlint and others",
		Formats: []tool.Format{{
			Name: "junit", Evidence: tool.Shape,
			Starts: []string{"<testsuite", "<?xml…<testsuite"},
			Sniff:  junit.IsLine,
			Parse:  junit.Lints,
		}},
	}
})
