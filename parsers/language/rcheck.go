package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
