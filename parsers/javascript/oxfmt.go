package javascript

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("oxfmt", func(p *tool.Parser) {
	p.Is("oxfmt", result.Format, 1, "oxfmt 0.10 to 0.50: --check, --list-different")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		argv := in.Command().Argv
		o := oxfmt{lists: slices.Contains(argv, "--list-different") || slices.Contains(argv, "-l")}
		return read.Text{Line: o.line}.Parse(in)
	}})
})

// oxfmt reads the unformatted files, "a.ts (0ms)" below "Checking formatting...", their number, and a framed error
// for a file that does not parse.
type oxfmt struct {
	read.Framed
	lists bool // --list-different: names without times
}

func (o *oxfmt) line(s *read.Sink, l tool.Line) bool {
	if o.Line(s, l) {
		return true
	}
	name, time, timed := strings.Cut(l.Text, " (")
	said, issues := strings.CutPrefix(l.Text, "Format issues found in above ")
	switch {
	case issues:
		s.Claim(lex.LeadingNumber(said))
		return s.Close(l)
	case l.Text == "Checking formatting...":
		return s.Sign(l)
	case lex.HasAnyPrefix(l.Text, "Expected at least one target file", "Failed to read ", "Failed to parse "), strings.HasPrefix(l.Text, "Error: no such flag"):
		s.Misuse(l, l.Text)
		return s.Break()
	case timed && strings.HasSuffix(time, "ms)") && prettierPath(name), o.lists && l.Stream == tool.Stdout && prettierPath(l.Text):
		prettierUnformatted(s, l, name)
		return s.Break()
	}
	return false
}
