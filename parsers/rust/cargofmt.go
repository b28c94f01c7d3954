package rust

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rustfmt | cargo", func(p *tool.Parser) {
	p.Is("rustfmt", result.Format, 1, "rustfmt and cargo fmt 1.4 to 1.8: --check, -l, and files that do not parse")
	p.Family = "cargo"
	p.Matches = runs("rustfmt", "fmt")
	p.Reads(tool.Format{Name: "check", Starts: []string{"Diff in /… line ", "Diff in /….rs:"}, Parse: read.Text{Line: rustfmtLine}.Parse})
	p.Reads(tool.Format{Name: "named", Parse: read.Text{Line: rustfmtLine}.Parse})
})

// rustfmtLine reads the header of each difference, which has the place where it begins:
//
//	Diff in /home/me/src/lib.rs:3:
//	Diff in /home/me/src/lib.rs at line 3:
//
// and, for a file that cannot be parsed, an error as rustc prints it.
func rustfmtLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if head, ok := strings.CutPrefix(t, "Diff in "); ok {
		head = strings.Replace(strings.TrimSuffix(head, ":"), " at line ", ":", 1)
		if i := strings.LastIndexByte(head, ':'); i > 0 && lex.IsDigits(head[i+1:]) {
			return s.Find(l, result.Finding{Message: "is not formatted", At: &result.Location{Path: head[:i], Line: lex.Atoi(head[i+1:])}})
		}
	}
	last := s.Last()
	switch {
	case strings.HasPrefix(t, "error: test failed, to rerun pass `"): // printed by cargo test, if one command line runs both
		return false
	case strings.HasPrefix(t, "error: ") || strings.HasPrefix(t, "error["):
		rule, message, _ := strings.Cut(strings.TrimPrefix(t, "error"), ": ")
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: strings.Trim(rule, "[]"), Message: message})
	case last == nil:
		return l.Stream == tool.Stdout && strings.HasSuffix(t, ".rs") && !strings.Contains(t, " ") && rustfmtPath(s, l)
	case last.At == nil:
		if at, ok := cutRustcArrow(t, "--> "); ok && at.Column > 0 {
			last.At = &at
		}
	}
	return s.More(l)
}

// rustfmtPath takes a path, one line of rustfmt -l.
func rustfmtPath(s *read.Sink, l tool.Line) bool {
	s.Find(l, result.Finding{Message: "is not formatted", At: &result.Location{Path: l.Text}})
	return s.Break()
}
