package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("include-what-you-use iwyu iwyu_tool iwyu_tool.py", func(p *tool.Parser) {
	p.Is("iwyu", result.Lint, 1, "include-what-you-use and iwyu_tool: what to add and to remove, and what clang says beside it")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Starts: []string{"The full include-list for "}, Named: true, Parse: read.Fresh(func(w *iwyu) read.Text {
		return read.Text{Line: w.line}
	})})
})

// iwyu reads the lines to add to a file, and those to remove from it, each list up to an empty line:
//
//	src/dump.c should add these lines:
//	#include <stdint.h>                  // for int32_t
//
//	src/dump.c should remove these lines:
//	- #include <ctype.h>  // lines 21-21
//
//	The full include-list for src/dump.c:
type iwyu struct {
	path, rule string // the list that is being read
	clang      compiler
}

func (w *iwyu) line(s *read.Sink, l tool.Line) bool {
	for _, rule := range [...]string{"add", "remove"} {
		if path, ok := strings.CutSuffix(l.Text, " should "+rule+" these lines:"); ok {
			w.path, w.rule = path, rule
			return s.Break()
		}
	}
	switch {
	case strings.HasPrefix(l.Text, "The full include-list for "):
		w.path, w.rule = "the list", ""
		return s.Sign(l)
	case strings.HasSuffix(l.Text, " has correct #includes/fwd-decls)"):
		return s.Sign(l)
	case l.Text == "" || l.Text == "---":
		w.path = ""
		return s.Break()
	case w.path == "":
		return w.clang.line(s, l)
	case w.rule == "":
		return true
	}
	what, why, _ := strings.Cut(strings.TrimPrefix(l.Text, "- "), "  // ")
	if !lex.HasAnyPrefix(what, "#include ", "class ", "struct ", "union ", "enum ", "namespace ", "template ", "extern ") {
		return w.clang.line(s, l)
	}
	f := result.Finding{Severity: result.SevWarning, Rule: w.rule, Message: lex.OnOneLine(what), At: &result.Location{Path: w.path}}
	if lines, ok := strings.CutPrefix(why, "lines "); ok {
		f.At.Line = lex.LeadingNumber(lines)
	} else if why != "" {
		f.Message += ": " + why
	}
	return s.Find(l, f)
}
