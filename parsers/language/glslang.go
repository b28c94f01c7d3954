package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("glslang glslangValidator", func(p *tool.Parser) {
	p.Is("glslang", result.Build, 1, "glslang 11 to 15, Khronos' compiler of shaders")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*glslang).line))})
})

// glslang holds the file whose messages follow: its path stands alone on a line.
type glslang struct{ file string }

// line reads "ERROR: 0:4: 'x' : undeclared identifier", in which 0 stands for the file named above and 4 is the
// line, and "ERROR: t.vert:4: …", the form with an option for Vulkan.
func (g *glslang) line(s *read.Sink, l tool.Line) bool {
	word, rest := read.CutSeverity(l.Text)
	if word == "" || !strings.HasPrefix(l.Text, strings.ToUpper(word)+": ") {
		if message, wrong := strings.CutPrefix(l.Text, "glslangValidator: Error: "); wrong {
			return s.Misuse(l, message)
		}
		g.file = strings.TrimSpace(l.Text)
		return strings.Contains(g.file, ".") && !strings.Contains(g.file, " ")
	}
	f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Message: strings.TrimSpace(rest)}
	count, counted, ok := strings.Cut(f.Message, " compilation error")
	if ok && lex.IsDigits(count) && strings.HasPrefix(counted, "s.") {
		s.Claim(lex.Atoi(count))
		return s.Close(l)
	}
	where, message, _ := strings.Cut(f.Message, ": ")
	if path, line, placed := place.CutLineNumber(where); placed {
		if lex.IsDigits(path) && g.file != "" {
			path = g.file
		}
		f.At, f.Message = &result.Location{Path: path, Line: line}, strings.TrimSpace(message)
	}
	return s.Find(l, f)
}
