package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sphinx-build | sphinx-autobuild", func(p *tool.Parser) {
	p.Is("sphinx", result.Build, 1, "sphinx-build 3 to 9: warnings and errors with -W, --keep-going, -q and in colour; linkcheck; what stops it")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running Sphinx v", "WARNING: **********"}, Named: true, Parse: read.IfFound(read.Lines((*sphinx).line))})
	p.Reads(read.PythonUsage("sphinx-build"))
})

// sphinx reads diagnostics, whose rule ends their last line, and the error that stops a run:
//
//	/srv/docs/index.rst:8: WARNING: undefined label: 'nope' [ref.ref]
//
//	Extension error!
//	…
//	    sphinx.errors.ExtensionError: Could not import extension x (exception: …)
type sphinx struct {
	stopped string        // the kind of error that stopped the run, "Extension error"
	trace   bool          // the traceback of that error is being read
	caused  bool          // the exception of the user's own code follows
	doc     read.Examples // the output of the builder doctest
}

func (p *sphinx) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	what, isStop := strings.CutSuffix(text, " error!")
	at, rest, placed := cutSphinx(l.Text)
	word, message, told := strings.Cut(rest, ": ")
	_, tally, counted := lex.CutCount(text, "failure") // "4 failures in tests", of the builder doctest
	if p.doc.Dir == "" {
		p.doc.Dir = sphinxSources(s.In.Command().Argv)
	}
	if stars, quiet := strings.CutPrefix(l.Text, "WARNING: ***"); quiet {
		l.Text = "***" + stars // as -q prints an example
	}
	switch {
	case p.doc.Line(s, l):
		return true
	case placed && told && read.SeverityOf(word) != "" && word == strings.ToUpper(word):
		return s.Find(l, sphinxSays(word, message, &at))
	case isWholeFile(l.Text): // about a whole file, without a line
		file, rest, _ := strings.Cut(l.Text, ": ")
		word, message, _ = strings.Cut(rest, ": ")
		return s.Find(l, sphinxSays(word, message, &result.Location{Path: strings.TrimSuffix(strings.TrimSuffix(file, "None"), ":")}))
	case strings.HasPrefix(text, "WARNING: "), strings.HasPrefix(text, "ERROR: "):
		word, message, _ = strings.Cut(text, ": ")
		return s.Find(l, sphinxSays(word, message, nil))
	case strings.HasPrefix(l.Text, "(") && isLink(l.Text):
		return linkOf(s, l)
	case isStop && !strings.Contains(what, ":") && len(what) < 30 && len(what) > 0:
		p.stopped = what + " error"
		return s.Break()
	case strings.HasPrefix(text, "build succeeded"), strings.HasPrefix(text, "build finished with problems"), counted && strings.HasPrefix(tally, " in "):
		s.Sign(l)
		return s.Break()
	case strings.HasPrefix(text, "Running Sphinx v"):
		s.Version, s.Signed = strings.TrimPrefix(text, "Running Sphinx v"), true
		return true
	case p.stopped != "":
		return p.end(s, l, text)
	case s.Last() != nil && s.Last().Rule == "":
		f := s.Last()
		rest, rule := read.Brackets.Cut(text)
		if strings.HasSuffix(f.Message, ":") && strings.HasPrefix(l.Text, text) && trace.IsThrown(rest) {
			f.Message += " " + rest // the exception that the message announced
		}
		s.More(l)
		if f.Rule = rule; rule != "" {
			return s.Break()
		}
		return true
	}
	s.Break()
	return false
}

// cutSphinx reads a place. In "/srv/shop/cart.py:docstring of shop.cart.Cart.add:3: WARNING: …", the line counts from
// the start of the docstring.
func cutSphinx(line string) (at result.Location, rest string, ok bool) {
	path, within, is := strings.Cut(line, ":docstring of ")
	if name, behind, _ := strings.Cut(within, ":"); is && !strings.Contains(name, " ") {
		at, rest, ok = place.Cut(path + ":" + behind)
		at.Label = "docstring of " + name
		return at, rest, ok
	}
	return place.Cut(line)
}

