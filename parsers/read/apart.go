package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/result"
)

// Apart returns the diagnostics inside the message of a finding that consists of the name of a Go package and,
// below it, the compiler's errors, a line each:
//
//	: # example.com/pier/b
//	b/b.go:3:8: "fmt" imported and not used
//	b/b.go:5:16: declared and not used: x
//
// Linters that need types report compile errors like this, at the first line of a file. For any other message it
// returns nil.
func Apart(f *result.Finding) (all []result.Finding) {
	if !strings.HasPrefix(f.Message, "# ") && !strings.HasPrefix(f.Message, ": # ") {
		return nil
	}
	_, rest, _ := strings.Cut(f.Message, "\n")
	for line := range strings.SplitSeq(rest, "\n") {
		at, message, ok := place.Cut(line)
		switch n := len(all); {
		case ok && at.Line > 0 && message != "":
			g := *f
			g.At, g.Message, g.Detail = &at, message, ""
			all = append(all, g)
		case n > 0 && line != "": // "\thave (string)"
			if all[n-1].Detail == "" {
				all[n-1].Detail = all[n-1].Message
			}
			all[n-1].Detail += "\n" + line
		}
	}
	return all
}
