package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// semgrepText reads what semgrep prints for people: a file, below it each rule with what
// it says, below that the code of each place, matches being told apart by a line of
// dashes:
//
//	 src/x.py
//	❯❯❱ rules.no-eval
//	       ❰❰ Blocking ❱❱
//	       do not eval
//
//	         3┆ return eval(
//	         4┆     a
//	         ⋮┆----------------------------------------
//	        19┆ eval(b)
type semgrepText struct {
	path    string
	head    tool.Line // of the rule
	rule    string
	level   result.Severity
	message []string
	inCode  bool // of the match that was found last
	found   int  // how many findings it counts
}

// maxSaid bounds the lines of what a rule says.
const maxSaid = 40

func parseSemgrepText(in *tool.Input) *tool.Report {
	p := new(semgrepText)
	return read.Text{Line: p.line, End: p.end}.Parse(in)
}

func (p *semgrepText) end(s *read.Sink) {
	if p.found > len(s.Findings)+s.Dropped {
		s.Doubt = "findings are counted that are not shown"
	}
}

func (p *semgrepText) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	indent := len(l.Text) - len(strings.TrimLeft(l.Text, " "))
	number, code, isCode := strings.Cut(text, "┆")
	switch {
	case text == "":
		return p.rule != ""
	case strings.HasPrefix(text, "Ran ") && strings.Contains(text, " rules on ") || strings.HasPrefix(text, "Ran 1 rule on "):
		_, found, _ := strings.Cut(text, ": ")
		p.found += lex.LeadingNumber(found)
		s.Close(l)
	case p.isRule(text):
		p.head = l
		s.Sign(l)
		s.Break()
	case isCode && (strings.Contains(number, "⋮") || lex.IsDigits(number)):
		p.code(s, l, number, code)
	case p.rule != "" && indent >= 8 && len(p.message) < maxSaid && !p.inCode:
		if !strings.HasPrefix(text, "❰❰ ") {
			p.message = append(p.message, text)
		}
	case indent >= 2 && indent <= 6 && strings.ContainsAny(text, "./") && !strings.Contains(text, " "):
		p.path, p.rule = text, ""
		s.Break()
	default:
		p.rule = ""
		return false
	}
	s.Cover(l)
	return true
}

// isRule takes the head of a rule, whose arrows tell how severe it is.
func (p *semgrepText) isRule(text string) bool {
	arrows, rule, ok := strings.Cut(text, " ")
	level := map[string]result.Severity{"❯❯❱": result.SevError, "❯❱": result.SevWarning, "❱": result.SevInfo}[arrows]
	if !ok || level == "" || strings.Contains(rule, " ") {
		return false
	}
	*p = semgrepText{path: p.path, rule: rule, level: level, found: p.found}
	return true
}

// code takes a line of code: the first of a match is its place.
func (p *semgrepText) code(s *read.Sink, l tool.Line, number, code string) {
	switch {
	case strings.HasPrefix(code, "----"):
		p.inCode = false
		s.Break()
	case p.rule == "" || !lex.IsDigits(number):
		return
	case p.inCode:
		s.More(l)
	default:
		f := result.Finding{Severity: p.level, Rule: p.rule, Message: strings.Join(p.message, " ")}
		if message, _, ok := strings.Cut(f.Message, " Details: https://"); ok {
			f.Message = message
		}
		if p.path != "" {
			f.At = &result.Location{Path: p.path, Line: lex.Atoi(number)}
		}
		s.Find(l, f)
		s.Last().RawSpan.Start = p.head.Start
		p.inCode = true
	}
}
