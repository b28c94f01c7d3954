package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// stubtest compares stubs with the modules that they describe, and prints a block for each object that differs:
//
//	error: ledg.add is inconsistent, stub does not have parameter "b"
//	Stub: in file /src/stubs/ledg/__init__.pyi:1
//	Runtime: in file /src/ledg/__init__.py:3
//
// With --concise it prints the first lines alone, without "error: ".
var _ = Room.Add("stubtest | mypy.stubtest", func(p *tool.Parser) {
	p.Is("stubtest", result.Typecheck, 1, "stubtest of mypy 0.900 and later: default, --concise")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "Stub: in file {path}:{line}", As: read.Fill},
		{Form: "Stub: in file {path}", As: read.Fill},
		{Form: "{path}:{line}: error: {message} [{rule}]"}, // mypy's error about a stub that it cannot read
		{Form: "error: not checking stubs {message}", Fit: func(f *result.Finding) { f.Kind, f.Message = result.GenericFinding, "not checking stubs "+f.Message }},
		{Form: "note: unused allowlist entry {id}", Fit: func(f *result.Finding) {
			f.Rule, f.Severity, f.Message = "unused-allowlist-entry", result.SevError, "unused allowlist entry "+f.ID
		}},
		{Form: "error: {id} {message}"},
		{Form: "Found {#error} error{} (checked {}", As: read.Close},
		{Form: "Success: no issues found in {}", As: read.Close},
	}, Other: stubtestShort, Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" }}.Parse})
	p.Reads(read.PythonTrouble("stubtest"))
})

// stubtestShort reads the form of --concise.
func stubtestShort(s *read.Sink, l tool.Line) bool {
	object, message, _ := strings.Cut(l.Text, " ")
	return isDotted(object) && stubtestSays(message) && s.Find(l, result.Finding{ID: object, Message: message})
}

// stubtestSays reports whether a text begins as stubtest's messages about an object do.
func stubtestSays(message string) bool {
	return lex.HasAnyPrefix(message, "is not ", "is inconsistent", "is a ", "variable differs", "failed to ", "cannot be ", "stub ", "runtime ")
}
