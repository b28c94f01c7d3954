package jvm

import (
	"cmp"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("javacc jjtree", func(p *tool.Parser) {
	p.Is("javacc", result.Build, 1, "JavaCC 4 to 7")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Java Compiler Compiler Version "}, Named: true, Parse: read.Rows{
		Rows: []read.Row{
			{Form: "Reading from file {path} . . .", As: read.InPath},
			{Form: "{severity}: Line {line}, Column {column}: {message}"},
			{Form: "{}ParseException: {message} at line {line}, column {column}."},
			{Form: "{severity}: {message}"},
			{Form: "Detected {#error} errors and {#warning} warnings.", As: read.Close},
			{Form: "Parser generated with {#error} errors and {#warning} warnings.", As: read.Close},
			{Form: "Parser generated successfully.", As: read.Close},
			{Form: "Java Compiler Compiler Version {}", As: read.Skip},
		},
		Below: read.Indented,
		Kind:  result.BuildError,
	}.Parse})
})

var _ = Room.Add("jflex", func(p *tool.Parser) {
	p.Is("jflex", result.Build, 1, "JFlex 1.4 to 1.9")
	p.Reads(tool.Format{Name: "text", Starts: []string{`Error in file "…" (line `, `Warning in file "…" (line `}, Named: true, Parse: read.Rows{
		Rows: []read.Row{
			{Form: `{severity} in file "{path}" (line {line}):`},
			{Form: "{#error} error{}, {#warning} warning{}.", As: read.Close},
		},
		Below: func(s *read.Sink, l tool.Line) bool { // the message, then the source
			f := s.Last()
			f.Message = cmp.Or(f.Message, l.Text)
			return true
		},
		Kind: result.BuildError,
	}.Parse})
})
