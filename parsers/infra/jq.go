package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jq | gojq jaq", func(p *tool.Parser) {
	p.Is("jq", result.Generic, 1, "jq 1.5 to 1.8: programs that do not compile, input that is not JSON, values of another type")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		End: jqPlace, Kind: result.Diagnostic, Errors: []string{"jq: error: ", "jq: parse error: ", "parse error: ", "jq: error ", "jq: Unknown "}, Below: true,
		Other: func(_ *read.Sink, l tool.Line) bool {
			return strings.HasPrefix(l.Text, "jq: ") && strings.Contains(l.Text, " compile error")
		}, // the count of the errors above
	}.Parse})
})

// jqPlace moves " at line 3, column 14", where the input stops being JSON, from the messages to the places.
func jqPlace(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		message, where, ok := strings.Cut(f.Message, " at line ")
		line, column, found := strings.Cut(where, ", column ")
		if ok && found && lex.IsDigits(line) && lex.IsDigits(column) && len(where) < 24 {
			f.Message, f.At = message, &result.Location{Path: jqFile(s.In), Line: lex.Atoi(line), Column: lex.Atoi(column)}
		}
	}
}

// jqFile returns the file that the command names behind the filter, or "<stdin>".
func jqFile(in *tool.Input) string {
	args := slices.DeleteFunc(slices.Clone(in.Command().Argv), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(args) == 3 {
		return args[2]
	}
	return "<stdin>"
}
