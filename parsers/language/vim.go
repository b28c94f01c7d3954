package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vim nvim | ex", func(p *tool.Parser) {
	p.Is("vim", result.Generic, 1, "Vim 8 and 9, Neovim 0.5 to 0.11 without a terminal: errors of scripts, which go on, and exit 0")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*vim).line))})
})

// vim reads errors of a script or a function. The line number stands on a line of its own above the error:
//
//	Error detected while processing /w/a.vim:
//	line    2:
//	E117: Unknown function: NoSuchFn
type vim struct {
	source string // the script or function that is processed, without its callers
	number int
}

func (v *vim) line(s *read.Sink, l tool.Line) bool {
	head, colon := strings.CutSuffix(strings.TrimSpace(l.Text), ":")
	rule, message, told := strings.Cut(l.Text, ": ")
	switch what, heads := strings.CutPrefix(head, "Error detected while processing "); {
	case heads && colon:
		v.source, v.number = innermost(what), 0
	case colon && strings.HasPrefix(head, "line ") && lex.IsDigits(strings.TrimSpace(head[5:])):
		v.number = lex.Atoi(strings.TrimSpace(head[5:]))
	case told && len(rule) > 1 && rule[0] == 'E' && lex.IsDigits(rule[1:]):
		return s.Find(l, v.finding(rule, message))
	case s.Last() != nil && (l.Text == "stack traceback:" || strings.HasPrefix(l.Text, "\t")):
		return s.More(l)
	default:
		return false
	}
	s.Break()
	return s.Sign(l)
}

// innermost returns the script or function that is processed, without its callers: "function Inner" for
// "command line..script /w/a.vim[7]..function Outer[1]..Inner".
func innermost(what string) string {
	_, inner, called := lex.CutLast(what, "]..")
	if !called {
		inner = strings.TrimPrefix(what, "command line..")
	}
	if inner = strings.TrimPrefix(inner, "script "); called && strings.Contains(what, "function ") && !strings.ContainsAny(inner, "/. ") {
		return "function " + inner
	}
	return inner
}

// finding returns an error in v.source. A script gives it a place; a function has a name, which becomes the id, and
// no file.
func (v *vim) finding(rule, message string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Rule: rule, Message: message}
	if name, ok := strings.CutPrefix(v.source, "function "); ok {
		f.ID, _, _ = strings.Cut(name, "[")
	} else if strings.ContainsAny(v.source, "/.") {
		f.At = &result.Location{Path: v.source, Line: v.number}
	}
	return f
}
