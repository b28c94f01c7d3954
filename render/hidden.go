package render

import (
	"fmt"
	"strings"

	"cairn/result"
)

// mostHidden bounds the findings shown of one stage: its output has the rest.
const mostHidden = 10

// Hidden is what is said of a command whose output another has read and cut: its name, who read it, what
// it came to, and those findings that r has. where is the run and the stage to be asked for the rest.
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
