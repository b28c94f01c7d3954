package c

import (
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.AnyProgram, func() *tool.Parser {
	return &tool.Parser{
		Tool: "clang", Kind: result.Build, Version: 1, ColumnUnit: "byte",
		About:   "clang 10 to 21: clang, msvc and vi text, sarif; lld beside it",
		Matches: isClang, Programs: compilers("clang", "clang++"),
		Formats: []tool.Format{
			{Name: "sarif", Parse: parseCompilerSARIF},
			{Name: "text", Starts: []string{"1… generated.", "2… generated.", "3… generated.", "clang…: error: "}, Named: true, Parse: parseClang},
		},
	}
})

func parseClang(in *tool.Input) *tool.Report { return parseCompiler(in, true) }
