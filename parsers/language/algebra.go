package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The systems for algebra in this file go on with the next command after an error, and exit 0.

var _ = Room.Add("gap", func(p *tool.Parser) {
	p.Is("gap", result.Generic, 1, "GAP 4.12")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: gapLine}.Parse)})
})

var _ = Room.Add("gp", func(p *tool.Parser) {
	p.Is("gp", result.Generic, 1, "PARI/GP 2.15")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*gp).line))})
})

var _ = Room.Add("bc dc", func(p *tool.Parser) {
	p.Is("bc", result.Generic, 1, "GNU bc and dc 1.07")
	ended := func(f *result.Finding) { f.Kind = result.Panic }
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.BuildError, Rows: []read.Row{
		{Form: "dc: {message}", Fit: ended}, {Form: "Runtime error (func={}): {message}", Fit: ended},
		{Form: "Runtime warning (func={}): {message}", As: read.Warning, Fit: func(f *result.Finding) { f.Kind, f.RawSeverity = result.Diagnostic, "warning" }},
		{Form: "(standard_in) {}: {message}"}, {Form: "{path} {line}: {message}"},
	}}.Parse)})
})

// gapLine reads an error, and the calls that led to it:
//
//	Syntax error: expression expected in e.g:2
//	Error, no 1st choice method found for `+' on 2 arguments at /usr/share/gap/lib/methsel2.g:249 called from
//	x + "a" at r.g:1 called from
//	 called from read-eval loop at r.g:2
//
// GAP prints "Error, no method found!" before the error itself.
func gapLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSuffix(l.Text, " called from")
	switch f := s.Last(); {
	case strings.HasPrefix(l.Text, "Syntax error: ") || strings.HasPrefix(l.Text, "Syntax warning: "):
		word, message, _ := strings.Cut(l.Text, ": ")
		foundAt(s, l, result.BuildError, " in ", message)
		if word == "Syntax warning" {
			s.Last().Severity = result.SevWarning
		}
		return true
	case strings.HasPrefix(l.Text, "Error, no method found! "):
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "Error, "):
		return foundAt(s, l, result.Panic, " at ", text[len("Error, "):])
	case f == nil || l.Text == "":
		return false
	case strings.HasPrefix(l.Text, "type 'quit;' ") || strings.HasPrefix(l.Text, "you can ") || strings.HasPrefix(l.Text, "Reading file ") && strings.HasSuffix(l.Text, " has been aborted."):
		return s.Reach(l)
	}
	s.More(l)
	if f := s.Last(); f.At == nil || result.Installed(f.At.Path) {
		if at, _, ok := cutAtEnd(text, " at "); ok {
			f.At = at
		}
	}
	return true
}

func foundAt(s *read.Sink, l tool.Line, kind result.FindingKind, before, message string) bool {
	f := result.Finding{Kind: kind, Message: message}
	if at, rest, ok := cutAtEnd(message, before); ok {
		f.At, f.Message = at, rest
	}
	return s.Find(l, f)
}

// cutAtEnd cuts word and the place "path:12" behind it off the end of text; ok reports whether they are there.
func cutAtEnd(text, word string) (at *result.Location, rest string, ok bool) {
	i := strings.LastIndex(text, word)
	if i < 0 {
		return nil, text, false
	}
	path, line, ok := place.CutLineNumber(text[i+len(word):])
	return &result.Location{Path: path, Line: line}, text[:i], ok
}

// gp reads errors and warnings, which begin with "***":
//
//	  ***   at top-level: print(f(0))
//	  ***                       ^-----
//	  *** _/_: impossible inverse in gdiv: 0.
//	  ***   syntax error, unexpected end of file: f(x)=x^
//	... skipping file 'e.gp'
//
// GP prints the steps that led to an error before the error.
type gp struct{ steps []tool.Line } // the steps of an error that is still to come

func (g *gp) line(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutPrefix(l.Text, "... skipping file '"); ok {
		if f := s.Last(); f != nil {
			f.At = &result.Location{Path: strings.TrimSuffix(path, "'")}
		}
		s.Reach(l)
		return s.Break()
	}
	text, ok := strings.CutPrefix(l.Text, "  *** ")
	message := strings.TrimSpace(text)
	switch {
	case !ok:
		s.Break()
		return false
	case strings.HasPrefix(message, "Warning: ") || strings.Contains(message, ": Warning: "):
		return s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, RawSeverity: "warning", Message: message})
	case strings.HasPrefix(text, "  syntax error"):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case !strings.HasPrefix(text, " "):
		s.Find(l, result.Finding{Kind: result.Panic, Message: message})
	case s.Last() != nil && len(g.steps) == 0 && !strings.HasPrefix(message, "at top-level: "):
		return s.More(l)
	default:
		g.steps = append(g.steps, l)
		s.Cover(l)
		return s.Break()
	}
	for _, step := range g.steps {
		s.More(step)
	}
	g.steps = nil
	return true
}

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
