package read

import (
	"strings"
	"testing"

	"cairn/result"
)

// TestWorkflowCommands: a line for GitHub's log is a finding where it names a file; its
// escapes are resolved. The title is the rule, unless the tool says otherwise.
func TestWorkflowCommands(t *testing.T) {
	const text = "::group::x\n::error file=src/a.go,line=3,col=7,title=R1::no%3A 100%25%0Amore\n::warning file=b.go,line=1::odd\n::notice::no place\n::endgroup::\n"
	tells(t, "as it is", WorkflowCommands(nil)(input("x", text, "")), "error src/a.go:3:7 R1|no: 100%|no: 100%⏎more", "warning b.go:1 |odd|", "complete")
	ruled := WorkflowCommands(func(f *result.Finding) bool { f.Rule, f.Message, _ = strings.Cut(f.Message, ": "); return true })
	tells(t, "fitted", ruled(input("x", text, "")), "error src/a.go:3:7 no|100%|100%⏎more", "warning b.go:1 odd||", "complete")
	tells(t, "titled", WorkflowCommands(nil)(input("x", "::error file=a.md,line=3,col=7,title=Lint [no-todo]::text | b | 3:7\n", "")), "error a.md:3:7 no-todo|text | b|", "complete")
	tells(t, "none", WorkflowCommands(nil)(input("x", "all is well\n", "")), "declined")
}
