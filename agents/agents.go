// Package agents knows the coding agents in whose shells cairn runs. What "cairn init" installs for each is in hosts,
// one folder per host. It promises one thing in code: who ran a command (By) is read from the environment that the host
// itself sets, so no flag is needed. The ways for agents to use cairn are packages below this one: shell, mcp, rpc,
// hook and setup; the packages prune, inherit and timeline process an agent's context and its subagents.
package agents

import (
	"cmp"
	"strings"

	"cairn/manifest"
)

// Host is a coding agent, recognized by environment variables.
type Host struct {
	Name string // as the record and "cairn init --agent" name it
	// Mark is a variable that only this host sets in the shells it starts.
	Mark string
	// Session are variables that may hold the id of the session.
	Session []string
	// HidesStatus says that the host's shell tool does not show the model a command's exit status.
	HidesStatus bool
}

// Hosts are the known agents. Agents that other agents often start come first: inside of such an agent the variables of
// both are set, and Codex, Gemini and the rest are more often run by Claude Code than the other way round.
var Hosts = []Host{
	{Name: "codex", Mark: "CODEX_THREAD_ID", Session: []string{"CODEX_SESSION_ID", "CODEX_THREAD_ID"}},
	{Name: "gemini", Mark: "GEMINI_CLI", Session: []string{"GEMINI_SESSION_ID"}},
	{Name: "qwen", Mark: "QWEN_CODE", Session: []string{"QWEN_SESSION_ID"}},
	{Name: "copilot", Mark: "COPILOT_CLI", Session: []string{"COPILOT_AGENT_SESSION_ID"}},
	{Name: "opencode", Mark: "OPENCODE", Session: []string{"OPENCODE_SESSION_ID"}, HidesStatus: true},
	{Name: "pi", Mark: "PI_CODING_AGENT", Session: []string{"PI_SESSION_ID"}},
	{Name: "cursor", Mark: "CURSOR_AGENT", Session: []string{"CURSOR_SESSION_ID"}},
	{Name: "claude", Mark: "CLAUDECODE", Session: []string{"CLAUDE_CODE_SESSION_ID"}},
}

// Of is the host that set this environment; nil if it is no agent's shell.
func Of(environ []string) *Host {
	for i := range Hosts {
		if v := Variable(environ, Hosts[i].Mark); v != "" && v != "0" && v != "false" {
			return &Hosts[i]
		}
	}
	return nil
}

// By says who runs a command: the values of flags, else CAIRN_AGENT and CAIRN_SESSION, else what the host set in the
// environment. It is nil if none of these is set.
func By(environ []string, agent, session string) *manifest.By {
	by := manifest.By{
		Agent:   cmp.Or(agent, Variable(environ, "CAIRN_AGENT")),
		Session: cmp.Or(session, Variable(environ, "CAIRN_SESSION")),
	}
	if host := Of(environ); host != nil && (by.Agent == "" || by.Agent == host.Name) {
		by.Agent = host.Name
		for _, key := range host.Session {
			by.Session = cmp.Or(by.Session, Variable(environ, key))
		}
	}
	if by == (manifest.By{}) {
		return nil
	}
	return &by
}

// Variable is the last value of a variable, as a child would see it.
func Variable(environ []string, key string) (v string) {
	for _, kv := range environ {
		if rest, ok := strings.CutPrefix(kv, key+"="); ok {
			v = rest
		}
	}
	return v
}

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
