package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
