package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mkdocs", func(p *tool.Parser) {
	p.Is("mkdocs", result.Build, 1, "MkDocs 1.x: build, serve, --strict")
	p.Reads(tool.Format{Name: "text", Starts: []string{"INFO    -  Building documentation to directory: "}, Named: true, Parse: read.IfFound(read.Said{
		Kind: result.Diagnostic, Errors: []string{"ERROR    -  ", "ERROR   -  ", "Config file "}, Warnings: []string{"WARNING -  ", "WARNING  -  "},
		Fill: fillMkdocs, Other: func(s *read.Sink, l tool.Line) bool {
			if strings.HasPrefix(l.Text, "INFO    -  ") {
				s.Break()
				return s.Sign(l)
			}
			if l.Text == "Aborted with a configuration error!" {
				s.Meaning = result.MeansUsage
			}
			return strings.HasPrefix(l.Text, "Aborted with ")
		},
	}.Parse)})
	p.Reads(read.PythonTrouble("mkdocs"))
})

// fillMkdocs takes the place from "Doc file 'index.md' contains a link …", and the rule from "Config value
// 'site_name': …".
func fillMkdocs(f *result.Finding) {
	if rest, ok := strings.CutPrefix(f.Message, "Doc file '"); ok {
		if path, _, found := strings.Cut(rest, "'"); found {
			f.At = &result.Location{Path: "docs/" + path}
		}
	}
	if rest, ok := strings.CutPrefix(f.Message, "Config value '"); ok {
		if name, why, found := strings.Cut(rest, "': "); found {
			f.Rule, f.Message = name, why
		}
	}
}
