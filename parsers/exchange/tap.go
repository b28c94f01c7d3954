package exchange

import (
	"cairn/parsers/read/tap"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "tap", Kind: result.Test, Version: 1,
		About:   "Test Anything Protocol 12 to 14 of node, ava, mocha, vitest, tape, bats, Test::More and others",
		Formats: []tool.Format{{Name: "tap", Starts: []string{"TAP version 1", "1.."}, Sniff: tap.IsLine, Parse: tap.Tests}},
	}
})
