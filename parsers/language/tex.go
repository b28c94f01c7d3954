package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pdflatex xelatex lualatex latexmk | latex pdftex tex luatex xetex platex uplatex tectonic", func(p *tool.Parser) {
	p.Is("latex", result.Build, 1, "TeX Live 2019 to 2026: pdflatex, xelatex, lualatex, also below latexmk; errors and LaTeX's warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"This is pdfTeX, Version ", "This is XeTeX, Version ", "This is LuaHBTeX, Version ", "This is LuaTeX, Version ", "This is TeX, Version ", "This is e-upTeX"}, Named: true,
		Parse: read.Lines((*tex).line)})
})

// tex reads errors. TeX names their file only with -file-line-error; otherwise the error is in the file that was
// opened last, whose "(" is not closed yet:
//
//	(./t.tex
//	! Undefined control sequence.
//	l.3 \nosuchcommand
//	                   text
type tex struct {
	open    []string // the open files, innermost last; "" for a bracket that opened no file
	warning bool     // a warning is being read, which goes on up to an empty line
	summary bool     // latexmk's list of failed programs follows; they may have failed in an earlier run
	bib     *bibtex  // reads BibTeX's lines once BibTeX has started, else nil
}

func (x *tex) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	f := s.Last()
	switch {
	case strings.HasPrefix(t, "This is ") && strings.Contains(t, "TeX, Version "):
		if x.open, x.bib = nil, nil; strings.HasPrefix(t, "This is BibTeX, ") {
			x.bib = new(bibtex)
		}
		s.Sign(l)
	case x.bib != nil && x.bib.line(s, l):
	case strings.HasPrefix(t, "Collected error summary "):
		x.summary = s.Failures() == 0
		s.Sign(l)
	case x.summary && strings.HasPrefix(t, "  "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(t)})
		s.Break()
	case x.error(s, l, t), x.warns(s, l, t):
	case t == "":
		x.warning = false
		if f != nil && f.At != nil && f.At.Line > 0 {
			s.Break()
		}
	case x.warning && f != nil:
		f.Message += " " + strings.TrimSpace(t)
		x.place(f)
	case strings.HasPrefix(t, "l.") && f != nil && lex.LeadingNumber(t[2:]) > 0:
		x.at(f, lex.LeadingNumber(t[2:]))
		if f.Message == "Undefined control sequence" { // the macro that TeX read last is undefined
			f.Message += " " + t[strings.LastIndexByte(t, '\\')+1-min(1, strings.LastIndexByte(t, '\\')+1):]
		}
		s.More(l)
	case strings.HasPrefix(t, "Output written on "), strings.HasPrefix(t, "No pages of output."):
		s.Close(l)
	case lex.HasAnyPrefix(t, "Latexmk: ", "Transcript written on ", "Rc files read:"):
		x.summary = false
		s.Sign(l)
		s.Break()
	case f != nil && f.Severity == result.SevError && (t[0] == ' ' || t[0] == '<' || t[0] == '*' || t[0] == '\\'):
		s.More(l)
	default:
		x.files(t)
		return true
	}
	return true
}

// error reads "! text" and, with -file-line-error, "./t.tex:3: text".
func (x *tex) error(s *read.Sink, l tool.Line, t string) bool {
	if message, ok := strings.CutPrefix(t, "! "); ok {
		if again := message == "Emergency stop." && s.Failures() > 0; again && s.Last() != nil && s.Last().At == nil {
			return true // belongs to the error above, whose line follows
		} else if again || strings.HasPrefix(message, " ==> Fatal error occurred") {
			return s.Break()
		}
		return s.Find(l, x.finding(message))
	}
	at, message, ok := place.Cut(t)
	if !ok || !strings.Contains(at.Path, ".") || at.Column > 0 || message == "" || strings.HasPrefix(message, " ==> ") || message == "==> Fatal error occurred, no output PDF file produced!" ||
		message == "Emergency stop." && s.Failures() > 0 {
		return ok && (strings.Contains(message, "==> Fatal error") || message == "Emergency stop.")
	}
	f := x.finding(message)
	f.At = &at
	return s.Find(l, f)
}

