package rust

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rustcLints finds the lint of a diagnostic. The JSON of rustc always names it; the text names it only at the lint's
// first message in a crate ("= note: `#[warn(dead_code)]` on by default"). The lint learned from that message is used
// for later ones of the same shape. For shapes whose first message was not seen, rustcShapes has the most common lints.
type rustcLints struct{ learned map[string]string }

// rustcShapes are lints, and the beginnings of the messages that they print, with the text in backticks left out
// (rustc 1.95, "rustc -W help").
var rustcShapes = []struct{ lint, shapes string }{
	{"unused_imports", "unused import"},
	{"unused_variables", "unused variable|variable `` is assigned to, but never used"},
	{"unused_doc_comments", "unused doc comment"},
	{"unused_macros", "unused macro definition"},
	{"unused_labels", "unused label"},
	{"unused_must_use", "unused return value of|unused `` that must be used|unused implementer of|unused comparison that must be used" +
		"|unused arithmetic operation that must be used|unused logical operation that must be used|unused borrow that must be used"},
	{"unused_attributes", "unused attribute"},
	{"unused_parens", "unnecessary parentheses around"},
	{"unused_braces", "unnecessary braces around"},
	{"unused_unsafe", "unnecessary `` block"},
	{"unused_mut", "variable does not need to be mutable"},
	{"unused_assignments", "value assigned to `` is never read"},
	{"unreachable_code", "unreachable statement|unreachable expression|unreachable call"},
	{"unreachable_patterns", "unreachable pattern"},
	{"deprecated", "use of deprecated"},
	{"missing_docs", "missing documentation for"},
	{"non_snake_case", "function `` should have a snake case name|method `` should have a snake case name|variable `` should have a snake case name" +
		"|module `` should have a snake case name|structure field `` should have a snake case name"},
	{"non_camel_case_types", "type `` should have an upper camel case name|variant `` should have an upper camel case name"},
	{"non_upper_case_globals", "constant `` should have an upper case name|static variable `` should have an upper case name"},
	{"unexpected_cfgs", "unexpected `` condition"},
	{"static_mut_refs", "creating a shared reference to mutable static|creating a mutable reference to mutable static"},
	{"unused_comparisons", "comparison is useless due to type limits"},
	{"overflowing_literals", "literal out of range for"},
	{"arithmetic_overflow", "this arithmetic operation will overflow"},
	{"unconditional_panic", "this operation will panic at runtime"},
	{"unconditional_recursion", "function cannot return without recursing"},
	{"while_true", "denote infinite loops with"},
	{"unused_extern_crates", "unused extern crate"},
	{"ambiguous_glob_reexports", "ambiguous glob re-exports"},
	{"elided_named_lifetimes", "elided lifetime has a name"},
	{"bare_trait_objects", "trait objects without an explicit"},
	{"mismatched_lifetime_syntaxes", "hiding a lifetime that's elided elsewhere is confusing"},
}

// rule is the rule of a diagnostic: E0308, dead_code, clippy::needless_return.
func (r *rustcLints) rule(d *rustcDiag, f *result.Finding) string {
	if d.code != "" {
		return d.code
	}
	lint := ""
	for _, l := range d.lines {
		if lint = cutLintNote(l); lint != "" {
			break
		}
	}
	if lint == "" && strings.Contains(f.RuleURL, "clippy") {
		if _, name, ok := strings.Cut(f.RuleURL, "#"); ok {
			return "clippy::" + strings.TrimPrefix(name, "/")
		}
	}
	shape := rustcShape(d.message)
	if lint == "" {
		return r.known(shape)
	}
	if len(r.learned) < tool.MaxFindings {
		lex.Put(&r.learned, shape, lint)
	}
	return lint
}

func (r *rustcLints) known(shape string) string {
	if lint := r.learned[shape]; lint != "" {
		return lint
	}
	for _, k := range rustcShapes {
		for begin := range strings.SplitSeq(k.shapes, "|") {
			if strings.HasPrefix(shape, begin) {
				return k.lint
			}
		}
	}
	if said, never, _ := lex.CutLast(shape, " never "); lex.IsOneOf(never, "used read constructed") && (strings.HasSuffix(said, " is") || strings.HasSuffix(said, " are")) {
		return "dead_code"
	}
	return ""
}

// rustcShape is a message without the text in backticks.
func rustcShape(message string) string {
	parts := strings.Split(message, "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = ""
	}
	return strings.Join(parts, "`")
}

// cutLintNote reads the lint out of "= note: `#[warn(dead_code)]` on by
// default", "= note: `-D dead-code` implied by `-D warnings`" and "= note:
// requested on the command line with `-W clippy::pedantic`".
func cutLintNote(l string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l, " "), "= note: ")
	rest = strings.TrimPrefix(rest, "requested on the command line with ")
	if inside, level := lex.CutAnyPrefix(rest, "`#[warn(", "`#[deny(", "`#[forbid(", "`#[expect("); ok && level {
		name, _, _ := strings.Cut(inside, ")")
		return name
	}
	if inside, level := lex.CutAnyPrefix(rest, "`-D ", "`-W ", "`-F ", "`--force-warn "); ok && level {
		name, _, _ := strings.Cut(inside, "`")
		return strings.ReplaceAll(name, "-", "_")
	}
	return ""
}

