package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gdc dmd ldc2 dub | gdc-12 gdc-13 gdc-14 ldmd2 rdmd", func(p *tool.Parser) {
	p.Is("dlang", result.Build, 1, "gdc 10 to 15, dmd and ldc 2.9x to 2.11x, dub: diagnostics, unit tests, exceptions")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"core.exception.", "1/… modules FAILED unittests", "object.Exception@"}, Named: true, Parse: read.Text{Line: dLine}.Parse})
})

// dLine reads "a.d:2:57: error: text" of gdc, "a.d(2,57): Error: text" of the other compilers,
// "r.d(3): [unittest] rates" and uncaught exceptions:
//
//	core.exception.ArrayIndexError@rt.d(1): index [3] is out of bounds
func dLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	if class, spot, ok := strings.Cut(t, "@"); ok && lex.IsIdentifier(lex.LastPart(class)) && !strings.Contains(class, " ") {
		if at, message, placed := place.Cut(spot); placed {
			return s.Find(l, result.Finding{Kind: result.Panic, Rule: class, Message: message, At: &at})
		}
	}
	at, rest, placed := place.Cut(t)
	if name, ok := strings.CutPrefix(rest, "[unittest] "); ok && placed {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: name, At: &at, ID: at.Path + "(" + lex.LastPart(name) + ")"})
		s.Last().ID, s.Tested = strings.TrimSuffix(at.Path, ".d")+" unittest", true
		return s.Break()
	}
	d, ok := read.CutDiagnostic(t)
	_, symbol, unresolved := strings.Cut(t, ": undefined reference to ")
	switch {
	case unresolved: // each symbol is reported once
		f := result.Finding{Kind: result.BuildError, Message: "undefined reference to " + symbol}
		return slices.ContainsFunc(s.Findings, func(o result.Finding) bool { return o.Message == f.Message }) || s.Find(l, f)
	case s.Failures() > 0 && lex.HasAnyPrefix(t, "/usr/bin/ld: ", "collect2: error: ", "Error: /usr/bin/cc failed with status: "): // repeats the linker's error
		return s.Close(l)
	case ok && (d.Word == "error" || d.Word == "warning" || d.Word == "deprecation") && strings.HasSuffix(d.At.Path, ".d"):
		f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Message: d.Message, At: &d.At}
		return s.Find(l, f)
	case lex.HasAnyPrefix(t, "d21: error: ", "Error: ", "gdc: error: ", "gdc: fatal error: "):
		_, message := read.CutSeverity(strings.TrimPrefix(strings.TrimPrefix(t, "d21: "), "gdc: "))
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case strings.HasSuffix(t, " modules FAILED unittests"):
		_, total, _ := strings.Cut(t, "/")
		return s.Sum(l, lex.LeadingNumber(total), lex.LeadingNumber(t), 0, 0)
	case s.Last() != nil && t != "":
		return s.More(l)
	}
	return false
}
