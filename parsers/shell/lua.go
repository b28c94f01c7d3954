package shell

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("lua", result.Generic, 1, "lua and luac 5.1 to 5.4, luajit: errors of syntax, and errors with a stack traceback")
	p.Interprets = tool.Always
	p.Matches = runsLua
	p.Programs = []string{"lua", "luac", "luajit"}
	p.Reads(tool.Format{Name: "text", Starts: []string{"lua: ….lua:", "lua5.….lua:", "luajit: ….lua:"}, Parse: read.Text{Line: luaLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: luaLine}.Parse})
})

func runsLua(argv []string) bool {
	name := strings.TrimRight(argv[0], "0123456789.")
	return name == "lua" || name == "luac" || name == "luajit"
}

// luaLine reads "lua5.4: src/a.lua:8: unexpected symbol near 'end'" and the stack traceback below. With -i, Lua goes
// on after an error and exits 0.
func luaLine(s *read.Sink, l tool.Line) bool {
	if asks := slices.Contains(s.In.Command().Argv, "-i"); asks {
		if text, typed := strings.CutPrefix(strings.TrimLeft(l.Text, "> "), "stdin:"); typed {
			if number, message, told := strings.Cut(text, ": "); told && lex.IsDigits(number) {
				return s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
			}
		}
	}
	program, rest, ok := strings.Cut(l.Text, ": ")
	if last := s.Last(); last != nil && (l.Text == "stack traceback:" || strings.HasPrefix(l.Text, "\t")) {
		if at, _, ok := place.Cut(strings.TrimLeft(l.Text, "\t")); ok && last.At == nil && at.Path != "stdin" {
			last.At = &at
		}
		return s.More(l)
	}
	if !ok || !runsLua([]string{program[strings.LastIndexByte(program, '/')+1:]}) {
		return false
	}
	f := result.Finding{Kind: result.BuildError, Message: rest}
	if at, message, ok := place.Cut(rest); ok {
		f.At, f.Message = &at, message
	} else if strings.HasPrefix(rest, "cannot open ") || strings.HasPrefix(rest, "unrecognized option ") {
		f.Kind, s.Meaning = result.GenericFinding, result.MeansUsage
	}
	return s.Find(l, f)
}

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
