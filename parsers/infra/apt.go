package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("apt apt-get | apt-cache", func(p *tool.Parser) {
	p.Is("apt", result.Package, 1, "apt, apt-get and apt-cache 1.x to 2.x: errors and warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"E: Unable to locate package ", "E: Package '", "E: Version '", "E: Failed to fetch ", "E: Could not get lock ", "E: Sub-process "}, Parse: aptText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(aptText.Parse)})
})

var aptText = read.Said{Errors: []string{"E: "}, Warnings: []string{"W: "}, Fill: fillApt}

// fillApt names the package that an error is about.
func fillApt(f *result.Finding) {
	if rest, ok := lex.CutAnyPrefix(f.Message, "Unable to locate package ", "Package '"); ok {
		f.ID, _, _ = strings.Cut(rest, "'")
	}
}
