package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("coverage diff-cover | coverage3 diff-quality", func(p *tool.Parser) {
	p.Is("coverage", result.Generic, 1, "coverage.py 5 to 7 and diff-cover: a total below --fail-under, and what could not be reported")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"Coverage failure: total of "}, Parse: read.Text{Line: coverageLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: coverageLine}.Parse)})
	p.Reads(read.PythonUsage("coverage", "diff-cover"))
})

// coverageEnds lists the beginnings of the errors with which coverage stops.
var coverageEnds = []string{
	"No data to report.", "No data to combine", "No file to run: ", "Couldn't read ", "Couldn't use data file ", "No source for code: ", "Can't combine ", "Nothing to do.",
	"Unknown command: ", "no such option: ", "No usable data files", "Couldn't parse ", "Can't append to data files", "Unrecognized option ",
}

// coverageLine reads "Coverage failure: total of 50 is less than fail-under=99", and diff-cover's
// "Failure. Coverage is below 90%." and "src/a.py (50.0%): Missing lines 3,7".
func coverageLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "Coverage failure: "); ok {
		return s.Find(l, result.Finding{Rule: "fail-under", Message: message})
	}
	if path, lines, ok := strings.Cut(l.Text, "%): Missing lines "); ok {
		path = path[:max(0, strings.LastIndex(path, " ("))]
		for part := range strings.SplitSeq(lines, ",") {
			s.Find(l, result.Finding{Severity: result.SevWarning, Rule: "uncovered", Message: "Missing lines", At: &result.Location{Path: path, Line: lex.LeadingNumber(part)}})
		}
		return true
	}
	if strings.HasPrefix(l.Text, "Failure. ") && strings.Contains(l.Text, " is below ") {
		return s.Find(l, result.Finding{Rule: "fail-under", Message: strings.TrimPrefix(l.Text, "Failure. ")})
	}
	if lex.HasAnyPrefix(l.Text, coverageEnds...) {
		return s.Misuse(l, l.Text)
	}
	return lex.HasAnyPrefix(l.Text, "Full documentation is at ", "Use 'coverage help' ", "Wrote ")
}

// started returns the format of a runner's message that it could not start a program. line is
// how the message begins, and means is the meaning for the run.
func started(line string, means result.Meaning) tool.Format {
	parse := func(in *tool.Input) *tool.Report {
		return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
			ok := strings.HasPrefix(l.Text, line)
			if ok {
				s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
				s.Meaning = means
			}
			return ok
		}}.Parse(in)
	}
	return tool.Format{Name: "messages", Starts: []string{line}, Parse: parse}
}
