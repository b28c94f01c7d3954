package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pkg-config pkgconf", func(p *tool.Parser) {
	p.Is("pkg-config", result.Package, 1, "pkg-config 0.29 and pkgconf 1 and 2: packages that are missing or too old")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Usage: []string{"pkgconf: unknown option", "Unknown option "}, Notes: []string{"Perhaps you should add ", "to the PKG_CONFIG_PATH ", "You may find new versions "}, Other: pkgConfigLine,
	}.Parse)})
})

// pkgConfigLine reads "Package x was not found in the pkg-config search path." and the next line, which names the
// package that requires x.
func pkgConfigLine(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "Package ")
	rest, unmet := strings.CutPrefix(rest, "dependency requirement ")
	name, why, told := strings.Cut(rest, " ")
	if unmet {
		name, why, told = strings.Cut(strings.TrimPrefix(rest, "'"), "' ")
	}
	name = strings.Trim(name, "',")
	switch {
	case !ok || !told:
		return false
	case s.Last() != nil && (strings.Contains(why, "required by 'virtual:world'") || strings.HasPrefix(why, "has version ")):
		return s.More(l)
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, ID: name, Message: l.Text})
}
