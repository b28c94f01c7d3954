package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
