package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("spotbugs | findbugs", func(p *tool.Parser) {
	p.Is("spotbugs", result.Lint, 1, "SpotBugs 4: text, emacs, xml, sarif")
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<BugCollection "}, Parse: read.Text{Line: spotbugsXML, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: spotbugsLine}.Parse})
})

// spotbugsLine reads a bug. The text formats have only the abbreviation of its pattern:
//
//	M B ES: Comparison of String parameter using == or != in B.f(String)  At B.java:[line 5]
//	B.java:5:5 ES: Comparison of String parameter using == or != in B.f(String) (M)    (-emacs)
//
// The two letters are the priority (H, M or L) and the category.
func spotbugsLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	head, rest, ok := strings.Cut(t, ": ")
	words := strings.Fields(head)
	switch {
	case ok && len(words) == 3 && strings.Contains("HML", words[0]) && len(words[1]) == 1:
		message, spot, _ := strings.Cut(rest, "  ")
		f := spotbugsFinding(words[0], words[2], message)
		if path, line, has := strings.Cut(spot[strings.LastIndexByte(spot, ' ')+1:], ":"); has {
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		}
		if where, line, has := strings.Cut(spot, ":[line"); has {
			f.At = &result.Location{Path: where[strings.LastIndexByte(where, ' ')+1:], Line: lex.LeadingNumber(strings.TrimLeft(line, "s "))}
		} else if path, has := strings.CutPrefix(spot, "In "); has {
			f.At = &result.Location{Path: path}
		}
		s.Find(l, f)
	case ok && len(words) == 2 && strings.Contains(words[0], ".java:"):
		path, line, _ := strings.Cut(words[0], ":")
		message, priority := read.Parens.Cut(strings.TrimSpace(rest))
		f := spotbugsFinding(priority, words[1], message)
		f.At = &result.Location{Path: path, Line: max(0, lex.LeadingNumber(line))}
		s.Find(l, f)
	case strings.HasPrefix(t, `Exception in thread "main" `):
		_, message, _ := strings.Cut(t, ": ")
		s.Misuse(l, message)
	case strings.HasPrefix(t, "at ") && s.Last() != nil, strings.HasPrefix(t, "SLF4J"):
	default:
		return false
	}
	return s.Break()
}

func spotbugsFinding(priority, rule, message string) result.Finding {
	f := result.Finding{Severity: result.SevWarning, RawSeverity: priority, Rule: rule, Message: message}
	if priority == "H" || priority == "1" {
		f.Severity = result.SevError
	}
	return f
}

// spotbugsXML reads the element of a bug, which has the full name of the pattern but no message. Its place is the
// last SourceLine that is a direct child.
func spotbugsXML(s *read.Sink, l tool.Line) bool {
	if !strings.Contains(l.Text, "<") {
		return true
	}
	inner := strings.HasPrefix(l.Text, "      ")
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch kind := x.Next(); {
		case kind == xmltext.End:
			return true
		case kind == xmltext.Open && string(x.Name) == "BugInstance":
			s.Find(l, spotbugsFinding(x.Attr("priority"), x.Attr("abbrev"), x.Attr("type")))
		case kind == xmltext.Open && string(x.Name) == "SourceLine" && s.Last() != nil && (!inner || s.Last().At == nil):
			if line := x.Number("start"); s.Last().At == nil || !inner && line > 0 {
				s.Last().At = &result.Location{Path: x.Attr("sourcepath"), Line: line}
			}
		case kind == xmltext.Close && string(x.Name) == "BugInstance":
			s.Break()
		case kind == xmltext.Close && string(x.Name) == "BugCollection":
			s.Close(l)
		}
	}
}
