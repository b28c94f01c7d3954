package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ecj | ecj.jar org.eclipse.jdt.internal.compiler.batch.Main org.eclipse.jdt.core.compiler.batch.jar", func(p *tool.Parser) {
	p.Is("ecj", result.Build, 1, "Eclipse's compiler for Java 3.37: its own text")
	p.Reads(tool.Format{Name: "text", Starts: []string{" ERROR in … (at line "}, Named: true, Parse: read.Text{Line: ecjLine, Closes: true}.Parse})
})

// ecjLine reads a problem. The source and the marks below the first line are indented:
//
//	----------
//	3. ERROR in /src/shop/Cart.java (at line 417)
//		return ArrayUtils.EMPTY;
//		       ^^^^^^^^^^
//	ArrayUtils cannot be resolved to a variable
//	----------
//	3 problems (2 errors, 1 warning)
func ecjLine(s *read.Sink, l tool.Line) bool {
	number, problem, _ := strings.Cut(l.Text, ". ")
	word, where, _ := strings.Cut(problem, " in ")
	path, line, placed := strings.Cut(strings.TrimSuffix(where, ")"), " (at line ")
	switch f := s.Last(); {
	case placed && lex.IsDigits(number) && lex.IsOneOf(word, "ERROR WARNING INFO"):
		return s.Find(l, result.Finding{Kind: read.KindOf(read.SeverityOf(strings.ToLower(word))), Severity: read.SeverityOf(strings.ToLower(word)), RawSeverity: word, At: &result.Location{Path: path, Line: lex.Atoi(line)}})
	case l.Text == "----------":
		s.Break()
		return s.Sign(l)
	case f != nil:
		if !strings.HasPrefix(l.Text, "\t") {
			f.Message = strings.TrimSpace(f.Message + " " + l.Text)
		}
		return s.More(l)
	case strings.Contains(l.Text, " problem") && strings.HasSuffix(l.Text, ")"):
		n := read.Counts(l.Text[strings.IndexByte(l.Text, '(')+1:])
		s.Count("error", n["error"]+n["errors"])
		s.Count("warning", n["warning"]+n["warnings"])
		s.Claim(n["error"] + n["errors"])
		return s.Close(l)
	}
	return s.MisuseIf(l, "Unrecognized option : ", "no classpath defined", "Invalid warning token")
}
