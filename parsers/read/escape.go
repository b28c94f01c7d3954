package read

import "cairn/parsers/internal/term"

// SequenceLen is how long an escape sequence of this kind is, the kind not
// counted: p follows it.
func SequenceLen(kind byte, p []byte) int { return term.SequenceLen(kind, p) }

// CsiLen is how long a control sequence is whose introducer p follows.
func CsiLen(p []byte) int { return term.CsiLen(p) }

// StripEscapes takes the escape sequences out of a line.
func StripEscapes(line []byte) []byte { return term.StripEscapes(line) }
