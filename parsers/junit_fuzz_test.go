package parsers

import (
	"os"
	"path/filepath"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// FuzzJUnitPieces: whatever stands on stdout, the parser ends, what it says of a
// failing exit is never a success, and the way the bytes arrive changes
// nothing.
func FuzzJUnitPieces(f *testing.F) {
	files, _ := filepath.Glob("../golden/junit/*/stdout")
	for _, name := range files {
		if doc, err := os.ReadFile(name); err == nil && len(doc) < 20<<10 {
			f.Add(doc, 7)
		}
	}
	f.Add([]byte(smallJUnit), 1)
	f.Fuzz(func(t *testing.T, doc []byte, size int) {
		in := junitInput(string(doc))
		whole := junit.Parse(&in)
		var pieces term.Bytes
		for at := 0; at < len(doc); {
			n := min(len(doc)-at, 1+(size&0xff))
			pieces = append(pieces, term.Chunk{Stream: term.Stdout, Offset: int64(at), Data: doc[at : at+n]})
			at += n
		}
		in.Source = pieces
		if parts := junit.Parse(&in); (parts == nil) != (whole == nil) || whole != nil && junitShape(parts) != junitShape(whole) {
			t.Fatalf("in pieces of %d:\n%s\nas a whole:\n%s", 1+(size&0xff), junitShape(parts), junitShape(whole))
		}
		r := casetest.ParseKnown(junitInput(string(doc)), casetest.Exited(1))
		if r.Status == result.Passed || r.Status == result.OK {
			t.Fatalf("exit 1 is %s", r.Status)
		}
		if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
			t.Fatal("parsed, exit 1, and nothing found")
		}
		for _, finding := range r.Findings {
			if s := finding.RawSpan; s != nil && (s.Start < 0 || s.End < s.Start || s.End > int64(len(doc))) {
				t.Fatalf("span %v of %d bytes", s, len(doc))
			}
		}
	})
}

func junitShape(r *tool.Report) string {
	if r == nil {
		return "declined"
	}
	return junitLines(&result.ToolResult{Tool: r.Doubt, Counts: r.Counts, Findings: r.Findings})
}