// rustcMark is an underline below a source line. Its label follows the last mark of the row, or is
// below the mark's beginning, some rows further down:
//
//	2 | pub struct A { pub x: i32, x: i32 }
//	  |                ----------  ^^^^^^ field already declared
//	  |                |
//	  |                `x` first declared here
type rustcMark struct {
	column  int // from 1, in characters
	primary bool
	told    bool
}

// underline reads a row of marks and labels below a source line.
func (s *rustcSections) underline(l string) {
	if s.related > 0 || s.row == 0 || s.f.At == nil {
		return
	}
	text := strings.TrimLeft(l, " |_/\\")
	if text == "" {
		return
	}
	marked := strings.TrimLeft(text, "^-_| ")
	if text[0] != '^' && text[0] != '-' {
		s.below(l, text)
		return
	}
	s.marks = append(s.marks[:0], readRustcMarks(l[:len(l)-len(marked)])...)
	if label := strings.TrimSpace(marked); label != "" && len(s.marks) > 0 {
		s.label(&s.marks[len(s.marks)-1], label)
	}
}

// readRustcMarks finds the runs of "^" and "-".
func readRustcMarks(l string) (marks []rustcMark) {
	for i := 0; i < len(l); i++ {
		if (l[i] == '^' || l[i] == '-') && (i == 0 || l[i-1] != l[i]) && len(marks) < maxRustcRelated {
			marks = append(marks, rustcMark{column: utf8.RuneCountInString(l[:i]), primary: l[i] == '^'})
		}
	}
	return marks
}

// below reads a label in a column where a mark begins.
func (s *rustcSections) below(l, text string) {
	column := utf8.RuneCountInString(l[:len(l)-len(text)])
	for i := range s.marks {
		if m := &s.marks[i]; m.column == column && !m.told {
			s.label(m, strings.TrimSpace(text))
			return
		}
	}
}

func (s *rustcSections) label(m *rustcMark, label string) {
	m.told = true
	if help, ok := strings.CutPrefix(label, "help: "); ok {
		s.suggest(help)
		return
	}
	if m.primary && s.row == s.f.At.Line && s.path == s.f.At.Path && s.f.At.Label == "" {
		s.f.At.Label = label
		return
	}
	lex.Keep(&s.f.Locations, maxRustcRelated, result.Location{Path: s.path, Line: s.row, Column: m.column, Label: label})
}

// readRustcShort reads a line of --message-format=short:
//
//	src/lib.rs:7:14: error[E0308]: mismatched types: expected `String`, found `&str`
//
// rustc puts the label of the place after the message. The label is cut off, since it is
// no part of the message in other formats.
func readRustcShort(s string) (d rustcDiag, at result.Location, ok bool) {
	for _, level := range []string{": error", ": warning"} {
		i := strings.Index(s, level)
		if i <= 0 {
			continue
		}
		at, placed := cutRustcPosition(s[:i])
		if d.level, d.code, d.message, ok = cutRustcHeadline(s[i+2:]); placed && ok && !strings.ContainsAny(at.Path, "\t`'\"") {
			d.message, at.Label = cutRustcLabel(d.message)
			return d, at, true
		}
	}
	return rustcDiag{}, at, false
}

// cutRustcLabel splits message and label at the last colon that is outside of backticks and before words, or in the
// middle if both halves are the same. Messages that quote a reason may have such a colon of their own. A label that
// proposes a change is kept whole, even if it has colons.
func cutRustcLabel(s string) (message, label string) {
	if n := len(s)/2 - 1; n > 0 && s[n:n+2] == ": " && s[:n] == s[n+2:] {
		return s[:n], s[n+2:]
	}
	if strings.HasPrefix(s, "use of deprecated ") { // such a message never has a label
		return s, ""
	}
	for _, own := range []string{"cannot find macro ", "internal compiler error: ", "failed to resolve: "} {
		if strings.HasPrefix(s, own) && strings.Count(rustcShape(s), ": ") < 2 {
			return s, ""
		}
	}
	if i := strings.Index(s, ": help: "); i > 0 && strings.Count(s[:i], "`")%2 == 0 {
		return s[:i], s[i+2:]
	}
	quoted, at := false, -1
	for i := 0; i+2 < len(s); i++ {
		switch {
		case s[i] == '`':
			quoted = !quoted
		case s[i] == ':' && s[i+1] == ' ' && !quoted && s[i+2] != ' ' && (s[i+2] != '`' || quotesFirst(s[i+2:])):
			at = i
		}
	}
	if at <= 0 {
		return s, ""
	}
	return s[:at], s[at+2:]
}

// quotesFirst says whether s begins with a quoted name and a word: "`x` is moved here". If the word is "and" or "or",
// it is a message's list instead: "unused imports: `A` and `B`".
func quotesFirst(s string) bool {
	_, rest, ok := strings.Cut(s[1:], "` ")
	return ok && rest != "" && lex.Letter(rest[0]) != 0 && !strings.HasPrefix(rest, "and ") && !strings.HasPrefix(rest, "or ")
}
