package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("clang", result.Build, 1, "clang 10 to 21: clang, msvc and vi text, sarif; lld beside it")
	p.ColumnUnit = "byte"
	p.Matches = isClang
	p.Programs = compilers("clang", "clang++")
	p.Reads(tool.Format{Name: "sarif", Parse: parseCompilerSARIF})
	p.Reads(tool.Format{Name: "text", Starts: []string{"1… generated.", "2… generated.", "3… generated.", "clang…: error: "}, Named: true, Parse: parseClang})
})

func parseClang(in *tool.Input) *tool.Report { return parseCompiler(in, true) }

var _ = Room.Add("clang-format", func(p *tool.Parser) {
	p.Is("clang-format", result.Format, 1, "clang-format 10 to 21 with --dry-run")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Other: clangFormatSays,
		Accept: func(d *read.Diagnostic) bool { return strings.HasPrefix(d.Rule, "-Wclang-format") || d.Word == "error" }}.Parse})
})

func clangFormatSays(s *read.Sink, l tool.Line) bool {
	return l.Stream == tool.Stderr && s.MisuseIf(l, "Invalid value for ", "No such file", "clang-format: ", "error: ", "Error reading ")
}

var _ = Room.Add("clang-tidy run-clang-tidy | clang-tidy-diff.py", func(p *tool.Parser) {
	p.Is("clang-tidy", result.Lint, 1, "clang-tidy 9 to 21")
	p.ColumnUnit = "byte"
	p.RuleURL = clangTidyURL
	p.Reads(tool.Format{Name: "text", Starts: []string{"Use -header-filter=.* to display errors from all non-system headers", "Suppressed … in non-user code)", "Found compiler error(s)."}, Named: true,
		Parse: read.Linter{Rule: read.Brackets, Other: clangTidySays, Accept: isClangTidy}.Parse})
})

func isClangTidy(d *read.Diagnostic) bool {
	d.Rule = strings.TrimSuffix(d.Rule, ",-warnings-as-errors")
	return d.Word != "" && d.Word != "note" && d.Rule != ""
}

func clangTidyURL(rule string) string {
	group, name, ok := strings.Cut(rule, "-")
	if !ok || group == "clang" {
		return ""
	}
	return "https://clang.llvm.org/extra/clang-tidy/checks/" + group + "/" + name + ".html"
}

func clangTidySays(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case lex.HasAnyPrefix(text, "Error: no checks enabled", "error: clang-tidy: ", "clang-tidy: Unknown"):
		return s.Misuse(l, strings.TrimPrefix(text[strings.Index(text, ": ")+2:], "clang-tidy: "))
	case strings.HasPrefix(text, "error: "):
		message, rule := read.Brackets.Cut(text[7:])
		return s.Find(l, result.Finding{Rule: rule, RawSeverity: "error", Message: message})
	case strings.HasSuffix(text, " generated."), strings.HasPrefix(text, "Suppressed "):
		return s.Sign(l)
	}
	return false
}

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
