package setup

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"cairn/agents"
	"cairn/agents/shell"
)

// Surroundings are where things are.
type Surroundings struct {
	Program string              // absolute path of cairn
	Home    string              // the user's home
	Dir     string              // the project's root, for Project
	Project bool                // install for the project alone
	Getenv  func(string) string // of this process
}

// DataDir holds the stand-ins and what is remembered.
func (s Surroundings) DataDir() string {
	if dir := s.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "cairn")
	}
	return filepath.Join(s.Home, ".local", "share", "cairn")
}

// StandIn is the shell that hosts are told to start.
func (s Surroundings) StandIn() string { return filepath.Join(s.DataDir(), "cairn-shell") }

// bashFirst is a directory with a stand-in called bash, for hosts that look for
// one on PATH.
func (s Surroundings) bashFirst() string { return filepath.Join(s.DataDir(), "bin", "bash") }

// dir is a host's own directory: where a variable says, else below the home.
func (s Surroundings) dir(variable string, home ...string) string {
	if variable != "" {
		if dir := s.Getenv(variable); filepath.IsAbs(dir) {
			return dir
		}
	}
	return filepath.Join(append([]string{s.Home}, home...)...)
}

// choose is the user's path or the project's.
func (s Surroundings) choose(user string, project ...string) string {
	if s.Project {
		return filepath.Join(append([]string{s.Dir}, project...)...)
	}
	return user
}

// piece is one thing that is installed.
type piece struct {
	what string // shell, mcp, package, package file, skill, instructions
	path string
	edit edit
	exec bool // the file is a program
}

// host is what is installed for one agent.
type host struct {
	name    string
	home    func(s Surroundings) string // there if the agent is
	program string
	pieces  func(s Surroundings) []piece
	note    func(s Surroundings) string // what the user has to do themselves; may be nil
}

// mcp is the server as most hosts want it.
func (s Surroundings) mcp() map[string]any {
	return map[string]any{"command": s.Program, "args": []string{"mcp"}}
}

func (s Surroundings) standIn(path string) piece {
	return piece{what: "shell", path: path, edit: file{shell.StandIn(s.Program)}, exec: true}
}

func (s Surroundings) skill(path string) piece {
	return piece{what: "skill", path: filepath.Join(path, "cairn", "SKILL.md"), edit: file{agents.Skill}}
}

// sharedSkill is where every host but Claude Code looks.
func (s Surroundings) sharedSkill() piece {
	return s.skill(s.choose(filepath.Join(s.Home, ".agents", "skills"), ".agents", "skills"))
}

func instructions(path string) piece {
	return piece{what: "instructions", path: path, edit: paragraph(agents.Paragraph)}
}

// piPackage are the files of the package for pi, and one that says which cairn it starts.
func (s Surroundings) piPackage() []piece {
	dir := filepath.Join(s.DataDir(), "pi")
	pieces := []piece{{what: "package file", path: filepath.Join(dir, "program"), edit: file{s.Program + "\n"}}}
	_ = fs.WalkDir(agents.Pi, "pi", func(name string, d fs.DirEntry, err error) error { // within the program: it cannot fail
		if err != nil || d.IsDir() {
			return err
		}
		data, err := agents.Pi.ReadFile(name)
		pieces = append(pieces, piece{what: "package file", path: filepath.Join(dir, strings.TrimPrefix(name, "pi/")), edit: file{string(data)}})
		return err
	})
	return pieces
}

