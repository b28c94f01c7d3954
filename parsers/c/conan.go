package c

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("conan", func(p *tool.Parser) {
	p.Is("conan", result.Build, 1, "Conan 2: recipes and packages that failed; what the compiler prints is the compiler's")
	p.Reads(tool.Format{Name: "text", Starts: []string{"======== Computing dependency graph ========", "Calling build()"}, Named: true, Parse: read.IfFound(read.Rows{Kind: result.BuildError, Rows: []read.Row{
		{Form: "ERROR: {id}: Error in {message}"}, {Form: "ERROR: Error loading conanfile at '{path}': {message}"}, {Form: "ERROR: {id}: Invalid: {message}"},
		{Form: "Package '{}' build failed", As: read.Skip}, {Form: "ERROR:", As: read.Skip}, {Form: "ERROR: {message}"},
	}, Below: belowRecipe}.Parse)})
})

// belowRecipe reads the source of an error in a recipe, and the exception: "\tConanException: Error 3 while executing".
func belowRecipe(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f == nil || len(l.Text) < 2 || l.Text[0] != '\t' {
		return false
	}
	f.Message += ": " + l.Text[1:]
	return true
}
