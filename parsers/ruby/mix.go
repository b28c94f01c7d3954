package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mix elixir elixirc | iex", func(p *tool.Parser) {
	p.Is("mix", result.Build, 1, "mix compile and other tasks of Elixir 1.12 to 1.18: warnings and errors of the compiler, tasks that fail")
	p.Reads(tool.Format{Name: "text", Starts: []string{"== Compilation error in file ", "** (Mix) ", "** (…Error) ", "Compilation failed due to warnings while ", "└─ … .ex:"}, Parse: read.Text{Line: mixLine}.Parse})
	p.Reads(tool.Format{Name: "warnings", Parse: read.Text{Line: mixLine}.Parse})
})

// mixLine reads diagnostics of the compiler, in the old form (left) and the new one, and errors of mix:
//
//	warning: variable "x" is unused           error: undefined variable "x"
//	  lib/ledger.ex:4: Ledger.unused/1          │
//	                                          5 │  x
//	                                            └─ lib/ledger.ex:5:2: Ledger.f/0
//
//	** (TokenMissingError) test/a_test.exs:4:1: missing terminator: )
func mixLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	if word, message, ok := strings.Cut(t, ": "); ok && (word == "warning" || word == "error") {
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message})
	}
	if class, message, ok := cutRaised(l.Text); ok {
		f := result.Finding{Kind: result.BuildError, Rule: class, Message: message}
		if at, rest, ok := place.Cut(message); ok {
			f.At, f.Message = &at, rest
		}
		if class == "Mix" {
			f.Kind = result.GenericFinding
		}
		return s.Find(l, f)
	}
	if strings.HasPrefix(t, "Compilation failed due to warnings ") { // which are none otherwise
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: t})
	}
	if strings.HasPrefix(t, "== Compilation error in file ") {
		return s.Sign(l)
	}
	last := s.Last()
	if last == nil || l.Text == "" {
		return last != nil
	}
	where := strings.TrimPrefix(t, "└─ ")
	if at, ok := frame.Elixir(where); ok && at.External {
	} else if ok && len(t) < len(l.Text) {
		if last.At == nil {
			last.At = &at
		} else if len(last.Related) < result.MaxFrames && (at.Path != last.At.Path || at.Line != last.At.Line) {
			last.Related = append(last.Related, result.Related{At: &at})
		}
	} else if l.Text[0] != ' ' && !strings.HasSuffix(t, " locations:") { // "Invalid call found at 2 locations:" goes on
		s.Break()
		return false
	}
	return s.More(l)
}

// cutRaised reads "** (KeyError) key :k not found".
func cutRaised(text string) (class, message string, ok bool) {
	rest, ok := strings.CutPrefix(text, "** (")
	if !ok {
		return "", "", false
	}
	class, message, ok = strings.Cut(rest, ") ")
	return class, message, ok
}
