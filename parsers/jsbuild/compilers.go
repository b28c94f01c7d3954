package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("asc", func(p *tool.Parser) {
	p.Is("assemblyscript", result.Build, 1, "asc 0.9 to 0.28")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR TS", "ERROR AS"}, Parse: asc.Parse})
})

// asc reads an error, the source below it, and the place below the source.
var asc = read.Rows{
	Kind: result.BuildError,
	Rows: []read.Row{
		{Form: "ERROR {rule}: {message}", As: read.Error},
		{Form: "WARNING {rule}: {message}", As: read.Warning},
		{Form: "  └─ in {place}", As: read.Fill},
		{Form: "FAILURE {#error} {} error(s)", As: read.Close},
	},
	Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" },
}

var _ = Room.Add("babel", func(p *tool.Parser) {
	p.Is("babel", result.Build, 1, "babel 7 and 8 on the command line")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: babelLine}.Parse})
})

// babelLine reads "SyntaxError: /src/a.js: Unexpected token (1:10)", an excerpt and
// babel's own stack; and "error: unknown option '--nope'".
func babelLine(s *read.Sink, l tool.Line) bool {
	class, message := jserror.CutClass(l.Text)
	at, text, placed := jserror.CutSyntax(message)
	switch {
	case s.Last() != nil:
		return s.More(l)
	case placed:
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: text, At: &at})
	case strings.HasPrefix(l.Text, "Error: "), class != "":
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case strings.HasPrefix(l.Text, "error: "):
		return s.Misuse(l, l.Text[len("error: "):])
	case l.Text == "babel:":
		s.Path = l.Text
		return true
	case s.Path != "" && strings.HasPrefix(l.Text, "  "):
		return s.Misuse(l, strings.TrimSpace(l.Text))
	}
	return false
}

var _ = Room.Add("lessc", func(p *tool.Parser) {
	p.Is("less", result.Build, 1, "less 2 to 4")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: lessLine}.Parse})
})

// lessLine reads "NameError: variable @nope is undefined in /src/b.less on line 1,
// column 13:" and an excerpt.
func lessLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "lessc: "); ok {
		return s.Misuse(l, message)
	}
	class, message := jserror.CutClass(l.Text)
	i := strings.LastIndex(message, " on line ")
	if j := strings.LastIndex(message[:max(i, 0)], " in "); class != "" && j > 0 {
		line, column, _ := strings.Cut(message[i+len(" on line "):], ", column ")
		at := &result.Location{Path: message[j+len(" in ") : i], Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message[:j], At: at})
	}
	return s.Last() != nil && s.More(l)
}

var _ = Room.Add("sass", func(p *tool.Parser) {
	p.Is("sass", result.Build, 1, "dart-sass 1.x")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{64: result.MeansUsage, 66: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: sassLine}.Parse})
})

// sassLine reads "Error: Undefined variable.", an excerpt, and the place with what sass was doing there:
// "  src/a.scss 1:13  root stylesheet".
func sassLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, bad := strings.CutPrefix(l.Text, "Error: ")
	switch {
	case bad:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case lex.HasAnyPrefix(l.Text, "Error reading ", "Could not find an option", "Positional arguments"):
		s.Misuse(l, l.Text)
		s.Break()
	case lex.HasAnyPrefix(l.Text, "WARNING: ", "DEPRECATION WARNING"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: l.Text})
	case s.Last() == nil:
		return s.Meaning == result.MeansUsage
	default:
		path, rest, _ := strings.Cut(text, " ")
		where, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if at := place.LastColons(path + ":" + where); at != nil && at.Column > 0 && s.Last().At == nil {
			s.Last().At = at
		}
		s.More(l)
	}
	return true
}

var _ = Room.Add("swc", func(p *tool.Parser) {
	p.Is("swc", result.Build, 1, "swc 1.x on the command line")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Failed to compile 1 file with swc.", "Failed to compile … files with swc."}, Named: true, Parse: read.Lines((*swc).line)})
})

