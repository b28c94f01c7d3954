// Package hosts holds what hosts of agents install, a folder each: claude is the
// plugin for Claude Code, Copilot and Codex, gemini an extension, opencode a plugin,
// pi a package, and skill the one skill that all of them get. The program carries
// what "cairn init" writes; where that goes is in the package setup.
package hosts

import "embed"

// Skill is the skill that every host gets: when to use cairn, how to read its
// answers, how to ask.
//
//go:embed skill/SKILL.md
var Skill string

// ProveOpenCode and ProvePi ask where an agent stops whether the checks are proven; @CAIRN@ is the
// program in them, and @MODE@ warn or block.
//
//go:embed opencode/prove.ts
var ProveOpenCode string

//go:embed pi/prove.ts
var ProvePi string

// Pi is the package for pi: what "pi install agents/hosts/pi" installs.
//
//go:embed pi/package.json pi/agents pi/extensions pi/skills
var Pi embed.FS
