package read

import (
	"cmp"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Said reads a program that begins its error messages with a word of its own, and explains them in the lines below:
//
//	fatal: not a git repository
//	curl: (6) Could not resolve host: x
//	hint: …
type Said struct {
	Errors   []string // beginnings of errors: "fatal: ", "curl: "
	Warnings []string
	Whole    []string // beginnings of errors that stay part of the message
	Usage    []string // beginnings of errors about the command line or the configuration; they stay part of the message
	Notes    []string // beginnings of lines that explain the one above: "hint:"
	Kind     result.FindingKind
	// Fill completes a finding from its message: a rule, a place; may be nil.
	Fill func(f *result.Finding)
	// Other takes lines with other beginnings; may be nil.
	Other func(s *Sink, l tool.Line) bool
	// Below says that lines with other beginnings belong to the last finding, up to an empty line. Otherwise only
	// indented lines do.
	Below bool
	End   func(s *Sink) // called after the last line; may be nil
}

// Parse reads an input.
func (t Said) Parse(in *tool.Input) *tool.Report { return Text{Line: t.line, End: t.End}.Parse(in) }

func (t Said) line(s *Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if message, ok := cutPrefixes(text, t.Errors); ok {
		return s.Find(l, t.finding(result.SevError, message))
	}
	if message, ok := cutPrefixes(text, t.Warnings); ok {
		return s.Find(l, t.finding(result.SevWarning, message))
	}
	usage := lex.HasAnyPrefix(text, t.Usage...)
	if usage || lex.HasAnyPrefix(text, t.Whole...) {
		if s.Find(l, t.finding(result.SevError, text)); usage {
			s.Meaning = result.MeansUsage
		}
		return true
	}
	if t.Other != nil && t.Other(s, l) {
		return true
	}
	_, note := cutPrefixes(text, t.Notes)
	below := text != "" && (t.Below || text[0] == ' ' || text[0] == '\t')
	if s.kept() != nil && (note || below) {
		return s.More(l)
	}
	s.Break()
	return false
}

func (t Said) finding(severity result.Severity, message string) result.Finding {
	f := result.Finding{Kind: t.Kind, Severity: severity, Message: strings.TrimSpace(message)}
	f.Kind = cmp.Or(f.Kind, result.GenericFinding)
	if t.Fill != nil {
		t.Fill(&f)
	}
	return f
}

// Misused is an End for a program that was called or configured wrongly, and did nothing: every finding is about
// that.
func Misused(s *Sink) {
	if len(s.Findings) > 0 {
		s.Meaning = result.MeansUsage
	}
}

// Unseen is an End for a format that was written from documentation, without a recorded run: findings make the
// report doubtful.
func Unseen(s *Sink) {
	if len(s.Findings) > 0 {
		s.Doubt = "its form is known from documentation only"
	}
}

// UnseenTests is Unseen for test runs with a closing line: only failures make the report doubtful.
func UnseenTests(s *Sink) {
	if s.Failures() > 0 {
		Unseen(s)
	}
	s.Tested = s.Tested && s.Closed()
}

// TestsClose is an End for a program that runs tests and does other work too: only test runs have a closing line.
func TestsClose(s *Sink) {
	if !s.Tested {
		s.EndHere()
	}
}

// IfFound returns nil if a format finds nothing, so that the output of a successful program is shown, not hidden
// behind "ok".
func IfFound(parse func(in *tool.Input) *tool.Report) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		rep := parse(in)
		if rep == nil || len(rep.Findings) == 0 {
			return nil
		}
		return rep
	}
}

func cutPrefixes(text string, prefixes []string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(text, p); ok && strings.TrimSpace(rest) != "" {
			return rest, true
		}
	}
	return "", false
}

// MovesMake reports whether in this line a make enters or leaves a directory, in any language.
func MovesMake(line string) bool {
	_, _, _, ok := shell.MakeDirectory(line)
	return ok
}
