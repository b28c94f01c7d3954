package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("luaunit", result.Test, 1, "LuaUnit 3.x: text, with -v too")
	p.Matches = func([]string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"Ran … seconds, "}, Parse: read.Numbered{
		Take: luaUnitTest, Other: luaUnitOther, Closes: true,
		Head: func(title string) bool { return strings.Contains(title, ".") && !strings.Contains(title, " ") },
		Ends: func(text string) bool { return text == "Failed tests:" || strings.HasPrefix(text, "Ran ") },
	}.Parse})
})

// luaUnitTest reads the name of a test, the place and the message, and the frames:
//
//  1. TestVec.testAdd
//     test/vec_test.lua:10: expected: {4, 5}
//     actual: {4, 3}
//     stack traceback:
//     test/vec_test.lua:10: in function 'TestVec.testAdd'
func luaUnitTest(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title, Detail: strings.Join(b.Body, "\n")}
	said, trace, _ := strings.Cut(f.Detail, "\nstack traceback:")
	said, _, _ = strings.Cut(said, "\nError message received: ") // which begins with a place
	f.Message = strings.Join(strings.Fields(said), " ")
	if at, rest, ok := place.CutPlace(f.Message); ok {
		f.At, f.Message = &at, rest
	}
	var frames []result.Location
	for line := range strings.SplitSeq(trace, "\n") {
		if at, _, ok := place.CutPlace(strings.TrimSpace(line)); ok {
			frames = append(frames, at)
		}
	}
	read.Locate(s.In, &f, frames)
	s.FindBlock(b, f)
}

func luaUnitOther(s *read.Sink, l tool.Line) bool {
	if !strings.HasPrefix(l.Text, "Ran ") || !strings.Contains(l.Text, " seconds, ") {
		return l.Text == "Failed tests:" || l.Text == "Tests with errors:" || strings.Trim(l.Text, "-") == ""
	}
	n := read.Counts(l.Text)
	failed, broken := n["failures"]+n["failure"], n["errors"]+n["error"]
	s.Total(failed+broken, map[string]int{"passed": n["successes"] + n["success"], "failed": failed, "error": broken, "skipped": n["skipped"]})
	return s.Ended(l)
}
