package render

import (
	"fmt"
	"strings"

	"cairn/result"
)

// mostHidden bounds the findings shown of one stage; the stage's output has the rest.
const mostHidden = 10

// Hidden is the text about a command of a pipeline whose output another command reads: its name, the reader, how it
// ended, and the findings of r. where is the run and the stage by which recall shows the rest.
func Hidden(name, reader, ended string, r *result.ToolResult, where string) string {
	var b strings.Builder
	b.WriteString("[" + result.CleanLine(name))
	if reader != "" {
		b.WriteString(", before " + result.CleanLine(reader))
	}
	said := r.Summary
	if said == "" || len(r.Findings) == 0 && ended != "" {
		said = strings.TrimPrefix(ended, name+" ")
	}
	b.WriteString(": " + result.CleanLine(said))
	if where != "" {
		b.WriteString(": cairn recall object " + where)
	}
	b.WriteString("]\n")
	shown := local(r)
	left := max(len(shown.Findings)-mostHidden, 0)
	b.WriteString(group(shown.Findings, r.Summary).lines(shown.Findings[:len(shown.Findings)-left]))
	if left > 0 {
		fmt.Fprintf(&b, "[… %d more %s]\n", left, plural(left, "finding"))
	}
	return b.String()
}
