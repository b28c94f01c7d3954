package read

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/parsers/text/xmltext"
)

// TextLines splits a text, such as a test's output in a report, into lines as a terminal shows them, without blank
// lines at both ends.
func TextLines(text string) []string {
	text = xmltext.Western(strings.Trim(text, "\n"))
	if strings.TrimSpace(text) == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for i, s := range all {
		all[i] = ShownText(s)
	}
	return lex.Trimmed(all)
}

// ShownText is a line as a terminal shows it. XML does not allow the byte that begins an
// escape sequence, so pytest writes "#x1B" in its place.
func ShownText(s string) string {
	s = strings.ReplaceAll(s, "#x1B[", "\x1b[")
	return string(term.Resolve([]byte(strings.TrimRight(s, " \r"))))
}

// SequenceLen is how many bytes of p belong to the escape sequence that begins with ESC and the byte kind; 0 if p
// does not hold its end.
func SequenceLen(kind byte, p []byte) int { return term.SequenceLen(kind, p) }

// CsiLen is SequenceLen for the control sequences, which begin with ESC and "[".
func CsiLen(p []byte) int { return term.CsiLen(p) }

// StripEscapes removes escape sequences from a line. Tabs, carriage returns and backspaces stay; other control
// characters are removed.
func StripEscapes(line []byte) []byte { return term.StripEscapes(line) }
