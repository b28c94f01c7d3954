package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vitepress", func(p *tool.Parser) {
	p.Is("vitepress", result.Build, 1, "vitepress build 1")
	p.Matches = tool.RunsSub("vitepress", "build")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: vitepressLine}.Parse})
})

// vitepressLine reads "(!) Found dead link ./nothere in file index.md", and the error below "build error:":
// "[plugin] text" and "file: path:6:7".
func vitepressLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if dead, ok := strings.CutPrefix(text, "(!) Found dead link "); ok {
		if link, path, ok := strings.Cut(dead, " in file "); ok {
			s.Find(l, result.Finding{Rule: "dead-link", Message: "dead link " + link, At: &result.Location{Path: below(s, path)}})
			s.Break()
		}
		return true
	}
	f := s.Last()
	switch where, placed := strings.CutPrefix(text, "file: "); {
	case text == "build error:":
		s.Path = text
	case placed && f != nil:
		if f.At == nil {
			f.At = place.LastColons(where)
		}
		s.Break()
	case s.Path != "" && strings.HasSuffix(text, " dead link(s) found."): // each has a finding
		s.Path = ""
	case s.Path != "" && text != "":
		s.Path = ""
		plugin, said := cutBracketed(text)
		_, said = cutBracketed(said)
		if plugin == "" || strings.HasPrefix(said, "Build failed with ") { // a compiler reports this error itself
			return false
		}
		found := viteOld(said)
		found.Rule = plugin
		s.Find(l, found)
	default:
		return false
	}
	return true
}

// below returns a path of the site as it is seen from the command's directory: the command names the site's folder.
func below(s *read.Sink, path string) string {
	for _, arg := range s.In.Command().Argv[1:] {
		if arg != "build" && arg[0] != '-' {
			return arg + "/" + path
		}
	}
	return path
}
