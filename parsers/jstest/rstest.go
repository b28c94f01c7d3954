package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rstest prints each failure like jest, below a head like vitest's, and then the counts. A file of tests that failed
// as a whole has a head without a test:
//
//	 FAIL  src/cart.test.ts > cart > adds
//	AssertionError: expected 1 to be 2 // Object.is equality
//	> 4 |   test('adds', () => { expect(add(1)).toBe(2) })
//	        at src/cart.test.ts:4:52
var _ = Room.Add("rstest", func(p *tool.Parser) {
	p.Is("rstest", result.Test, 1, "Rstest 0.12: default, verbose")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Rstest v", "Test Files 1", "Test Files 2", "Test Files 3", "Test Files 4", "Test Files 5", "Test Files 6", "Test Files 7", "Test Files 8", "Test Files 9"}, Parse: read.Blocks{
		Head:  func(text string) (string, bool) { return strings.CutPrefix(text, " FAIL  ") },
		Ends:  func(text string) bool { return lex.HasAnyPrefix(text, " Test Files ", "error   ") },
		Take:  rstestFailure,
		Other: rstestLine,
		Turns: true, Closes: true,
	}.Parse})
})

func rstestFailure(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSpace(b.Title), Message: "failed"}
	path, _, isTest := strings.Cut(f.ID, vitestJoint)
	if f.At = (&result.Location{Path: path}); !isTest {
		f.Severity = result.SevError
		s.Count("error", 1)
		s.Claim(1)
		s.Unread("a file of tests did not run to its end: " + f.ID)
		s.NoTest(f.ID)
	} else {
		s.Ran(tool.Test{ID: f.ID, Outcome: tool.Failed})
	}
	jestExplain(&f, slices.DeleteFunc(b.Body, func(line string) bool { return strings.Contains(line, "/.rstest-temp/") })) // frames in the built files
	s.FindBlock(b, f)
}

// rstestLine reads the counts, with one blank in each place where Vitest has two: " Test Files 1 failed", "      Tests 5 failed | 2 skipped".
func rstestLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	name, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "Rstest v"):
		return s.Sign(l)
	case strings.HasPrefix(rest, "Files "):
		if read.Counts(strings.ReplaceAll(rest, "|", ","))["failed"] > 0 && s.Failures() == 0 {
			s.Unread("files of tests failed, and how they did stands elsewhere")
		}
	case name == "Tests":
		s.Scores(read.Counts(strings.ReplaceAll(rest, "|", ",")), "")
		s.Tested, s.NoTests = true, rest == "no tests"
	case name == "Duration" && s.Tested:
		return s.Close(l)
	case strings.HasPrefix(text, "error   No test files found"):
		s.Find(l, result.Finding{Message: strings.TrimSpace(text[len("error"):])})
		s.NoTests, s.Meaning = true, result.MeansNoTests
		return s.Break()
	default:
		return false
	}
	return s.Cover(l)
}