// swc reads a framed message, and the command's own lines below it.
type swc struct{ read.Framed }

func (c *swc) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch class, message := jserror.CutClass(text); {
	case c.Line(s, l):
		if f := s.Last(); f != nil {
			f.Kind = result.BuildError
		}
	case strings.HasPrefix(text, "Failed to compile ") || strings.HasPrefix(text, "Successfully compiled"):
		s.Close(l)
	case strings.HasPrefix(text, "Error: Failed to compile"), strings.HasPrefix(text, "at "), s.Closed() && jserror.IsScript(text):
	case len(s.Findings) == 0 && (strings.HasPrefix(l.Text, "Error: ") || class != ""):
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	default:
		return text == "Caused by:" || text == "Syntax Error"
	}
	return true
}

// terser began as a copy of uglify-js and prints the same messages, so one reader serves both.

var _ = Room.Add("terser", func(p *tool.Parser) { minifier(p, "terser", "terser 3 to 5") })
var _ = Room.Add("uglifyjs", func(p *tool.Parser) { minifier(p, "uglify-js", "uglify-js 2 to 3") })

func minifier(p *tool.Parser, name, about string) {
	p.Is(name, result.Build, 1, about)
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: minifierLine}.Parse})
}

// minifierLine reads "Parse error at src/a.js:1,10", with a 0-based column, the source below it, and
// "ERROR: Unexpected token: punc (;)".
func minifierLine(s *read.Sink, l tool.Line) bool {
	if where, ok := strings.CutPrefix(l.Text, "Parse error at "); ok {
		i := strings.LastIndexByte(where, ':')
		line, column, two := strings.Cut(where[max(i, 0):], ",")
		if i < 0 || !two || !lex.IsDigits(column) {
			return false
		}
		at := &result.Location{Path: where[:i], Line: lex.Atoi(strings.TrimPrefix(line, ":")), Column: lex.Atoi(column) + 1}
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: "Parse error", At: at})
	}
	message, ok := lex.CutAnyPrefix(l.Text, "ERROR: ", "error: ")
	f := s.Last()
	switch {
	case ok && f != nil && f.Message == "Parse error":
		f.Message = message
		return s.More(l)
	case ok:
		return s.Misuse(l, message)
	case f != nil:
		return s.More(l)
	}
	return false
}

var _ = Room.Add("typedoc", func(p *tool.Parser) {
	p.Is("typedoc", result.Build, 1, "typedoc 0.22 to 0.28")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: typedocLine}.Parse})
})

// typedocLine reads "[warning] text", TypeScript's own "a.ts:1:7 - error TS2322: text",
// and "[error] Found 1 errors and 0 warnings".
func typedocLine(s *read.Sink, l tool.Line) bool {
	word, text, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	d, placed := read.CutDiagnostic(l.Text)
	switch severity := read.SeverityOf(word); {
	case placed && strings.HasPrefix(d.Message, "TS"):
		rule, message, _ := strings.Cut(d.Message, ": ")
		s.Find(l, result.Finding{Severity: read.SeverityOf(d.Word), Rule: rule, Message: message, At: &d.At})
	case !ok || l.Text[0] != '[' || severity == "":
		return s.Last() != nil && s.More(l)
	case severity == result.SevInfo:
		s.Sign(l)
	case strings.HasPrefix(text, "Found ") && strings.Contains(text, " errors and "):
		s.Found(l, read.Counts(text)["errors"])
	default:
		f := result.Finding{Severity: severity, RawSeverity: word, Message: text}
		if d, ok := read.CutDiagnostic(text); ok && d.Message != "" && jserror.IsScript(d.At.Path) {
			f.At, f.Message = &d.At, strings.TrimPrefix(d.Message, "- ")
		}
		s.Find(l, f)
	}
	return true
}
