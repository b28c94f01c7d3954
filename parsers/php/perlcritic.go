package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("perlcritic", func() *tool.Parser {
	return &tool.Parser{
		Tool: "perlcritic", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "Perl::Critic 1: the usual formats; most of them do not name the file",

		Exits: map[int]result.Meaning{1: result.MeansInternal},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"Code before strictures are enabled at line "}, Parse: read.Text{Line: perlcriticLine}.Parse},
			{Name: "text", Parse: read.Text{Line: perlcriticLine}.Parse},
		},
	}
})

// perlcriticLine reads
//
//	Code before strictures are enabled at line 2, column 1.  See page 429 of PBP.  (Severity: 5)
//	[TestingAndDebugging::RequireUseStrict] Code before … at line 2, column 1.  (Severity: 5)
//	lib/L.pm: Code before … at line 2, column 1.  See page 429 of PBP.  (Severity: 5)
func perlcriticLine(s *read.Sink, l tool.Line) bool {
	text, end, ok := strings.Cut(l.Text, "(Severity: ")
	severity := lex.LeadingNumber(end)
	if !ok || severity == 0 {
		return strings.HasSuffix(l.Text, " source OK") && signed(s, l)
	}
	f := result.Finding{Severity: result.SevWarning, RawSeverity: string(rune('0' + severity%10)), At: &result.Location{}}
	if severity >= 5 {
		f.Severity = result.SevError
	}
	if rule, rest, has := strings.Cut(text, "] "); has && strings.HasPrefix(text, "[") {
		f.Rule, text = rule[1:], rest
	} else if path, rest, has := strings.Cut(text, ": "); has && !strings.Contains(path, " ") && strings.Contains(path, ".") {
		f.At.Path, text = path, rest
	}
	message, where, ok := strings.Cut(text, " at line ")
	if !ok {
		return false
	}
	f.Message, f.At.Line = message, lex.LeadingNumber(where)
	if _, column, has := strings.Cut(where, "column "); has {
		f.At.Column = lex.LeadingNumber(column)
	}
	if f.At.Path == "" {
		f.At.Path = perlcriticFile(s.In)
	}
	if f.At.Path == "" { // nothing says which file it is
		f.At, f.Message = nil, strings.TrimRight(message+" at line "+strings.SplitN(where, ".  ", 2)[0], " .")
	}
	s.Find(l, f)
	return true
}

func signed(s *read.Sink, l tool.Line) bool {
	s.Sign(l)
	return true
}

// perlcriticFile is the file that was named, where it was one only: the usual
// format does not say it.
func perlcriticFile(in *tool.Input) string {
	file := ""
	for _, arg := range in.Command().Argv[min(1, len(in.Command().Argv)):] {
		if strings.HasSuffix(arg, ".pm") || strings.HasSuffix(arg, ".pl") || strings.HasSuffix(arg, ".t") {
			if file != "" {
				return ""
			}
			file = arg
		}
	}
	return file
}
