package agents

// Way is how an agent's commands are captured.
type Way int

// The ways.
const (
	Unknown Way = iota // several agents read the text, or the way is not known
	Beneath            // the shell that the agent starts captures them
	OnPath             // the same, but only if the agent was started with the stand-in first on PATH
	Beside             // only commands that the agent itself runs through cairn
)

const asks = `Before you run something again only to see its output, ask the record:
the tool "recall", or "cairn recall object ID --lines A:B" and "cairn recall objects --status failed".
`

// Paragraph is the text for AGENTS.md, CLAUDE.md or GEMINI.md. It promises only what is true for the agents that read
// it. runTool says whether the tool capture_run exists.
func Paragraph(way Way, runTool bool) string {
	through := `"cairn capture run -- COMMAND"`
	if runTool {
		through += ` or the tool "capture_run"`
	}
	switch way {
	case Beneath:
		return `Your shell is captured by cairn: a test run, linter or build answers with a verdict line with an id (sha256:…),
then one line per finding. ` + asks
	case Beside:
		return "Only what goes through " + through + ` is on record:
run tests, linters and builds so, if you may run them without it. The answer is a verdict line with an id (sha256:…), then one line per finding.
` + asks
	}
	return `If a test run, linter or build answers with a verdict line with an id (sha256:…), your shell is captured by cairn.
If not, only what goes through ` + through + ` is on record: run tests, linters and builds so, if you may run them without it.
` + asks
}
