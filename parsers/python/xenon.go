package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("xenon", func(p *tool.Parser) {
	p.Is("xenon", result.Lint, 1, "xenon 0.9: ranks of complexity")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR:xenon:"}, Parse: read.Text{Line: xenonLine}.Parse})
	p.Reads(read.PythonTrouble("xenon"))
})

// xenonLine reads `ERROR:xenon:block "harbor/tide.py:5 high" has a rank of C`.
func xenonLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, ":")
	message, ok := strings.CutPrefix(rest, "xenon:")
	if !ok || read.SeverityOf(word) == "" {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	before, quoted, _ := strings.Cut(message, `"`)
	quoted, says, isBlock := strings.Cut(quoted, `"`)
	where, name, _ := strings.Cut(quoted, " ")
	path, line, placed := place.CutLineNumber(where)
	cannot, isFile := strings.CutPrefix(message, "cannot parse ")
	switch parts := strings.Split(message, "'"); {
	case isBlock && placed && before == "block ":
		f.At, f.ID, f.Message = &result.Location{Path: path, Line: line}, name, "block"+says
	case isFile:
		file, why, _ := strings.Cut(cannot, ": ")
		reason, at, _ := strings.Cut(strings.TrimSuffix(why, ")"), " (<unknown>, line ")
		f.At, f.Message = &result.Location{Path: file, Line: lex.LeadingNumber(at)}, "cannot parse: "+reason
	case len(parts) == 3:
		f.At, f.Message = &result.Location{Path: parts[1]}, strings.TrimSpace(parts[0])+parts[2]
	}
	return s.Find(l, f)
}
