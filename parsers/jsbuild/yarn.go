package jsbuild

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yarn", func(p *tool.Parser) {
	p.Is("yarn", result.Package, 1, "yarn 1 to 4: what it says when it fails itself")
	p.Matches = tool.RunsSub("yarn", "install", "add", "remove", "up", "upgrade", "audit", "why", "npm")
	p.Reads(tool.Format{Name: "text", Starts: []string{"➤ YN0", "Internal Error: ", "Usage Error: ", `{"type":"error","name":…"displayName":"YN0`}, Parse: read.Text{Line: yarnLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: yarnLine}.Parse})
})

// yarnLine reads "➤ YN0001: │ Error: text", and yarn 1's "error text".
func yarnLine(s *read.Sink, l tool.Line) bool {
	if rest, ok := strings.CutPrefix(l.Text, "➤ YN"); ok {
		code, text, _ := strings.Cut(rest, ":")
		yarnSaid(s, l, "YN"+code, strings.TrimPrefix(strings.TrimPrefix(text, " "), "│ "))
		return true
	}
	if strings.HasPrefix(l.Text, `{"type":"`) {
		return yarnJSON(s, l)
	}
	message, ok := lex.CutAnyPrefix(l.Text, "error ", "Internal Error: ")
	for _, start := range [...]string{"Usage Error: ", "Unknown Syntax Error: ", "Syntax Error: "} {
		if rest, is := strings.CutPrefix(l.Text, start); is {
			message, ok, s.Meaning = rest, true, result.MeansUsage
		}
	}
	if !ok || strings.HasPrefix(message, "Command failed with exit code") {
		return false
	}
	s.Find(l, result.Finding{Message: message})
	return s.Break()
}

// yarnSaid takes the text after a code. An indented text continues the line above. Lines that begin with "+" or "-"
// show how the lockfile would change.
func yarnSaid(s *read.Sink, l tool.Line, rule, text string) {
	f := s.Last()
	text, indented := strings.CutPrefix(text, "  ")
	if f != nil && f.Rule == rule && indented {
		s.More(l)
		return
	}
	s.Break()
	text = strings.TrimLeft(text, " │├└┌·")
	switch {
	case rule == "YN0000" && strings.HasPrefix(text, "Failed with errors"):
		s.Sign(l)
	case lex.IsOneOf(rule, "YN0000 YN0007 YN0013 YN0085"), rule == "YN0028" && (text == "" || text[0] == '+' || text[0] == '-'):
		s.Cover(l)
	default:
		class, message := jserror.CutClass(text)
		f := result.Finding{Rule: rule, Message: message}
		if lex.IsOneOf(rule, "YN0002 YN0050 YN0060 YN0061 YN0086") {
			f.Severity = result.SevWarning
		} else if class != "" {
			f.Message = class + ": " + message
		}
		s.Find(l, f)
	}
}

// yarnJSON reads a line of --json, from yarn 1 or yarn 2 to 4.
func yarnJSON(s *read.Sink, l tool.Line) bool {
	var v struct{ Type, DisplayName, Data string }
	if json.Unmarshal([]byte(l.Text), &v) != nil { // the data of other lines may be an object
		return false
	}
	if v.Type == "error" && v.DisplayName != "" {
		yarnSaid(s, l, v.DisplayName, v.Data)
	} else if v.Type == "error" {
		s.Find(l, result.Finding{Message: v.Data})
		s.Break()
	}
	return v.Type == "error" || v.Type == "info" || v.Type == "warning" || v.Type == "step"
}
