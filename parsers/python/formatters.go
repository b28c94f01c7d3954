package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// Formatters that show what they would change as a difference, or name the file.

// unformatted is what all of them tell of a file.
var unformatted = result.Finding{Rule: "unformatted", Message: "would reformat", Fixable: true}

// notThere reads what the operating system says of a file that cannot be read.
func notThere(s *read.Sink, l tool.Line) bool {
	return s.MisuseIf(l, "[Errno ")
}
