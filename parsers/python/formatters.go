package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// The formatters share these. A formatter shows its changes as a difference, or only names the file.

// unformatted is the finding for a file that a formatter would change. The readers add the file.
var unformatted = result.Finding{Rule: "unformatted", Message: "would reformat", Fixable: true}

// notThere reads an error of the operating system about a file that cannot be read: "[Errno 2] …".
func notThere(s *read.Sink, l tool.Line) bool {
	return s.MisuseIf(l, "[Errno ")
}
