package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// maxRustValue bounds a value in a message, in bytes.
const maxRustValue = 200

// fillRustValues reads "left:" and "right:" of assert_eq! and similar macros. By convention the right value is the
// expected one. Both are part of the message: failures with different values are different.
func fillRustValues(f *result.Finding, text []string) {
	left, right := -1, -1
	for i, l := range text {
		switch t := strings.TrimLeft(l, " "); {
		case i > 0 && left < 0 && strings.HasPrefix(t, "left: ") && strings.HasPrefix(l, " "):
			left = i
		case left >= 0 && right < 0 && strings.HasPrefix(t, "right: ") && strings.HasPrefix(l, " "):
			right = i
		}
	}
	if right < 0 {
		return
	}
	l, r := rustValue(text[left:right], "left: "), rustValue(openValue(text[right:]), "right: ")
	if strings.HasPrefix(l, "`") { // before 1.73: "`1`," and "`2`: custom message"
		l, _ = cutOldValue(l)
		var said string
		if r, said = cutOldValue(r); said != "" {
			f.Message += ": " + said
		}
	}
	f.Actual, f.Expected = l, r
	if strings.Contains(f.Message, "left != right") || strings.Contains(f.Message, "(left != right)") {
		f.Operator, f.Expected = "!=", "not "+r
	}
	if len(l)+len(r) <= maxRustValue && !strings.ContainsAny(l+r, "\n") {
		f.Message += " (left: " + l + ", right: " + r + ")"
	}
}

// openValue are the lines of a value whose end is not marked: the first, and further ones while a bracket is open.
// Later lines may have been printed by the next test.
func openValue(lines []string) []string {
	depth := 0
	for i, l := range lines {
		depth += strings.Count(l, "(") + strings.Count(l, "[") + strings.Count(l, "{") - strings.Count(l, ")") - strings.Count(l, "]") - strings.Count(l, "}")
		if depth <= 0 {
			return lines[:i+1]
		}
	}
	return lines[:1]
}

func rustValue(lines []string, label string) string {
	lines = lex.TrimBlankLines(lines)
	first := strings.TrimPrefix(strings.TrimLeft(lines[0], " "), label)
	return strings.Join(append([]string{first}, lines[1:]...), "\n")
}

// cutOldValue reads "`value`," and "`value`: message".
func cutOldValue(s string) (value, said string) {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "`"), ",")
	if i := strings.LastIndex(s, "`"); i >= 0 {
		return s[:i], strings.TrimPrefix(s[i+1:], ": ")
	}
	return s, ""
}
