package exchange

import (
	"cairn/parsers/read/tap"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("tap", result.Test, 1, "Test Anything Protocol 12 to 14 of node, ava, mocha, vitest, tape, bats, Test::More and others")
	p.Reads(tool.Format{Name: "tap", Starts: []string{"TAP version 1", "1.."}, Sniff: tap.IsLine, Parse: tap.Tests})
})
