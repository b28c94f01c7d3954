package pytest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Plugins such as pytest-ruff, pytest-mypy, pytest-flake8 and pytest-pylint make a test of each file that a linter
// checks. The block has what the linter says, and is a finding each beside that of the test.

// isLinted says whether a block with this title is a linter's on a file: "[mypy] src/a.py", or a title without the file.
func isLinted(title string) bool {
	return title == "test session" || strings.HasSuffix(title, "-check") || lex.HasAnyPrefix(title, "[mypy] ", "[pylint] ")
}

// lint takes a line of a linter's block:
//
//	14: error: Function is missing a type annotation  [no-untyped-def]     of mypy
//	W: 14, 0: Dangerous default value [] as argument (dangerous-default-value)
//	/srv/shop/a.py:2:1: F401 'os' imported but unused
//	F401 [*] `os` imported but unused                                     of ruff, above " --> src/a.py:2:8"
func (b *block) lint(line string, room *int) bool {
	if !b.linted || *room < len(line) {
		return false
	}
	linter, path, _ := strings.Cut(b.name, "] ")
	text, in := line, read.First
	switch arrow, points := strings.CutPrefix(strings.TrimLeft(line, " "), "--> "); {
	case points:
		text, b.pending = arrow+": "+b.pending, ""
	case linter == "[mypy":
		text, in = path+":"+line, read.Brackets
	case linter == "[pylint" && len(line) > 2:
		line, column, _ := strings.Cut(line[2:], ",")
		text, in = path+":"+strings.TrimSpace(line)+":"+strings.TrimSpace(column), read.Parens
	}
	d, ok := read.CutDiagnostic(text)
	if !ok || d.At.Line == 0 {
		if _, rule := read.First.Cut(line); strings.ContainsAny(rule, "0123456789") && !strings.HasPrefix(line, " ") {
			b.pending = strings.Replace(line, " [*]", "", 1)
		}
		return b.pending != "" || len(b.lints) > 0
	}
	f := result.Finding{Kind: result.Diagnostic, Severity: cmp.Or(read.SeverityOf(d.Word), result.SevError), At: &d.At}
	f.Message, f.Rule = in.Cut(d.Message)
	if *room -= len(line); f.Severity != result.SevInfo {
		b.lints = append(b.lints, f)
	}
	return true
}

// report adds what the linter says.
func (b *block) report(rep *tool.Report) {
	for _, f := range b.lints {
		f.RawSpan = &result.Span{Start: b.start, End: b.end}
		rep.Add(f)
	}
}
