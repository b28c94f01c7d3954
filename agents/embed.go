package agents

import "embed"

// Skill is the skill that every host gets: when to use cairn, how to read its
// answers, how to ask.
//
//go:embed skill/SKILL.md
var Skill string

// Paragraph is what stands in AGENTS.md, CLAUDE.md or GEMINI.md.
const Paragraph = `What is run here is recorded by cairn. Its answer to a test run, linter or build is a verdict line with an id
(sha256:…), then one line per finding. Before you run something again only to see its output, ask the record:
the tool "recall", or "cairn recall object ID --lines A:B" and "cairn recall objects --status failed".
`

// Pi is the package for pi: what "pi install agents/pi" installs.
//
//go:embed pi/package.json pi/agents pi/extensions pi/skills
var Pi embed.FS
