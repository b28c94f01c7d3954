package prose

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mkdocs", func(p *tool.Parser) {
	p.Is("mkdocs", result.Build, 1, "MkDocs 1.x: build, serve, --strict")
	p.Reads(tool.Format{Name: "text", Starts: []string{"INFO    -  Building documentation to directory: "}, Named: true, Parse: read.IfFound(read.Said{
		Kind: result.Diagnostic, Errors: []string{"ERROR    -  ", "ERROR   -  ", "Config file "}, Warnings: []string{"WARNING -  ", "WARNING  -  "},
		Fill: fillMkdocs, Other: func(s *read.Sink, l tool.Line) bool {
			if strings.HasPrefix(l.Text, "INFO    -  ") {
				return s.Break() && s.Sign(l)
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
	doc, isDoc := strings.CutPrefix(f.Message, "Doc file '")
	value, isValue := strings.CutPrefix(f.Message, "Config value '")
	if path, _, found := strings.Cut(doc, "'"); isDoc && found {
		f.At = &result.Location{Path: "docs/" + path}
	}
	if name, why, found := strings.Cut(value, "': "); isValue && found {
		f.Rule, f.Message = name, why
	}
}

var _ = Room.Add("hugo", func(p *tool.Parser) {
	p.Is("hugo", result.Build, 1, "Hugo 0.100 to 0.1xx: the build of a site, and wrong calls")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Start building sites …"}, Named: true, Parse: read.IfFound(read.Said{
		Kind: result.BuildError, Errors: []string{"ERROR ", "Error: "}, Warnings: []string{"WARN "}, Fill: fillHugo, Other: hugoLine, End: endHugo,
	}.Parse)})
})

// fillHugo removes the time from a message, and makes the last place in it the finding's. The places before it are of
// templates that include that file.
//
//	2026/01/31 12:00:00 render of "page" failed: "/site/layouts/baseof.html:16:8": execute of template failed: …
func fillHugo(f *result.Finding) {
	text := strings.TrimSpace(f.Message)
	if date, rest, ok := strings.Cut(text, " "); ok && strings.Count(date, "/") == 2 && lex.IsDigits(strings.ReplaceAll(date, "/", "")) {
		_, text, _ = strings.Cut(rest, " ")
	}
	for _, doing := range []string{"Error building site: ", "error building site: ", "failed to render pages: ", "render: "} {
		text = strings.TrimPrefix(text, doing)
	}
	places := hugoPlaces().FindAllStringSubmatchIndex(text, -1)
	f.Message = text
	for i, m := range places {
		at := &result.Location{Path: text[m[2]:m[3]], Line: lex.Atoi(text[m[4]:m[5]]), Column: lex.Atoi(text[m[6]:m[7]])}
		if i < len(places)-1 {
			f.Related = append(f.Related, result.Related{At: at})
			continue
		}
		f.At = at
		why := text[m[1]:]
		if _, at, ok := strings.Cut(why, "\" at <"); ok && strings.HasPrefix(why, "execute of template failed: ") {
			why = "<" + at
		}
		f.Message = text[:places[0][0]] + why
	}
}

var hugoPlaces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]+):(\d{1,8}):(\d{1,8})": `) })

func hugoLine(s *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "Start building sites …") && s.Sign(l) && s.Break()
}

// endHugo drops the closing error if it repeats one above.
func endHugo(s *read.Sink) {
	n := len(s.Findings) - 1
	if n < 0 {
		return
	}
	last := &s.Findings[n]
	if lex.HasAnyPrefix(last.Message, "unknown flag: ", "unknown command ", "unknown shorthand flag: ") {
		last.Kind, s.Meaning = result.GenericFinding, result.MeansUsage
	}
	if slices.ContainsFunc(s.Findings[:n], func(f result.Finding) bool {
		return f.Message == last.Message && f.At != nil && last.At != nil && *f.At == *last.At
	}) {
		s.Findings = s.Findings[:n]
	}
}
