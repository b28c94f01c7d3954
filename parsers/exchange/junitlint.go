package exchange

import (
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("junit-lint", result.Lint, 1, "JUnit XML of linters: golangci-lint, phpcs, flake8, rubocop, luacheck, oxlint and others")
	p.Reads(tool.Format{
		Name: "junit", Evidence: tool.Shape,
		Starts: []string{"<testsuite", "<?xml…<testsuite"},
		Sniff:  junit.IsLine,
		Parse:  junit.Lints,
	})
})
