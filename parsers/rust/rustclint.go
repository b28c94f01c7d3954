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

// rustcShapes are beginnings of messages, with the text in backticks left out, and the lint that prints them
// (rustc 1.95, "rustc -W help").
var rustcShapes = []struct{ shape, lint string }{
	{"unused import", "unused_imports"},
	{"unused variable", "unused_variables"},
	{"variable `` is assigned to, but never used", "unused_variables"},
	{"unused doc comment", "unused_doc_comments"},
	{"unused macro definition", "unused_macros"},
	{"unused label", "unused_labels"},
	{"unused return value of", "unused_must_use"},
	{"unused `` that must be used", "unused_must_use"},
	{"unused implementer of", "unused_must_use"},
	{"unused comparison that must be used", "unused_must_use"},
	{"unused arithmetic operation that must be used", "unused_must_use"},
	{"unused logical operation that must be used", "unused_must_use"},
	{"unused borrow that must be used", "unused_must_use"},
	{"unused attribute", "unused_attributes"},
	{"unnecessary parentheses around", "unused_parens"},
	{"unnecessary braces around", "unused_braces"},
	{"unnecessary `` block", "unused_unsafe"},
	{"variable does not need to be mutable", "unused_mut"},
	{"value assigned to `` is never read", "unused_assignments"},
	{"unreachable statement", "unreachable_code"},
	{"unreachable expression", "unreachable_code"},
	{"unreachable call", "unreachable_code"},
	{"unreachable pattern", "unreachable_patterns"},
	{"use of deprecated", "deprecated"},
	{"missing documentation for", "missing_docs"},
	{"function `` should have a snake case name", "non_snake_case"},
	{"method `` should have a snake case name", "non_snake_case"},
	{"variable `` should have a snake case name", "non_snake_case"},
	{"module `` should have a snake case name", "non_snake_case"},
	{"structure field `` should have a snake case name", "non_snake_case"},
	{"type `` should have an upper camel case name", "non_camel_case_types"},
	{"variant `` should have an upper camel case name", "non_camel_case_types"},
	{"constant `` should have an upper case name", "non_upper_case_globals"},
	{"static variable `` should have an upper case name", "non_upper_case_globals"},
	{"unexpected `` condition", "unexpected_cfgs"},
	{"creating a shared reference to mutable static", "static_mut_refs"},
	{"creating a mutable reference to mutable static", "static_mut_refs"},
	{"comparison is useless due to type limits", "unused_comparisons"},
	{"literal out of range for", "overflowing_literals"},
	{"this arithmetic operation will overflow", "arithmetic_overflow"},
	{"this operation will panic at runtime", "unconditional_panic"},
	{"function cannot return without recursing", "unconditional_recursion"},
	{"denote infinite loops with", "while_true"},
	{"unused extern crate", "unused_extern_crates"},
	{"ambiguous glob re-exports", "ambiguous_glob_reexports"},
	{"elided lifetime has a name", "elided_named_lifetimes"},
	{"trait objects without an explicit", "bare_trait_objects"},
	{"hiding a lifetime that's elided elsewhere is confusing", "mismatched_lifetime_syntaxes"},
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
		if strings.HasPrefix(shape, k.shape) {
			return k.lint
		}
	}
	for _, never := range []string{" is never used", " are never used", " is never read", " are never read", " is never constructed", " are never constructed"} {
		if strings.HasSuffix(shape, never) {
			return "dead_code"
		}
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
