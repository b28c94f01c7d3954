package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("chktex", func(p *tool.Parser) {
	p.Is("chktex", result.Lint, 1, "ChkTeX 1.7: its messages, and one a line (-v0)")
	p.Reads(chktexTemplate.Format("chktex"))
	p.Reads(tool.Format{Name: "text", Parse: chktexText.Parse})
})

// chktexTemplate reads the output of -f with the user's own format; "!n" in the format ends a line.
var chktexTemplate = read.Template{
	Letters: true,
	Names:   map[string]string{"f": "{path}", "l": "{line}", "c": "{column}", "m": "{message}", "n": "{rule}", "k": "{word}"},
}

// chktexText reads "Warning 11 in d.tex line 3: text", with the source and carets
// below it, and "d.tex:3:7:11:text".
var chktexText = read.Rows{
	Rows: []read.Row{
		{Form: "{severity} {rule} in {path} line {line}: {message}"},
		{Form: "{path}:{line}:{column}: {severity} {rule}: {message}"}, // a format that is often given to -f
		{Form: "{path}:{line}:{column}:{rule}:{message}", As: read.Warning},
		{Form: "chktex: WARNING -- {message}", As: read.Warning, Fit: func(f *result.Finding) { f.Kind = result.GenericFinding }},
		{Form: "chktex: {message}", As: read.Misuse},
		{Form: "ChkTeX v{}", As: read.Skip}, {Form: "No errors printed; {}", As: read.Skip},
	},
	Below: func(s *read.Sink, l tool.Line) bool {
		if at := s.Last().At; at != nil && at.Column == 0 && strings.Trim(l.Text, " ^") == "" {
			at.Column = strings.IndexByte(l.Text, '^') + 1
		}
		return l.Stream == tool.Stdout
	},
}
