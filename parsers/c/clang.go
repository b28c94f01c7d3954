package c

import (
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("clang", result.Build, 1, "clang 10 to 21: clang, msvc and vi text, sarif; lld beside it")
	p.ColumnUnit = "byte"
	p.Matches = isClang
	p.Programs = compilers("clang", "clang++")
	p.Reads(tool.Format{Name: "sarif", Parse: parseCompilerSARIF})
	p.Reads(tool.Format{Name: "text", Starts: []string{"1… generated.", "2… generated.", "3… generated.", "clang…: error: "}, Named: true, Parse: parseClang})
})

func parseClang(in *tool.Input) *tool.Report { return parseCompiler(in, true) }