func sphinxSays(word, message string, at *result.Location) result.Finding {
	message, rule := read.Brackets.Cut(message)
	return result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), At: at, Message: message, Rule: rule}
}

// sphinxSources returns the first operand of a command of sphinx, the directory that the paths of examples are relative to.
func sphinxSources(argv []string) string {
	for i := 1; i < len(argv) && strings.Contains(argv[0], "sphinx"); i++ {
		if argv[i] != "" && argv[i][0] != '-' && !lex.IsOneOf(argv[i-1], "-M -b -d -c -D -A -j -t -w") {
			return argv[i]
		}
	}
	return "."
}

// isWholeFile recognizes "/srv/docs/orphan.rst: WARNING: document isn't included in any toctree".
func isWholeFile(line string) bool {
	path, rest, _ := strings.Cut(line, ": ")
	return strings.ContainsAny(path, "./") && !strings.ContainsAny(path, " ()") && (strings.HasPrefix(rest, "WARNING: ") || strings.HasPrefix(rest, "ERROR: "))
}

// isLink recognizes a row of the builder linkcheck, "(   api/index: line   11) broken    missing.html - why".
func isLink(line string) bool {
	where, _, ok := strings.Cut(line, ") ")
	_, number, has := strings.Cut(where, ": line ")
	return ok && has && lex.IsDigits(strings.TrimSpace(number))
}

// linkOf reads a row of linkcheck. The path is the document's name as printed, without the suffix of its file. A
// broken link or a timeout fails the run; a redirect does not.
func linkOf(s *read.Sink, l tool.Line) bool {
	where, row, _ := strings.Cut(l.Text[1:], ") ")
	document, number, _ := strings.Cut(strings.TrimSpace(where), ": line ")
	status, link, _ := strings.Cut(row, " ")
	f := result.Finding{Rule: status, Message: strings.TrimSuffix(strings.TrimSpace(link), " -"), At: &result.Location{Path: document, Line: lex.Atoi(strings.TrimSpace(number))}}
	f.Severity = result.Severity(lex.Means(status, "error: broken, timeout; info: redirect, redirected"))
	if f.Severity == "" { // ok, ignored, local, unchecked
		return s.Break()
	}
	s.Find(l, f)
	return s.Break()
}

// end reads the reason why the run stopped, below "Extension error!": at the end of a traceback, or in older versions
// on the next line.
func (p *sphinx) end(s *read.Sink, l tool.Line, text string) bool {
	class, why, ok := strings.Cut(text, ": ")
	class = class[strings.LastIndexByte(class, '.')+1:]
	p.trace = p.trace || text == "Traceback" || text == "Versions"
	switch {
	case text == "":
	case p.trace && ok && strings.HasSuffix(class, "Error") && lex.IsIdentifier(class):
		if n := len(s.Findings); p.caused && n > 0 { // the exception of the user's own code
			s.Findings[n-1].Message += " " + text
			s.Cover(l)
			p.endStop(s)
			return true
		}
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: class, Message: why})
		if p.caused = strings.HasSuffix(why, ":"); !p.caused {
			p.endStop(s)
		}
	case p.caused:
		if at, ok := frame.Python(l.Text[min(len(l.Text), 4):]); ok && len(s.Findings) > 0 && !strings.Contains(at.Path, "site-packages") && !strings.Contains(at.Path, "/lib/python") {
			s.Findings[len(s.Findings)-1].At = &at
		}
		s.Cover(l)
	case !p.trace:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
		p.endStop(s)
	}
	return true
}

// endStop ends the error that stopped the run. An error in the configuration is misuse, and no failure of the texts.
func (p *sphinx) endStop(s *read.Sink) {
	switch p.stopped {
	case "Configuration error", "Extension error", "Application error", "Sphinx error":
		s.Meaning = result.MeansUsage
	}
	p.stopped, p.caused = "", false
	s.Break()
}
