package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs that make files of other files, with a form of their own each.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "thrift", Kind: result.Build, Version: 1,
		About:   "thrift 0.13 to 0.22: definitions that do not parse",
		Matches: tool.Runs("thrift"), Programs: []string{"thrift"},
		Formats: []tool.Format{{Name: "text", Starts: []string{"[ERROR:…] (last token was ", "[WARNING:….thrift:", "[FAILURE:"}, Parse: read.Text{Line: thriftLine}.Parse}},
	}
})

// thriftLine reads "[ERROR:/home/dev/s.thrift:5] (last token was '}')", whose message is
// the line below, and "[FAILURE:arguments:1] text".
func thriftLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	word, where, named := strings.Cut(head, ":")
	if !ok || !named || !strings.HasPrefix(l.Text, "[") || word != "ERROR" && word != "FAILURE" && word != "WARNING" {
		f := s.Last()
		if f == nil || l.Text == "" || !strings.HasPrefix(f.Message, "(last token was ") {
			return false
		}
		f.Message = l.Text
		s.More(l)
		return true
	}
	f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	if path, line, placed := place.CutLineNumber(where); placed && path != "arguments" && path != "generation" {
		f.At = &result.Location{Path: path, Line: line}
	}
	if strings.Contains(message, "Parser error during include pass") && len(s.Findings) > 0 {
		return true
	}
	s.Find(l, f)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "m4", Kind: result.Build, Version: 1,
		About:   "GNU m4 1.4: errors and warnings with their place",
		Matches: tool.Runs("m4"), Programs: []string{"m4"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: m4Line}.Parse)}},
	}
})

// m4Line reads "m4:a.m4:3: text".
func m4Line(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "m4:")
	if !ok || l.Stream != tool.Stderr {
		return false
	}
	f := result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(rest)}
	if at, message, placed := place.Cut(rest); placed && message != "" {
		f.RawSeverity, f.Message = read.CutSeverity(message)
		f.Severity, f.At = read.SeverityOf(f.RawSeverity), &at
	} else if strings.HasPrefix(f.Message, "unrecognized option ") || strings.HasPrefix(f.Message, "invalid option ") {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "gnuplot", Kind: result.Generic, Version: 1,
		About:   "gnuplot 5 and 6: scripts that stop",
		Matches: tool.Runs("gnuplot"), Programs: []string{"gnuplot"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(func(in *tool.Input) *tool.Report {
			return read.Text{Line: (&gnuplot{}).line}.Parse(in)
		})}},
	}
})

// gnuplot reads the line of the script, a caret below it, and then
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
		if strings.HasPrefix(l.Text, "system error: ") && s.Last() != nil {
			s.More(l)
			return true
		}
		return false
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

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "bibtex", Kind: result.Build, Version: 1,
		About:   "BibTeX 0.99: databases that do not parse, entries that are missing",
		Matches: tool.Runs("bibtex", "bibtex8", "bibtexu"), Programs: []string{"bibtex"},
		Formats: []tool.Format{{Name: "text", Starts: []string{"This is BibTeX, Version "}, Parse: parseBibtex}, {Name: "text", Parse: parseBibtex}},
	}
})

func parseBibtex(in *tool.Input) *tool.Report { return read.Text{Line: (&bibtex{}).line}.Parse(in) }

// bibtex reads a message and its place, which may stand below it, and warnings:
//
//	I was expecting a `,' or a `}'---line 2 of file b.bib
//	Warning--I didn't find a database entry for "missing"
//	(There were 2 error messages)
type bibtex struct{ above tool.Line }

func (b *bibtex) line(s *read.Sink, l tool.Line) bool {
	above := b.above
	b.above = l
	message, where, ok := strings.Cut(l.Text, "---line ")
	line, file, placed := strings.Cut(where, " of file ")
	if ok && placed && lex.IsDigits(line) {
		head := l
		if message == "" {
			head, message = above, above.Text
		}
		s.Find(head, result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: file, Line: lex.Atoi(line)}})
		if head.Text != l.Text {
			s.More(l)
		}
		return true
	}
	if text, file, ok := strings.Cut(l.Text, "---while reading file "); ok {
		s.Find(l, result.Finding{Kind: result.BuildError, Message: text, At: &result.Location{Path: file}})
		return true
	}
	if text, ok := strings.CutPrefix(l.Text, "Warning--"); ok {
		s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: text})
		return true
	}
	switch rest, counted := strings.CutPrefix(l.Text, "(There w"); {
	case strings.HasPrefix(l.Text, "--line ") && s.Last() != nil: // "--line 7 of file b.bib", below a warning
		line, file, _ := strings.Cut(l.Text[7:], " of file ")
		s.Last().At = &result.Location{Path: file, Line: lex.Atoi(line)}
	case counted:
		if _, n, _ := strings.Cut(rest, " "); strings.Contains(n, "error") {
			s.Claim(max(lex.LeadingNumber(n), 1))
		}
		s.Close(l)
	case strings.HasPrefix(l.Text, "This is BibTeX, Version "):
		s.Sign(l)
	case strings.HasPrefix(l.Text, "I couldn't open file name `"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
		s.Meaning = result.MeansUsage
	default:
		return false
	}
	return true
}
