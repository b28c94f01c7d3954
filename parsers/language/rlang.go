package language

import (
	"slices"
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

var _ = Room.Add("R | rcmdcheck", func(p *tool.Parser) {
	p.Is("r-cmd-check", result.Lint, 1, "R CMD check of R 3.5 to 4.5: checks that end in ERROR, WARNING or NOTE")
	p.Matches = isRCheck
	p.Reads(tool.Format{Name: "text", Starts: []string{"* checking for file ‘…DESCRIPTION’ ... ", "* checking for file '…DESCRIPTION' ... "}, Named: true, Parse: read.Fresh(func(c *rCheck) read.Text { return read.Text{Line: c.line, Closes: true} })})
})

func isRCheck(argv []string) bool {
	return argv[0] == "rcmdcheck" || len(argv) > 2 && argv[0] == "R" && argv[1] == "CMD" && argv[2] == "check"
}

// rCheck reads each check and its outcome, with the reasons in the lines below:
//
//	using R version 4.3.1
//	* checking DESCRIPTION meta-information ... WARNING
//	Non-standard license specification:
//	  Foo
//	* checking tests ...
//	  Running ‘t.R’
//	 ERROR
//	Running the tests in ‘tests/t.R’ failed.
//	Complete output:
//	  > stopifnot(f(1) == 2)
//	  Error in f(1) : object 'y' not found
//	* DONE
//	Status: 1 ERROR, 1 WARNING
type rCheck struct{ name string } // the check that is under way

func (c *rCheck) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	came := t
	name, begins := strings.CutPrefix(l.Text, "* checking ")
	if begins {
		s.Break()
		c.name, came, _ = strings.Cut(name, " ...")
	}
	if took, word, ok := strings.Cut(strings.TrimSpace(came), "] "); ok && strings.HasPrefix(took, "[") { // "[2s/3s] OK"
		came = word
	}
	severity := map[string]result.Severity{"ERROR": result.SevError, "WARNING": result.SevWarning, "NOTE": result.SevInfo}[strings.TrimSpace(came)]
	switch f := s.Last(); {
	case c.name != "" && severity != "":
		s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: severity, RawSeverity: strings.TrimSpace(came), ID: c.name})
		c.name = ""
		return true
	case begins:
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "* "), strings.HasPrefix(l.Text, "Status: "):
		s.Break()
		c.name = ""
		if n := read.CountsBehind(strings.ToLower(l.Text)); n["error"] > 0 {
			s.Claim(n["error"])
		}
		return strings.HasPrefix(l.Text, "Status: ") && s.Close(l)
	case f != nil:
		rCheckBelow(f, t)
		return s.More(l)
	}
	return c.name != ""
}

// rCheckBelow makes the message from the first line, from the next if the first ends with a colon, and from the
// error that ended a test or an example.
func rCheckBelow(f *result.Finding, t string) {
	switch {
	case f.Message == "":
		f.Message = t
	case strings.HasSuffix(f.Message, ":") && t != "", lex.HasAnyPrefix(t, "Error in ", "Error: ") && !strings.Contains(f.Message, "Error"):
		f.Message += " " + t
	}
}

var _ = Room.Add("Rscript", func(p *tool.Parser) {
	p.Is("lintr", result.Lint, 1, "lintr 2 and 3, R: what lint, lint_dir and lint_package print")
	p.Matches = isLintr
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{
		Accept: func(d *read.Diagnostic) bool {
			if rule, rest, ok := strings.Cut(d.Message, "] "); ok && rule[0] == '[' { // since version 3
				d.Rule, d.Message = rule[1:], rest
			}
			return d.At.Column > 0
		},
		Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" },
		Other: rLine,
	}.Parse})
})

func isLintr(argv []string) bool {
	return argv[0] == "Rscript" && slices.ContainsFunc(argv[1:], func(a string) bool { return strings.Contains(a, "lintr::") })
}
