package eslint

import (
	"html"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

// checkstyleRule begins the attribute source of a problem.
const checkstyleRule = "eslint.rules."

// sniffESLintCheckstyle reports whether a checkstyle document, which many tools write, may be eslint's. If the first
// line has no rule, the command has to name eslint.
func sniffESLintCheckstyle(line string) bool {
	return strings.Contains(line, ` source="`+checkstyleRule) || strings.Contains(line, ` source=""`) || !strings.Contains(line, "<error ")
}

func parseESLintCheckstyle(in *tool.Input) *tool.Report {
	e := newESLint(in)
	ours := e.named
	parse := read.Checkstyle(func(f *result.Finding) {
		rule, its := strings.CutPrefix(f.Rule, checkstyleRule)
		ours = ours || its
		eslintFit(f, rule)
	})
	return e.document(func(in *tool.Input) *tool.Report {
		if rep := parse(in); ours {
			return rep
		}
		return nil
	})
}

func parseESLintJUnit(in *tool.Input) *tool.Report {
	return newESLint(in).document(read.Fitted(junit.OwnLints, junitProblem))
}

// junitProblem gives a JUnit case the form of other formats' findings: the case is named after the rule, and its
// text, "line 3, col 7, Warning - message (rule)", is escaped twice.
func junitProblem(f *result.Finding) {
	if f.Rule == "unknown" {
		f.Rule = ""
	}
	f.Message = html.UnescapeString(f.Message)
	eslintFit(f, f.Rule)
}

// eslintFit gives a finding the same form as in other formats.
func eslintFit(f *result.Finding, rule string) {
	kind, span := f.Kind, f.RawSpan
	*f = eslintProblem(rule, strings.TrimSuffix(f.Message, " ("+rule+")"), f.Severity == result.SevError, *f.At)
	f.Kind, f.RawSpan = kind, span
}
