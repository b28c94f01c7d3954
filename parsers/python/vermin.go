package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// vermin names the features that need a newer Python in two forms, and the target versions that are too old:
//
//	!2, 3.10     /src/v.py
//	  pattern matching requires !2, 3.10
//	/src/v.py:2::!2:3.10:pattern matching
//	Target versions not met:   3.6-
var _ = Room.Add("vermin", func(p *tool.Parser) {
	p.Is("vermin", result.Lint, 1, "vermin 1.x: --target, --violations, --format parsable")
	needs := func(f *result.Finding) {
		f.Rule, f.Message = "requires", strings.Replace(f.Message, " require ", " requires ", 1)
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{line}::{actual}:{expected}:{message}", Fit: func(f *result.Finding) {
			needs(f)
			f.Message += " requires " + f.Actual + ", " + f.Expected
			f.Actual, f.Expected = "", ""
		}},
		{Form: "{}::{}:{}.{}:", As: read.Skip}, // the sum for a file, or for all files
		{Form: "  {message}", Fit: needs},
		{Form: "Target versions not met:{message}", Fit: func(f *result.Finding) {
			f.At, f.Rule, f.Message = nil, "target", "Target versions not met: "+strings.TrimSpace(f.Message)
		}},
		{Form: "No files specified to analyze!", As: read.Misuse}, {Form: "Invalid target: {}", As: read.Misuse},
		{Form: "Minimum required versions:{}", As: read.Skip}, {Form: "Incompatible versions:{}", As: read.Skip}, {Form: "Tips:", As: read.Skip}, {Form: "- {}", As: read.Skip},
		{Form: "(disable using:{}", As: read.Skip}, {Form: "Detecting python files{}", As: read.Skip}, {Form: "Analyzing using {}", As: read.Skip},
		{Form: "{}.{}  {path}", As: read.InPath},
	}}.Parse})
	p.Reads(read.PythonTrouble("vermin"))
})
