package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("autoreconf autoconf aclocal automake autoheader", func(p *tool.Parser) {
	p.Is("autoconf", result.Build, 1, "autoreconf, autoconf, aclocal, automake and autoheader: errors and warnings of configure.ac and Makefile.am")
	p.Reads(tool.Format{Name: "text", Starts: []string{"autoreconf: error: ", "automake: error: ", "aclocal: error: "}, Named: true, Parse: read.Text{Line: autotool}.Parse})
})

// autotool reads warnings, with the macros that led there, and errors. A program's own lines begin with its name;
// those without "warning: " or "error: " are progress:
//
//	configure.ac:32: warning: The macro `AC_HEADER_STDC' is obsolete.
//	configure.ac:32: You should run autoupdate.
//	./lib/autoconf/headers.m4:704: AC_HEADER_STDC is expanded from...
//	configure.ac:32: the top level
//	configure:19545: error: possibly undefined macro: LT_LIB_DLLOAD
//	autoreconf: error: /usr/bin/autoconf failed with exit status: 1
func autotool(s *read.Sink, l tool.Line) bool {
	program, message, _ := strings.Cut(l.Text, ": ")
	d, placed := read.CutDiagnostic(l.Text)
	switch {
	case lex.IsOneOf(program, "autoreconf autoconf aclocal automake autoheader autom4te libtoolize autopoint"):
		s.Sign(l)
		if message, ok := strings.CutPrefix(message, "error: "); ok {
			s.Find(l, result.Finding{Kind: result.BuildError, Rule: program, Message: message})
		} else if message, ok := strings.CutPrefix(message, "warning: "); ok {
			s.Find(l, result.Finding{Severity: result.SevWarning, Rule: program, Message: message})
		}
		return s.Break()
	case placed && (d.Word == "error" || d.Word == "warning") && d.At.Line > 0:
		f := result.Finding{Kind: result.BuildError, At: &d.At, Message: d.Message}
		if d.Word == "warning" {
			f.Kind, f.Severity = result.Diagnostic, result.SevWarning
		}
		return s.Find(l, f)
	case s.Last() != nil && (placed || lex.LeadingBlanks(l.Text) > 0):
		return s.More(l)
	}
	return s.Break() && strings.Contains(l.Text, ": installing '")
}
