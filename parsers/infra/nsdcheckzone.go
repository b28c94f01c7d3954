package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("nsd-checkzone", func(p *tool.Parser) {
	p.Is("nsd-checkzone", result.Infra, 1, "nsd-checkzone 4: what is wrong in a zone")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: nsdLine}.Parse)})
})

// nsdLine reads "[2026-11-22 23:31:11.269] nsd-checkzone[24773]: error: z.zone:4: text" and the closing line, "zone
// x.org file z.zone has 5 errors".
func nsdLine(s *read.Sink, l tool.Line) bool {
	if words := strings.Fields(l.Text); len(words) == 7 && words[0] == "zone" && words[2] == "file" && lex.IsDigits(words[5]) {
		s.Claim(lex.Atoi(words[5]))
		return s.Close(l)
	}
	_, said, ok := strings.Cut(l.Text, "] nsd-checkzone[")
	_, said, told := strings.Cut(said, "]: ")
	word, message := read.CutSeverity(said)
	if !ok || !told || word == "" {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
	if path, rest, _ := strings.Cut(message, ":"); !strings.Contains(path, " ") {
		if line, text, placed := strings.Cut(rest, ": "); placed && lex.IsDigits(line) {
			f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, text
		}
	}
	return s.Find(l, f)
}
