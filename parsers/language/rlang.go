package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("Rscript R | r littler", func(p *tool.Parser) {
	p.Is("rscript", result.Generic, 1, "R 3.5 to 4.5: errors that end a script")
	p.Interprets = tool.Always
	p.Matches = func(argv []string) bool {
		return lex.IsOneOf(argv[0], "Rscript R r littler") && !isTestthat(argv) && !isRCheck(argv) && !isLintr(argv)
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: rLine}.Parse})
})

// rLine reads "Error in f(1) : object 'x' not found", whose text stands on the next line if it is long, and errors
// of the package rlang, whose text stands behind "! ". R prints places only in traces of packages that keep them.
func rLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	f := s.Last()
	switch {
	case t == "Execution halted":
		s.Close(l)
	case t == "Error: Test failures":
		return false // testthat's report names the tests
	case lex.HasAnyPrefix(t, "Error in ", "Error: ", "Error in file("):
		s.Find(l, rError(t))
	case lex.HasAnyPrefix(t, "Fatal error: ", "WARNING: unknown option ", "ARGUMENT '"):
		_, message, _ := strings.Cut(t, ": ")
		s.Misuse(l, message)
	case t == "Warning message:" || t == "Warning messages:" || strings.HasPrefix(t, "In addition: Warning message"):
		s.Break()
		return false
	case f == nil || t == "":
		return false
	default:
		rBelow(f, t)
		s.More(l)
	}
	return true
}

// rError returns the finding of an error's first line.
func rError(t string) result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevError}
	if message, ok := strings.CutPrefix(t, "Error: "); ok {
		f.Message = message
		return f
	}
	call, message, ok := strings.Cut(t[len("Error in "):], " : ")
	if !ok {
		call, message, _ = strings.Cut(t[len("Error in "):], "`: ")
	}
	call = strings.Trim(strings.TrimRight(call, " :"), "`")
	f.Message = strings.TrimSpace(message)
	if strings.HasPrefix(call, "library(") || strings.HasPrefix(call, "loadNamespace(") {
		f.Rule = "packageNotFound"
	}
	if at, _, placed := place.Cut(f.Message); placed && strings.HasSuffix(at.Path, ".R") { // "parse(…) : a.R:3:2: unexpected symbol"
		_, f.Message, _ = place.Cut(f.Message)
		f.At = &at
	}
	return f
}

func rBelow(f *result.Finding, t string) {
	text := strings.TrimSpace(t)
	if message, ok := strings.CutPrefix(text, "! "); ok {
		f.Message = message
		return
	}
	if strings.HasSuffix(f.Message, ":") {
		f.Message += " " + text
		return
	}
	if f.Message != "" {
		if _, spot, ok := strings.Cut(text, " at "); ok && f.At == nil && strings.Contains(spot, ".R:") {
			f.At = read.PlaceOf(spot)
		}
		return
	}
	f.Message = text
	if at, rest, placed := place.Cut(text); placed && strings.Contains(at.Path, ".R") {
		f.At, f.Message = &at, rest
	}
}
