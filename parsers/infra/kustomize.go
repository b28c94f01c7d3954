package infra

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kustomize", func(p *tool.Parser) {
	p.Is("kustomize", result.Infra, 1, "kustomize 4 and 5: what cannot be built, and what is deprecated")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"Error: "}, Warnings: []string{"# Warning: "}, Other: kustomizeLine, Fill: fillKustomize, End: callsWrong,
	}.Parse)})
})

// kustomizeLine reads the lines below an error that quotes a transformer's configuration. The reason follows the
// configuration:
//
//	Error: trouble configuring builtin PatchTransformer with config: `
//	paths:
//	- patch.yaml
//	`: evalsymlink failure on '/site/patch.yaml' : lstat /site/patch.yaml: no such file or directory
func kustomizeLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f == nil || !strings.HasSuffix(f.Message, " with config: `") {
		return false
	}
	why, ends := strings.CutPrefix(l.Text, "`: ")
	if ends {
		f.Message = strings.TrimSuffix(f.Message, " with config: `") + ": " + why
	}
	return s.More(l)
}

// fillKustomize finds the innermost folder in the error, and the file in it whose YAML is wrong:
//
//	accumulation err='accumulating resources from '../base': '/site/base' must resolve to a file': recursed accumulation of path '/site/base': … MalformedYAMLError: yaml: line 5: … in File: a.yaml
func fillKustomize(f *result.Finding) {
	const recursed = "recursed accumulation of path '"
	if i := strings.LastIndex(f.Message, recursed); i >= 0 {
		folder, why, _ := strings.Cut(f.Message[i+len(recursed):], "': ")
		_, file, ok := strings.Cut(why, " in File: ")
		if line := yamlLine(why); ok && line > 0 {
			f.At = &result.Location{Path: path.Join(folder, file), Line: line}
		}
		f.Message = why
	}
}
