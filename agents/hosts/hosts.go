// Package hosts holds the files that are installed for coding agents, one folder each: claude is the plugin for Claude
// Code, Copilot and Codex, gemini an extension, opencode a plugin, pi a package, and skill the one skill that all of
// them get. The program embeds what "cairn init" writes; package setup knows where each file goes.
package hosts

import "embed"

// Skill is the skill that every host gets: when to use cairn, how to read its answers, how to ask.
//
//go:embed skill/SKILL.md
var Skill string

// ProveOpenCode and ProvePi check, when an agent stops, whether the checks are proven. @CAIRN@ stands for the
// program's path in them, and @MODE@ for warn or block.
//
//go:embed opencode/prove.ts
var ProveOpenCode string

//go:embed pi/prove.ts
var ProvePi string

// Pi is the package for pi: what "pi install agents/hosts/pi" installs.
//
//go:embed pi/package.json pi/agents pi/extensions pi/skills
var Pi embed.FS
