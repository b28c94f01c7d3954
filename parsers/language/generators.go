package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("m4", func(p *tool.Parser) {
	p.Is("m4", result.Build, 1, "GNU m4 1.4: errors and warnings with their place")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Linter{Program: "m4", Kind: result.BuildError, Usage: []string{"m4: unrecognized option ", "m4: invalid option "}}.Parse)})
})

var _ = Room.Add("protoc", func(p *tool.Parser) {
	p.Is("protoc", result.Build, 1, "protoc 3 to 33: gcc and msvs")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Accept: isProtoc, Other: protocSays}.Parse})
})

func isProtoc(d *read.Diagnostic) bool {
	if column, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "in "), ": "); ok && strings.HasPrefix(column, "column=") {
		d.At.Column, d.Message = lex.Atoi(column[len("column="):]), message
	}
	return strings.HasSuffix(d.At.Path, ".proto")
}

// protocSays reads messages without a line number: "a.proto: text" and "name: text".
func protocSays(s *read.Sink, l tool.Line) bool {
	path, message, ok := strings.Cut(l.Text, ": ")
	switch {
	case l.Stream != tool.Stderr || !ok:
		return false
	case strings.HasSuffix(path, ".proto"):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: path}})
	default:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	}
	return true
}

var _ = Room.Add("thrift", func(p *tool.Parser) {
	p.Is("thrift", result.Build, 1, "thrift 0.13 to 0.22: definitions that do not parse")
	p.Reads(tool.Format{Name: "text", Starts: []string{"[ERROR:…] (last token was ", "[WARNING:….thrift:", "[FAILURE:"}, Parse: read.Text{Line: thriftLine}.Parse})
})

// thriftLine reads "[ERROR:/home/dev/s.thrift:5] (last token was '}')", whose message is the next line, and
// "[FAILURE:arguments:1] text".
func thriftLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	word, where, named := strings.Cut(head, ":")
	if !ok || !named || !strings.HasPrefix(l.Text, "[") || word != "ERROR" && word != "FAILURE" && word != "WARNING" {
		f := s.Last()
		if f == nil || l.Text == "" || !strings.HasPrefix(f.Message, "(last token was ") {
			return false
		}
		f.Message = l.Text
		return s.More(l)
	}
	f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	if path, line, placed := place.CutLineNumber(where); placed && path != "arguments" && path != "generation" {
		f.At = &result.Location{Path: path, Line: line}
	}
	if strings.Contains(message, "Parser error during include pass") && len(s.Findings) > 0 {
		return true
	}
	return s.Find(l, f)
}

var _ = Room.Add("gnuplot", func(p *tool.Parser) {
	p.Is("gnuplot", result.Generic, 1, "gnuplot 5 and 6: scripts that stop")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*gnuplot).line))})
})

// gnuplot reads the line of the script, the caret below it, whose column is the finding's, and then
//
//	"g.gp" line 2: unexpected or unrecognized token: wth
type gnuplot struct{ column int }

func (g *gnuplot) line(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr {
		return false
	}
	if strings.TrimLeft(l.Text, " ") == "^" {
		g.column = len(l.Text)
		return false
	}
	name, rest, ok := strings.Cut(l.Text, "line ")
	line, message, told := strings.Cut(rest, ": ")
	if !ok || !told || !lex.IsDigits(line) || name != "" && !strings.HasPrefix(name, `"`) {
		return strings.HasPrefix(l.Text, "system error: ") && s.Last() != nil && s.More(l)
	}
	f := result.Finding{Kind: result.BuildError, Message: message}
	f.RawSeverity, f.Message = read.CutSeverity(message)
	f.Severity = read.SeverityOf(f.RawSeverity)
	if name != "" {
		f.At = &result.Location{Path: strings.Trim(name, `" `), Line: lex.Atoi(line), Column: g.column}
	}
	s.Find(l, f)
	g.column = 0
	return true
}
