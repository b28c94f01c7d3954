package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// dvc prints an error in one line, "ERROR: text", and the errors of an invalid file with their places:
//
//	'./dvc.yaml' validation failed: 2 errors.
//
//	extra keys not allowed, in stages -> a -> cm, line 3, column 5
var _ = Room.Add("dvc", func(p *tool.Parser) {
	p.Is("dvc", result.Generic, 1, "dvc 2 and 3: every command's errors, files that are not valid")
	p.Exits = map[int]result.Meaning{254: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: dvcLine}.Parse})
	p.Reads(read.PythonTrouble("dvc"))
})

func dvcLine(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "ERROR: "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why, At: place.InSentence(why)})
	}
	path, rest, ok := strings.Cut(l.Text, "' validation failed: ")
	if ok && strings.HasPrefix(path, "'") {
		s.Path = strings.Clone(strings.TrimPrefix(path[1:], "./"))
		s.Claim(lex.LeadingNumber(rest))
		return true
	}
	if s.Last() != nil && s.Path != "" && strings.HasPrefix(l.Text, "  ") {
		return s.More(l) // the source at the place
	}
	message, where, ok := strings.Cut(l.Text, ", line ")
	line, column, _ := strings.Cut(where, ", column ")
	if !ok || s.Path == "" || !lex.IsDigits(line) || !lex.IsDigits(column) || len(line)+len(column) > 16 {
		return false
	}
	return s.Find(l, result.Finding{Message: message, At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
}