var hosts = []host{
	{
		name: "claude", program: "claude",
		home: func(s Surroundings) string { return s.dir("CLAUDE_CONFIG_DIR", ".claude") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("CLAUDE_CONFIG_DIR", ".claude")
			servers := filepath.Join(s.Home, ".claude.json")
			if dir := s.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
				servers = filepath.Join(dir, ".claude.json")
			}
			server := s.mcp()
			server["type"] = "stdio"
			return []piece{
				s.standIn(s.StandIn()),
				{what: "shell", path: s.choose(filepath.Join(home, "settings.json"), ".claude", "settings.local.json"),
					edit: member{[]string{"env", "CLAUDE_CODE_SHELL_PREFIX"}, s.StandIn()}},
				{what: "mcp", path: s.choose(servers, ".mcp.json"), edit: member{[]string{"mcpServers", "cairn"}, server}},
				s.skill(s.choose(filepath.Join(home, "skills"), ".claude", "skills")),
				instructions(s.choose(filepath.Join(home, "CLAUDE.md"), "CLAUDE.md")),
			}
		},
	},
	{
		name: "codex", program: "codex",
		home: func(s Surroundings) string { return s.dir("CODEX_HOME", ".codex") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("CODEX_HOME", ".codex")
			return []piece{
				{what: "mcp", path: s.choose(filepath.Join(home, "config.toml"), ".codex", "config.toml"),
					edit: tomlTable([]string{"mcp_servers", "cairn"}, "command = "+tomlString(s.Program)+"\nargs = [\"mcp\"]\ntool_timeout_sec = 1800\n")},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "AGENTS.md"), "AGENTS.md")),
			}
		},
		note: func(Surroundings) string {
			return "no way beneath its shell is known: it captures by the tool capture_run, which you have to allow"
		},
	},
	{
		name: "gemini", program: "gemini",
		home: func(s Surroundings) string { return filepath.Join(s.Home, ".gemini") },
		pieces: func(s Surroundings) []piece {
			home := filepath.Join(s.Home, ".gemini")
			return []piece{
				s.standIn(s.bashFirst()),
				{what: "mcp", path: s.choose(filepath.Join(home, "settings.json"), ".gemini", "settings.json"), edit: member{[]string{"mcpServers", "cairn"}, s.mcp()}},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "GEMINI.md"), "GEMINI.md")),
			}
		},
		note: onPath("gemini"),
	},
	{
		name: "opencode", program: "opencode",
		home: func(s Surroundings) string { return filepath.Join(s.dir("XDG_CONFIG_HOME", ".config"), "opencode") },
		pieces: func(s Surroundings) []piece {
			home := filepath.Join(s.dir("XDG_CONFIG_HOME", ".config"), "opencode")
			config := s.choose(existing(filepath.Join(home, "opencode.json"), filepath.Join(home, "opencode.jsonc")), "opencode.json")
			return []piece{
				s.standIn(s.StandIn()),
				{what: "shell", path: config, edit: member{[]string{"shell"}, s.StandIn()}},
				{what: "mcp", path: config, edit: member{[]string{"mcp", "cairn"}, map[string]any{"type": "local", "command": []string{s.Program, "mcp"}, "enabled": true}}},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "AGENTS.md"), "AGENTS.md")),
			}
		},
	},
	{
		name: "copilot", program: "copilot",
		home: func(s Surroundings) string { return s.dir("COPILOT_HOME", ".copilot") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("COPILOT_HOME", ".copilot")
			server := s.mcp()
			server["type"], server["tools"] = "local", []string{"*"}
			pieces := []piece{s.sharedSkill(), instructions(s.choose(filepath.Join(home, "copilot-instructions.md"), "AGENTS.md"))}
			if !s.Project { // it reads no servers from a project
				pieces = append(pieces, piece{what: "mcp", path: filepath.Join(home, "mcp-config.json"), edit: member{[]string{"mcpServers", "cairn"}, server}})
			}
			return pieces
		},
		note: func(Surroundings) string {
			return "no way beneath its shell is known: it captures by the tool capture_run, which you have to allow"
		},
	},
	{
		name: "qwen", program: "qwen",
		home: func(s Surroundings) string { return filepath.Join(s.Home, ".qwen") },
		pieces: func(s Surroundings) []piece {
			home := filepath.Join(s.Home, ".qwen")
			return []piece{
				s.standIn(s.bashFirst()),
				{what: "mcp", path: s.choose(filepath.Join(home, "settings.json"), ".qwen", "settings.json"), edit: member{[]string{"mcpServers", "cairn"}, s.mcp()}},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "AGENTS.md"), "AGENTS.md")),
			}
		},
		note: onPath("qwen"),
	},
	{
		name: "pi", program: "pi",
		home: func(s Surroundings) string { return s.dir("PI_CODING_AGENT_DIR", ".pi", "agent") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("PI_CODING_AGENT_DIR", ".pi", "agent")
			settings := s.choose(filepath.Join(home, "settings.json"), ".pi", "settings.json")
			return append(s.piPackage(),
				s.standIn(s.StandIn()),
				piece{what: "shell", path: settings, edit: member{[]string{"shellPath"}, s.StandIn()}},
				piece{what: "package", path: settings, edit: element{"packages", filepath.Join(s.DataDir(), "pi")}},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "AGENTS.md"), "AGENTS.md")),
			)
		},
	},
	{
		name: "cursor", program: "cursor-agent",
		home: func(s Surroundings) string { return filepath.Join(s.Home, ".cursor") },
		pieces: func(s Surroundings) []piece {
			pieces := []piece{
				{what: "mcp", path: s.choose(filepath.Join(s.Home, ".cursor", "mcp.json"), ".cursor", "mcp.json"), edit: member{[]string{"mcpServers", "cairn"}, s.mcp()}},
				s.sharedSkill(),
			}
			if s.Project {
				pieces = append(pieces, instructions(filepath.Join(s.Dir, "AGENTS.md")))
			}
			return pieces
		},
		note: func(Surroundings) string {
			return "not run in a test: its MCP server and skill are installed as its documentation says"
		},
	},
}

// onPath: the host takes the bash that is first on PATH, and no setting of its
// own changes that.
func onPath(program string) func(Surroundings) string {
	return func(s Surroundings) string {
		return "to capture beneath its shell start it as PATH=" + filepath.Dir(s.bashFirst()) + `:"$PATH" ` + program
	}
}

// Names are the agents that are known.
func Names() (names []string) {
	for _, h := range hosts {
		names = append(names, h.name)
	}
	return names
}

// Found are the agents that are there: their program, or their directory.
func Found(s Surroundings) (names []string) {
	for _, h := range hosts {
		_, err := exec.LookPath(h.program)
		if info, statErr := os.Stat(h.home(s)); err == nil || statErr == nil && info.IsDir() {
			names = append(names, h.name)
		}
	}
	return names
}

// existing is the first of these files that is there, or the first.
func existing(paths ...string) string {
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return paths[0]
}
