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

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("luaunit", result.Test, 1, "LuaUnit 3.x: text, with -v too")
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

var _ = Room.Add("luacheck", func(p *tool.Parser) {
	p.Is("luacheck", result.Lint, 1, "luacheck 0.23 to 1.2: default, plain, visual_studio, TAP, JUnit")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{3: result.MeansUsage, 4: result.MeansUsage}
	p.Reads(tool.Format{Name: "default", Starts: []string{"Total: … warnings / ", "Total: … warning / "}, Parse: read.Text{Line: luacheckLine}.Parse})
	p.Reads(tool.Format{Name: "plain", Parse: read.Text{Line: luacheckLine}.Parse})
	p.Reads(tool.Format{Name: "tap", Parse: read.Text{Line: luacheckTAP}.Parse})
})

// luacheckTAP reads "not ok 2 src/b.lua:1:7: unused variable 'x'", which is a warning, not a failed test.
func luacheckTAP(s *read.Sink, l tool.Line) bool {
	rest, warned := strings.CutPrefix(l.Text, "not ok ")
	if !warned {
		return lex.HasAnyPrefix(l.Text, "1..", "ok ")
	}
	_, l.Text, _ = strings.Cut(rest, " ")
	return luacheckLine(s, l)
}

// luacheckLine reads "    src/b.lua:1:7: (W211) unused variable x" and the similar formats. The code is printed only
// with --codes.
func luacheckLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	at, message, ok := place.Cut(t)
	switch {
	case ok && at.Column > 0 && message != "" && !strings.HasPrefix(t, "not ok "):
		message = strings.TrimPrefix(message, ": ")
		f := result.Finding{Severity: result.SevWarning, Message: message, At: &at}
		if word, rest := read.CutSeverity(message); word != "" && strings.Contains(t, ") : ") { // the format visual_studio
			f.Severity, message = read.SeverityOf(word), rest
			f.Message, f.Rule = read.Colon.Cut(rest)
		} else if code, rest, has := strings.Cut(message, ") "); has && strings.HasPrefix(code, "(") {
			f.Rule, f.Message = code[1:], rest
		}
		if strings.HasPrefix(f.Rule, "E") || f.Rule == "" && (strings.HasPrefix(f.Message, "expected ") || strings.Contains(f.Message, "syntax error")) {
			f.Severity = result.SevError
		}
		return s.Find(l, f)
	case strings.HasPrefix(t, "Total: "):
		for kind, n := range read.Counts(t[len("Total: "):]) {
			if kind = strings.TrimSuffix(kind, "s"); len(s.Findings) == 0 && n > 0 && (kind == "warning" || kind == "error") {
				s.Count(kind, n) // -qq prints only the total
			}
		}
		return s.Close(l)
	case strings.HasPrefix(t, "Checking ") && (strings.HasSuffix(t, " 1 error") || strings.HasSuffix(t, "OK") || strings.HasSuffix(t, "warnings") || strings.HasSuffix(t, "warning") || strings.HasSuffix(t, "errors")):
		return s.Sign(l)
	case strings.HasPrefix(t, "Checking ") && (strings.HasSuffix(t, " I/O error") || strings.HasSuffix(t, "Fatal error")), strings.HasPrefix(t, "Critical error: "), strings.HasPrefix(t, "Error: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.Join(strings.Fields(t), " ")})
		return s.Break()
	case luacheckUnread(t) != "":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: "Checking " + luacheckUnread(t) + " I/O error"})
		return s.Break()
	case s.Last() != nil && s.Last().Kind == result.GenericFinding && l.Text != t:
		return s.More(l)
	}
	return t == "" || strings.HasPrefix(t, "Usage: ")
}

// luacheckUnread returns the file that could not be read, or "", in the formats with one line for each finding:
//
//	b.lua: I/O error
//	b.lua: I/O error (couldn't read: No such file or directory)
//	luacheck : fatal error F1: couldn't check b.lua: couldn't read: No such file or directory
func luacheckUnread(text string) string {
	if rest, ok := strings.CutPrefix(text, "luacheck : fatal error F1: couldn't check "); ok {
		path, _, _ := strings.Cut(rest, ": ")
		return path
	}
	path, why, ok := strings.Cut(text, ": I/O error")
	if !ok || why != "" && !strings.HasPrefix(why, " (") {
		return ""
	}
	return path
}
