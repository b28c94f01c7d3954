package exchange

import (
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("junit", result.Test, 2, "JUnit XML of pytest, surefire, gradle, jest-junit, vitest, go-junit-report, gotestsum, phpunit, playwright, ctest, GoogleTest, cargo-nextest, node, mocha, bats and others")
	p.Files = writers()
	p.Reads(tool.Format{
		Name:   "junit",
		Starts: []string{"<testsuite", "<?xml…<testsuite"},
		Sniff:  junit.IsLine,
		Parse:  junit.Parse,
	})
}, tool.WritesFiles)
