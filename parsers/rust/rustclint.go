package rust

import (
	"strings"

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
	if r.learned == nil {
		r.learned = map[string]string{}
	}
	if len(r.learned) < tool.MaxFindings {
		r.learned[shape] = lint
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
	l = strings.TrimLeft(l, " ")
	rest, ok := strings.CutPrefix(l, "= note: ")
	if !ok {
		return ""
	}
	if rest, ok := strings.CutPrefix(rest, "`#["); ok {
		if inside, ok := lex.CutAnyPrefix(rest, "warn(", "deny(", "forbid(", "expect("); ok {
			name, _, _ := strings.Cut(inside, ")")
			return name
		}
	}
	if rest, ok = strings.CutPrefix(rest, "requested on the command line with "); !ok {
		rest = strings.TrimPrefix(l, "= note: ")
	}
	if inside, ok := lex.CutAnyPrefix(rest, "`-D ", "`-W ", "`-F ", "`--force-warn "); ok {
		name, _, _ := strings.Cut(inside, "`")
		return strings.ReplaceAll(name, "-", "_")
	}
	return ""
}
