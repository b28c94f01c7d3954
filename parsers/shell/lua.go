package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "lua", Kind: result.Generic, Version: 1,
		About:   "lua and luac 5.1 to 5.4, luajit: errors of syntax, and errors with a stack traceback",
		Matches: runsLua, Programs: []string{"lua", "luac", "luajit"},
		Formats: []tool.Format{{Name: "text", Starts: []string{"lua: ….lua:", "lua5.….lua:", "luajit: ….lua:"}, Parse: read.Text{Line: luaLine}.Parse}, {Name: "text", Parse: read.Text{Line: luaLine}.Parse}},
	}
})

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "luacheck", Kind: result.Lint, Version: 1, ColumnUnit: "byte",
		About:   "luacheck 0.23 to 1.2: default, plain, visual_studio",
		Matches: tool.Runs("luacheck"), Programs: []string{"luacheck"},
		Exits: map[int]result.Meaning{3: result.MeansUsage, 4: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "default", Starts: []string{"Total: … warnings / ", "Total: … warning / "}, Parse: read.Text{Line: luacheckLine}.Parse},
			{Name: "plain", Parse: read.Text{Line: luacheckLine}.Parse},
		},
	}
})

func runsLua(argv []string) bool {
	name := strings.TrimRight(argv[0], "0123456789.")
	return name == "lua" || name == "luac" || name == "luajit"
}

// luaLine reads "lua5.4: src/a.lua:8: unexpected symbol near 'end'" and the
// stack traceback below it.
func luaLine(s *read.Sink, l tool.Line) bool {
	program, rest, ok := strings.Cut(l.Text, ": ")
	if last := s.Last(); last != nil && (l.Text == "stack traceback:" || strings.HasPrefix(l.Text, "\t")) {
		if at, _, ok := place.Cut(strings.TrimLeft(l.Text, "\t")); ok && last.At == nil {
			last.At = &at
		}
		s.More(l)
		return true
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
	s.Find(l, f)
	return true
}

// luacheckLine reads "    src/b.lua:1:7: (W211) unused variable x" and its kin;
// the code stands there only where it is asked for.
func luacheckLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	at, message, ok := place.Cut(t)
	switch {
	case ok && at.Column > 0 && message != "" && !strings.HasPrefix(t, "not ok "):
		message = strings.TrimPrefix(message, ": ")
		f := result.Finding{Severity: result.SevWarning, Message: message, At: &at}
		if word, rest := read.CutSeverity(message); word != "" && strings.Contains(t, ") : ") { // visual_studio
			f.Severity, message = read.SeverityOf(word), rest
			f.Message, f.Rule = read.Colon.Cut(rest)
		} else if code, rest, has := strings.Cut(message, ") "); has && strings.HasPrefix(code, "(") {
			f.Rule, f.Message = code[1:], rest
		}
		if strings.HasPrefix(f.Rule, "E") || f.Rule == "" && (strings.HasPrefix(f.Message, "expected ") || strings.Contains(f.Message, "syntax error")) {
			f.Severity = result.SevError
		}
		s.Find(l, f)
	case strings.HasPrefix(t, "Total: "):
		s.Close(l)
	case strings.HasPrefix(t, "Checking ") && (strings.HasSuffix(t, " 1 error") || strings.HasSuffix(t, "OK") || strings.HasSuffix(t, "warnings") || strings.HasSuffix(t, "warning") || strings.HasSuffix(t, "errors")):
		s.Sign(l)
	case strings.HasPrefix(t, "Checking ") && (strings.HasSuffix(t, " I/O error") || strings.HasSuffix(t, "Fatal error")), strings.HasPrefix(t, "Critical error: "), strings.HasPrefix(t, "Error: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.Join(strings.Fields(t), " ")})
		s.Break()
	case s.Last() != nil && s.Last().Kind == result.GenericFinding && l.Text != t:
		s.More(l)
	default:
		return t == "" || strings.HasPrefix(t, "Usage: ")
	}
	return true
}
