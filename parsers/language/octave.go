package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("octave octave-cli", func(p *tool.Parser) {
	p.Is("octave", result.Generic, 1, "GNU Octave 4 to 10: errors, where they were raised, errors of syntax; the blocks of %! tests that failed")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: parseOctave})
})

// octave reads an error and the calls below it, innermost first:
//
//	error: operator *: nonconformant arguments (op1 is 2x3, op2 is 2x3)
//	error: called from
//	    dim at line 1 column 3
type octave struct {
	script string // the script that was run; its frame has its name without ".m"
	calls  bool
	octaveTests
}

func parseOctave(in *tool.Input) *tool.Report {
	o := &octave{}
	for _, a := range in.Command().Argv {
		if strings.HasSuffix(a, ".m") {
			o.script = a
		}
	}
	return read.Text{Line: o.line}.Parse(in)
}

func (o *octave) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	f := s.Last()
	switch {
	case o.test(s, l, t):
	case t == "error: called from" && f != nil:
		o.calls = true
		return s.More(l)
	case o.calls && f != nil && strings.HasPrefix(t, "    "):
		o.frame(f, strings.TrimSpace(t))
		return s.More(l)
	case strings.HasPrefix(t, "error: "):
		o.calls = false
		return s.Find(l, o.raised(strings.TrimPrefix(t, "error: ")))
	case strings.HasPrefix(t, "warning: "):
		o.calls = false
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(t, "warning: ")})
	case strings.HasPrefix(t, "parse error"):
		return s.Find(l, o.raised(t))
	case f != nil && f.Kind == result.BuildError && strings.HasPrefix(t, "  ") && f.Message == "parse error":
		f.Message = strings.TrimSpace(t)
		return s.More(l)
	case f != nil:
		return s.More(l)
	}
	return false
}

// raised reads "parse error near line 2 of file /src/a.m" and "'x' undefined near line 2, column 7", and takes the
// place out of the message.
func (o *octave) raised(message string) result.Finding {
	if rest, ok := strings.CutPrefix(message, "parse error"); ok {
		f := result.Finding{Kind: result.BuildError, Rule: "parse-error", Message: "parse error"}
		if near, path, ok := strings.Cut(rest, " of file "); ok {
			_, n, _ := strings.Cut(near, " line ")
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(n)}
		}
		return f
	}
	f := result.Finding{Kind: result.Panic, Message: message}
	if what, near, ok := strings.Cut(message, " near line "); ok {
		line, column, _ := strings.Cut(near, ", column ")
		if f.Message = what; o.script != "" {
			f.At = &result.Location{Path: o.script, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
		}
	}
	return f
}

// frame reads "dim at line 1 column 3". The first frame of the script is the finding's place: the files of other
// functions are not printed.
func (o *octave) frame(f *result.Finding, t string) {
	name, at, ok := strings.Cut(t, " at line ")
	line, column, _ := strings.Cut(at, " column ")
	base := o.script[strings.LastIndexByte(o.script, '/')+1:]
	if !ok || f.At != nil || base == "" || name != strings.TrimSuffix(base, ".m") {
		return
	}
	f.At = &result.Location{Path: o.script, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
}

// octaveTests reads failed tests of Octave's function test, and of a run over a folder that calls it for each file.
// A test has no name: its code is its id.
//
//	>>>>> /home/dev/strtrim.m
//	***** assert (strtrim ("abc"), "abc")
//	!!!!! test failed
//	ASSERT errors for:  assert (strtrim ("abc"),"abc")
//
//	  Location  |  Observed  |  Expected  |  Reason
//	     []           bc          abc        Strings don't match
//
// Instead of blocks, a run over a folder prints a list of the files in which tests fail:
//
//	Failure Summary:
//
//	  /home/dev/strtrim.m ............... pass    6/10
//	                                      FAIL    4
type octaveTests struct {
	file, code string
	section    string // the last heading of a run over a folder
	table      bool   // the next line is the row of an assertion
}

func (o *octaveTests) test(s *read.Sink, l tool.Line, t string) bool {
	mark, rest, _ := strings.Cut(t, " ")
	words := strings.Fields(t)
	f := s.Last()
	switch {
	case mark == ">>>>>":
		o.file, o.section = rest, ""
		return s.Break()
	case mark == "*****":
		o.code, o.section = rest, ""
		return s.Break()
	case mark == "!!!!!" && o.code != "":
		o.failed(s, l, o.code, o.file, rest)
	case strings.HasSuffix(t, " test scripts:"), t == "Failure Summary:", t == "Summary:":
		o.section = t
		return s.Break()
	case mark == "PASSES" && len(words) > 4:
		passed := lex.LeadingNumber(words[1])
		s.Count("passed", passed)
		s.Count("failed", lex.LeadingNumber(words[4])-passed)
		return s.Ended(l)
	case o.section == "Summary:" && len(words) == 2 && lex.IsDigits(words[1]):
		s.Count(lex.Means(words[0], "passed: PASS; failed: FAIL, REGRESSION; xfailed: XFAIL"), lex.Atoi(words[1]))
		return s.Ended(l)
	case o.section == "Failure Summary:":
		return o.row(s, l, words)
	case o.section != "":
		return false
	case f == nil || f.Kind != result.TestFailure:
		return false
	case lex.HasAnyPrefix(t, "error: ", "warning: ", "parse error") && f.Message != "test failed": // does not belong to the test
		return s.Break() && false
	default:
		o.why(f, t)
		s.More(l)
	}
	return true
}

// failed adds a failed test, or a file of tests.
func (o *octaveTests) failed(s *read.Sink, l tool.Line, id, path, message string) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: message}
	if path != "" {
		f.At = &result.Location{Path: path}
	}
	s.Find(l, f)
}

// why reads the lines below a failed test: the message, and the row of values below "Location | Observed".
func (o *octaveTests) why(f *result.Finding, t string) {
	switch {
	case strings.HasPrefix(strings.TrimSpace(t), "Location | "), strings.HasPrefix(t, "  Location  |"):
		o.table = true
	case o.table && t != "":
		f.Message, o.table = strings.Join(strings.Fields(t), " "), false
		if cells := octaveCells(t); len(cells) == 4 {
			f.Expected, f.Actual, f.Message = cells[2], cells[1], cells[3]
		}
	case strings.HasSuffix(f.Message, "failed."), f.Message == "test failed" && t != "" && !strings.HasPrefix(t, "ASSERT errors for:"):
		f.Message = t
	}
}

// octaveCells splits a row at two or more blanks.
func octaveCells(row string) (cells []string) {
	for cell := range strings.SplitSeq(row, "  ") {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// row reads a file's row in the list of failures, "/home/dev/strtrim.m ...... pass    6/10".
func (o *octaveTests) row(s *read.Sink, l tool.Line, words []string) bool {
	if len(words) < 4 || words[len(words)-2] != "pass" || !strings.Contains(words[len(words)-1], "/") {
		return true
	}
	passed, of, _ := strings.Cut(words[len(words)-1], "/")
	path := words[0]
	o.failed(s, l, path[strings.LastIndexByte(path, '/')+1:], path, strings.TrimSpace(of)+" tests, "+passed+" passed")
	return s.Break()
}
