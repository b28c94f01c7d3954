package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sed gsed", func(p *tool.Parser) {
	p.Is("sed", result.Generic, 1, "GNU sed 4: scripts that are wrong, files that cannot be read")
	p.Reads(tool.Format{Name: "text", Starts: []string{"sed: -e expression #"}, Parse: read.Text{Line: sedLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: sedLine}.Parse)})
})

// sedLine reads "sed: -e expression #1, char 8: text" and "sed: file a.sed line 1: text".
func sedLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "sed: ")
	wrong := lex.HasAnyPrefix(message, "-e expression #", "file ", "unrecognized option ", "invalid option ", "no input files")
	if !ok || !wrong && !lex.HasAnyPrefix(message, "can't ", "couldn't ", "cannot ", "read error on ") {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if rest, inFile := strings.CutPrefix(message, "file "); inFile {
		place, why, _ := strings.Cut(rest, ": ")
		if path, n, ok := strings.Cut(place, " line "); ok && lex.IsDigits(n) && len(n) < 8 {
			f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(n)}, why
		}
	}
	if s.Find(l, f); wrong { // the exit code 1 does not prove misuse: a sed script may set it
		s.Meaning = result.MeansUsage
	}
	return true
}
