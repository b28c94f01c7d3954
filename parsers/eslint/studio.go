package eslint

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Two more formats of a problem a line. In both the rule tells whose they are,
// for the rest looks like what many tools print.
//
// visualstudio, whose longer messages go on up to the next problem, and which
// ends as unix does:
//
//	/home/dev/shop/src/a.js(3,7): error no-undef : 'x' is not defined.
//
// standard, a program that runs eslint with rules of its own, and prints no end:
//
//	/home/dev/shop/src/a.js:3:7: 'x' is not defined. (no-undef) (warning)

// readESLintStudio reads "path(3,7): error rule : message", or "path(3): …".
func readESLintStudio(s string) (h eslintHead, ok bool) {
	for i := strings.Index(s, "): "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, "): ", i) {
		severity, rest, two := strings.Cut(s[i+3:], " ")
		if !two || severity != "error" && severity != "warning" {
			continue
		}
		open := strings.LastIndexByte(s[:i], '(')
		if open <= 0 {
			continue
		}
		line, column, _ := strings.Cut(s[open+1:i], ",")
		if !lex.IsDigits(line) || column != "" && !lex.IsDigits(column) {
			continue
		}
		rule, message, ruled := strings.Cut(rest+" ", " : ") // the message may begin with the next line
		if strings.HasPrefix(rest, ": ") {
			rule, message, ruled = "", rest[2:], true
		}
		if !ruled || rule != "" && !(isESLintRule(rule) && strings.ContainsAny(rule, "abcdefghijklmnopqrstuvwxyz")) {
			continue
		}
		h.at = result.Location{Path: s[:open], Line: lex.Atoi(line), Column: lex.Atoi(column)}
		h.isError, h.rule, h.message = severity == "error", rule, strings.TrimSpace(message)
		return h, true
	}
	return h, false
}

// sniffESLintStudio: what has no rule may be any compiler's, but for a parser's
// error.
func sniffESLintStudio(line string) bool {
	h, ok := readESLintStudio(strings.TrimRight(line, " \t"))
	return ok && (h.rule != "" || isESLintFatal(h.message))
}

// isESLintFatal: a file that does not parse has no rule, whatever the message
// ends with.
func isESLintFatal(message string) bool { return strings.HasPrefix(message, "Parsing error: ") }

// isRuleOf tells what is behind a message from its last word. Plugins that parse
// on their own say so as eslint does: vue/no-parsing-error, prettier/prettier.
func isRuleOf(message, last string) bool {
	return isESLintRule(last) && (!isESLintFatal(message) || strings.Contains(last, "/") && !strings.Contains(last, "."))
}

func parseESLintStudio(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: readESLintStudio, loose: true})
}

// readStandard reads "  path:3:7: message (rule)".
func readStandard(s string) (h eslintHead, ok bool) {
	s, indented := strings.CutPrefix(s, "  ")
	warning := strings.HasSuffix(s, ") (warning)")
	s = strings.TrimSuffix(s, " (warning)")
	if !indented || s == "" || s[0] == ' ' || s[len(s)-1] != ')' {
		return h, false
	}
	for i := strings.Index(s, ": "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, ": ", i) {
		at := place.LastColons(s[:i])
		if at == nil {
			continue
		}
		h.at, h.isError = *at, !warning
		h.message = strings.TrimSuffix(s[i+2:], " (null)")
		if h.message, h.rule, h.whole = cutESLintParens(h.message); !h.whole {
			h.whole = isESLintFatal(h.message)
		}
		return h, h.whole && at.Line > 0
	}
	return h, false
}

// sniffStandard: paths are absolute.
func sniffStandard(line string) bool {
	h, ok := readStandard(strings.TrimRight(line, " \t"))
	return ok && (h.rule != "" || isESLintFatal(h.message)) && result.IsAbsolute(h.at.Path)
}

func parseStandard(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: readStandard, loose: true, endless: true})
}
