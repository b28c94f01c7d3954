package engine

import (
	"bytes"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
	"cairn/result"
)

// leastTold is the least number of findings whose lines are left out of the text beside them; leaving out fewer
// saves little.
const leastTold = 4

// tellsLines reports whether the findings of an unknown program are diagnostics in the form of compilers: each
// begins its line with its place and holds the rest of the line, or is a whole line without a place. Then the lines
// say no more than the findings.
func (s *Session) tellsLines(parts []*claim) bool {
	if len(parts) != 1 || s.in.Truncated || s.rest != nil {
		return false
	}
	m := parts[0]
	if !m.shape || m.format.Name != "lines" || m.file != "" || m.partly || m.report.Dropped > 0 || len(m.report.Findings) < leastTold {
		return false
	}
	starts := map[int64]*result.Finding{}
	for i, f := range m.report.Findings {
		if f.Message == "" || f.RawSpan == nil || starts[f.RawSpan.Start] != nil {
			return false
		}
		starts[f.RawSpan.Start] = &m.report.Findings[i]
	}
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		if f := starts[l.Start]; f != nil && toldWhole(string(l.Text), f) {
			delete(starts, l.Start)
		}
		return true
	})
	return len(starts) == 0
}

// maxMark bounds what a line has between its path and its message (numbers, a severity, a rule), maxBefore what it
// has before the path ("error(56): "), both in bytes.
const (
	maxMark   = 40
	maxBefore = 12
)

// toldWhole reports whether the line holds no more than the finding: it is "PATH:NUMBERS: SEVERITY: MESSAGE",
// perhaps with the rule at the end, or it ends with the place.
func toldWhole(line string, f *result.Finding) bool {
	if term.Odd([]byte(line)) {
		line = string(term.Resolve([]byte(line)))
	}
	line = strings.TrimSpace(line)
	if f.At == nil {
		return line == f.Message
	}
	path, at := strings.Index(line, f.At.Path), strings.LastIndex(line, f.Message)
	behind := max(at, 0) + len(f.Message)
	if last := strings.LastIndex(line, f.At.Path+":"); at >= 0 && at <= maxMark && last >= behind { // "SEVERITY: MESSAGE (RULE) PATH:NUMBERS"
		return last-behind <= len(f.Rule)+6 && strings.Trim(line[last+len(f.At.Path):], ":0123456789") == ""
	}
	ends := behind == len(line) || f.Rule != "" && len(line)-behind <= len(f.Rule)+6
	if path < 0 { // "Message : MESSAGE", with the place below
		return at >= 0 && at <= maxBefore && ends
	}
	near := path <= maxBefore && at > path && at-path-len(f.At.Path) <= maxMark
	return near && ends && (behind == len(line) || strings.Contains(line[behind:], f.Rule))
}

// besideLines returns the text beside such diagnostics, without the source lines that they quote.
func (s *Session) besideLines(m *claim, failed bool) (text string, omitted int) {
	rest, eye := newReducer(), scan.NewScanner()
	var above *term.RawLine // held back: if a caret follows, the line is quoted source
	show := func() {
		if above != nil {
			rest.see(above)
		}
		above = nil
	}
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		covered := coveredBy([]*claim{m}, l)
		eye.Look(&l)
		quoted := isQuotedSource(l.Text)
		if covered || quoted || isBlank(l.Text) {
			if above != nil && quoted && isCaret(l.Text) {
				rest.skip()
				above = nil
			}
			show()
			if covered {
				rest.tell()
			} else {
				rest.skip()
			}
			return true
		}
		show()
		kept := l
		kept.Text = bytes.Clone(l.Text)
		above = &kept
		return true
	})
	show()
	if rest.seen == 0 {
		return "", 0
	}
	return rest.body(failed)
}

// isQuotedSource reports whether a line quotes source: "   12 |   int x;", "      |   ^~~", "  12: <body>".
func isQuotedSource(line []byte) bool {
	number, _, ok := bytes.Cut(line, []byte(": "))
	if number = bytes.TrimLeft(number, " "); ok && line[0] == ' ' && len(number) > 0 && len(bytes.Trim(number, "0123456789")) == 0 {
		return true
	}
	margin, _, ok := bytes.Cut(line, []byte("|"))
	return ok && len(margin) > 0 && len(bytes.Trim(margin, " 0123456789")) == 0 || isCaret(line)
}

// isCaret reports whether a line only marks a place in the line above.
func isCaret(line []byte) bool {
	return bytes.ContainsAny(line, "^~") && len(bytes.Trim(line, " \t^~-|")) == 0
}

// onlyWarns returns the lines of all findings if each tool is sure of its own and none of the findings is the
// reason why the run failed, which must then be in other lines. It is nil otherwise, and with a project's own
// parser, whose warnings may be the reason.
func (s *Session) onlyWarns(parts []*claim) *claim {
	if s.in.As != nil {
		return nil
	}
	told := &claim{report: s.in.NewReport()}
	for _, m := range parts {
		if s.confidence(m, result.Exit{Observed: true}) != result.Parsed {
			return nil
		}
		for _, f := range m.report.Findings {
			if f.RawSpan != nil {
				told.report.Covered = append(told.report.Covered, *f.RawSpan)
			}
		}
	}
	if told.report.Covered = disjoint(told.report.Covered); len(told.report.Covered) == 0 {
		return nil
	}
	return told
}

// inOption reports whether the alarm word at this offset belongs to an option of a command, "ctest --output-on-failure",
// and no colon follows, as behind an error about the option.
func inOption(line []byte, at int) bool {
	word := line[bytes.LastIndexByte(line[:at], ' ')+1:]
	return len(word) > 2 && word[0] == '-' && word[1] == '-' && lex.Letter(word[2]) != 0 && bytes.IndexByte(word, ':') < 0
}