// finding returns the finding of a message, with "LaTeX" or "babel" as the rule if the message begins with
// "LaTeX Error: " or "Package babel Error: ".
func (x *tex) finding(message string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(message, ".")}
	if who, rest, ok := strings.Cut(message, " Error: "); ok && !strings.Contains(who, "`") {
		f.Rule, f.Message = strings.TrimPrefix(who, "Package "), strings.TrimSuffix(rest, ".")
	}
	if path, ok := strings.CutPrefix(message, "I can't find file `"); ok {
		f.At = &result.Location{Path: strings.TrimRight(path, "'.")}
	}
	return f
}

// at gives a finding a line, in the file that is open if the finding has no file.
func (x *tex) at(f *result.Finding, line int) {
	if f.At == nil {
		for i := len(x.open) - 1; i >= 0 && f.At == nil; i-- {
			if x.open[i] != "" {
				f.At = &result.Location{Path: x.open[i]}
			}
		}
	}
	if f.At != nil && f.At.Line == 0 {
		f.At.Line = line
	}
}

// warns reads "LaTeX Warning: Reference `x' on page 1 undefined on input line 4."
func (x *tex) warns(s *read.Sink, l tool.Line, t string) bool {
	who, message, ok := strings.Cut(t, " Warning: ")
	if !ok || who != "LaTeX" && !strings.HasPrefix(who, "Package ") && !strings.HasPrefix(who, "Class ") && who != "LaTeX Font" {
		return false
	}
	s.Find(l, result.Finding{Severity: result.SevWarning, Rule: strings.TrimPrefix(who, "Package "), Message: message})
	x.warning = true
	x.place(s.Last())
	return true
}

// place takes " on input line 4." off the end of a warning and makes it the finding's place.
func (x *tex) place(f *result.Finding) {
	if f == nil {
		return
	}
	if what, line, ok := strings.Cut(f.Message, " on input line "); ok && strings.HasSuffix(line, ".") {
		x.warning = false
		if x.at(f, lex.LeadingNumber(line)); f.At != nil {
			f.Message = what
		}
	}
}

// files keeps x.open up to date with a line: "(./t.tex" opens a file, and ")" closes the innermost.
func (x *tex) files(t string) {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '(':
			name := t[i+1:]
			if end := strings.IndexAny(name, " ()<>[{"); end >= 0 {
				name = name[:end]
			}
			if !strings.ContainsAny(name, "./") || len(x.open) > 200 {
				name = ""
			}
			x.open = append(x.open, name)
		case ')':
			if n := len(x.open); n > 0 {
				x.open = x.open[:n-1]
			}
		}
	}
}

var _ = Room.Add("bibtex | bibtex8 bibtexu", func(p *tool.Parser) {
	p.Is("bibtex", result.Build, 1, "BibTeX 0.99: databases that do not parse, entries that are missing")
	p.Reads(tool.Format{Name: "text", Starts: []string{"This is BibTeX, Version "}, Parse: read.Lines((*bibtex).line)})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*bibtex).line)})
})

// bibtex reads warnings, and error messages with the place on the same line or on the next:
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
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: text, At: &result.Location{Path: file}})
	}
	if text, ok := strings.CutPrefix(l.Text, "Warning--"); ok {
		return s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: text})
	}
	switch rest, counted := strings.CutPrefix(l.Text, "(There w"); {
	case strings.HasPrefix(l.Text, "--line ") && s.Last() != nil: // "--line 7 of file b.bib", below a warning
		line, file, _ := strings.Cut(l.Text[7:], " of file ")
		s.Last().At = &result.Location{Path: file, Line: lex.Atoi(line)}
		return true
	case counted:
		if _, n, _ := strings.Cut(rest, " "); strings.Contains(n, "error") {
			s.Claim(max(lex.LeadingNumber(n), 1))
		}
		return s.Close(l)
	case strings.HasPrefix(l.Text, "This is BibTeX, Version "):
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "I couldn't open file name `"):
		return s.Misuse(l, l.Text)
	}
	return false
}
