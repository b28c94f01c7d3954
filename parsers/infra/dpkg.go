package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("dpkg | dpkg-deb dpkg-query", func(p *tool.Parser) {
	p.Is("dpkg", result.Package, 1, "dpkg, dpkg-deb and dpkg-query 1.19 to 1.22: errors")
	p.Reads(tool.Format{Name: "text", Starts: []string{"dpkg: error ", "dpkg: error: ", "dpkg-deb: error: "}, Parse: dpkgText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(dpkgText.Parse)})
})

var dpkgText = read.Said{
	Errors:   []string{"dpkg-deb: error: ", "dpkg-query: error: "},
	Warnings: []string{"dpkg: warning: ", "dpkg-query: warning: "}, Other: dpkgLine,
}

// notInstalled returns the package in "package 'x' is not installed", or "".
func notInstalled(message string) string {
	name, _ := strings.CutPrefix(message, "package '")
	name, _, installed := strings.Cut(name, "' is not installed")
	if !installed {
		return ""
	}
	return name
}

// dpkgLine reads "dpkg: error: text", and "dpkg: error processing package x
// (--configure):", whose reason stands below it.
func dpkgLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "dpkg: error: "); ok {
		if strings.HasPrefix(message, "unknown option ") || strings.HasPrefix(message, "need an action option") {
			s.Meaning = result.MeansUsage
		}
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	if message, ok := strings.CutPrefix(l.Text, "dpkg-query: "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, ID: notInstalled(message), Message: message})
	}
	rest, ok := strings.CutPrefix(l.Text, "dpkg: error processing ")
	if !ok {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Message: "error processing " + strings.TrimSuffix(rest, ":")}
	if what, name, has := strings.Cut(rest, " "); has && (what == "package" || what == "archive") {
		f.ID, _, _ = strings.Cut(name, " ")
	}
	return s.Find(l, f)
}
