package setup

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cairn/agents"
	hostfiles "cairn/agents/hosts"
	"cairn/agents/shell"
)

// Surroundings are the user's and the project's directories, and the choices of what to install.
type Surroundings struct {
	Program string              // absolute path of cairn
	Home    string              // the user's home
	Dir     string              // the project's root, if Project is set
	Project bool                // install only for the project
	GitDir  string              // the directory that the project's worktrees share; "" outside of a repository
	RunTool bool                // offer the tool capture_run to hosts whose shell is not captured
	Prove   string              // ProveWarn or ProveBlock: an agent that stops hears which checks are not proven; "" for neither
	Getenv  func(string) string // of this process
}

// DataDir is the directory of the stand-ins and of the state.
func (s Surroundings) DataDir() string {
	if dir := s.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "cairn")
	}
	return filepath.Join(s.Home, ".local", "share", "cairn")
}

// StandIn is the path of the shell that hosts are configured to start.
func (s Surroundings) StandIn() string { return filepath.Join(s.DataDir(), "cairn-shell") }

// bashFirst is the path of a stand-in called bash, for hosts that look for bash on PATH.
func (s Surroundings) bashFirst() string { return filepath.Join(s.DataDir(), "bin", "bash") }

// dir is a host's own directory: the value of a variable, else a path below the home.
func (s Surroundings) dir(variable string, home ...string) string {
	if variable != "" {
		if dir := s.Getenv(variable); filepath.IsAbs(dir) {
			return dir
		}
	}
	return filepath.Join(append([]string{s.Home}, home...)...)
}

// choose returns the user's path or the project's.
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
	home    func(s Surroundings) string // exists if the agent is installed
	program string
	way     agents.Way
	pieces  func(s Surroundings) []piece
	note    string // a note for the user; may be ""
	shared  string // a note about files of a project; may be ""
}

// serve are the arguments of cairn that start the server. A host's rules for shell commands do not apply to a tool, so
// a host whose shell is captured gets no tool that runs commands, and others only if it was asked for by name.
func (s Surroundings) serve(way agents.Way) []string {
	if s.RunTool && way == agents.Beside {
		return []string{"mcp", "--run-tool"}
	}
	return []string{"mcp"}
}

// start is the program as settings name it: its path in settings of this user, its name in files that a team commits,
// since the path begins with this user's home.
func (s Surroundings) start() string {
	if s.Project {
		return "cairn"
	}
	return s.Program
}

// mcp is the server's entry in the format of most hosts.
func (s Surroundings) mcp(way agents.Way) map[string]any {
	return map[string]any{"command": s.start(), "args": s.serve(way)}
}

// piecesOf are the pieces of a host, with the paragraph that is true for it: if another shell is already set, it stays,
// and the paragraph promises nothing about it.
func (s Surroundings) piecesOf(h host, st *state) []piece {
	pieces, way := append(h.pieces(s), s.proving(h.name)...), h.way
	for _, p := range pieces {
		if m, is := p.edit.(member); is && p.what == "shell" && s.taken(p.path, m, st) {
			way = agents.Beside
		}
	}
	if s.Project { // other agents read the same file
		way = agents.Unknown
	}
	for i := range pieces {
		if pieces[i].what == "instructions" {
			pieces[i].edit = paragraph(agents.Paragraph(way, s.RunTool && h.way == agents.Beside))
		}
	}
	return pieces
}

// taken says whether the member's setting has been made by someone else.
func (s Surroundings) taken(path string, m member, st *state) bool {
	now, err := os.ReadFile(path)
	if err != nil || m.in(now) {
		return false
	}
	if _, ours := st.Files[path]; ours {
		if now, err = m.drop(now); err != nil {
			return false
		}
	}
	_, err = m.put(now)
	return errors.Is(err, errTaken)
}

// notes are what the user should know about a host before it is changed.
func (s Surroundings) notes(h host, st *state) (notes []string) {
	way := h.way
	for _, p := range h.pieces(s) {
		if m, is := p.edit.(member); is && p.what == "shell" && s.taken(p.path, m, st) {
			way = agents.Unknown
		}
	}
	setsShell := func(p piece) bool { return p.what == "shell" && !p.exec }
	const beside = `only what it runs as "cairn capture run -- COMMAND" is on record (a rule for COMMAND may not see it there, as behind sh -c)`
	switch {
	case way == agents.OnPath:
		notes = append(notes, "its shell is captured where it is started as "+s.bashStart(h.program)+"; else "+beside)
	case way == agents.Beneath && s.Project && !slices.ContainsFunc(h.pieces(s), setsShell): // a team commits the file with that setting
		notes = append(notes, "its shell is captured where you set that for yourself, by cairn init --agent "+h.name+"; else "+beside)
	case way == agents.Unknown:
		notes = append(notes, "its shell stays as somebody else has set it: "+beside)
	case way == agents.Beside && !s.RunTool:
		notes = append(notes, "no way beneath its shell is known: "+beside+"; --run-tool adds a tool that runs commands, to which your rules for shell commands do not apply")
	case way == agents.Beside:
		notes = append(notes, `the tool capture_run is a second shell: your rules for shell commands (deny, ask, sandbox) do not apply to it, only what you say of the tool itself`)
	}
	if s.RunTool && h.way != agents.Beside {
		notes = append(notes, "its shell can be captured, so that --run-tool adds no tool here")
	}
	for _, note := range []string{h.note, s.proveNote(h.name)} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if h.shared != "" && s.Project {
		notes = append(notes, h.shared)
	}
	return notes
}

func (s Surroundings) standIn(path string) piece {
	return piece{what: "shell", path: path, edit: file{shell.StandIn(s.Program)}, exec: true}
}

func (s Surroundings) skill(path string) piece {
	return piece{what: "skill", path: filepath.Join(path, "cairn", "SKILL.md"), edit: file{hostfiles.Skill}}
}

// sharedSkill is the skill in the folder where every host but Claude Code looks for skills.
func (s Surroundings) sharedSkill() piece {
	return s.skill(s.choose(filepath.Join(s.Home, ".agents", "skills"), ".agents", "skills"))
}

// instructions is the piece for a file of instructions at path; its paragraph is added later.
func instructions(path string) piece { return piece{what: "instructions", path: path} }

// piPackage are the files of the package for pi, written to a directory, and for this user a file with the path of the
// cairn to start.
func (s Surroundings) piPackage(dir string) (pieces []piece) {
	if !s.Project {
		pieces = append(pieces, piece{what: packageFile, path: filepath.Join(dir, "program"), edit: file{s.Program + "\n"}})
	}
	_ = fs.WalkDir(hostfiles.Pi, "pi", func(name string, d fs.DirEntry, err error) error { // the files are embedded: it cannot fail
		if err != nil || d.IsDir() {
			return err
		}
		data, err := hostfiles.Pi.ReadFile(name)
		pieces = append(pieces, piece{what: packageFile, path: filepath.Join(dir, strings.TrimPrefix(name, "pi/")), edit: file{string(data)}})
		return err
	})
	return pieces
}

var hosts = []host{
	{
		name: "claude", program: "claude", way: agents.Beneath,
		shared: "it asks each user once whether to start the server of .mcp.json",
		home:   func(s Surroundings) string { return s.dir("CLAUDE_CONFIG_DIR", ".claude") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("CLAUDE_CONFIG_DIR", ".claude")
			servers := filepath.Join(s.Home, ".claude.json")
			if dir := s.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
				servers = filepath.Join(dir, ".claude.json")
			}
			server := s.mcp(agents.Beneath)
			server["type"] = "stdio"
			pieces := []piece{
				s.standIn(s.StandIn()),
				{what: "shell", path: s.choose(filepath.Join(home, "settings.json"), ".claude", "settings.local.json"),
					edit: member{[]string{"env", "CLAUDE_CODE_SHELL_PREFIX"}, s.StandIn()}},
				{what: "mcp", path: s.choose(servers, ".mcp.json"), edit: member{[]string{"mcpServers", "cairn"}, server}},
				s.skill(s.choose(filepath.Join(home, "skills"), ".claude", "skills")),
				instructions(s.choose(filepath.Join(home, "CLAUDE.md"), "CLAUDE.md")),
			}
			if s.Project && s.GitDir != "" { // Claude Code itself excludes the file from git only if it made it
				pieces = append(pieces, uncommitted(s.GitDir, "/.claude/settings.local.json"))
			}
			return pieces
		},
	},
	{
		name: "codex", program: "codex", way: agents.Beside,
		shared: "it reads .codex/config.toml in projects that a user trusts",
		home:   func(s Surroundings) string { return s.dir("CODEX_HOME", ".codex") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("CODEX_HOME", ".codex")
			return []piece{
				{what: "mcp", path: s.choose(filepath.Join(home, "config.toml"), ".codex", "config.toml"),
					edit: tomlTable([]string{"mcp_servers", "cairn"}, "command = "+tomlString(s.start())+"\nargs = "+tomlList(s.serve(agents.Beside))+"\ntool_timeout_sec = 1800\n")},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "AGENTS.md"), "AGENTS.md")),
			}
		},
	},
	geminiLike("gemini", "GEMINI.md"),
	{
		name: "opencode", program: "opencode", way: agents.Beneath,
		home: func(s Surroundings) string { return filepath.Join(s.dir("XDG_CONFIG_HOME", ".config"), "opencode") },
		pieces: func(s Surroundings) []piece {
			home := filepath.Join(s.dir("XDG_CONFIG_HOME", ".config"), "opencode")
			config := s.choose(existing(filepath.Join(home, "opencode.json"), filepath.Join(home, "opencode.jsonc")), "opencode.json")
			pieces := []piece{
				{what: "mcp", path: config, edit: member{[]string{"mcp", "cairn"}, map[string]any{"type": "local", "command": append([]string{s.start()}, s.serve(agents.Beneath)...), "enabled": true}}},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, "AGENTS.md"), "AGENTS.md")),
			}
			if !s.Project { // the project's file is committed
				pieces = append(pieces, s.standIn(s.StandIn()), piece{what: "shell", path: config, edit: member{[]string{"shell"}, s.StandIn()}})
			}
			return pieces
		},
	},
	{
		name: "copilot", program: "copilot", way: agents.Beside,
		home: func(s Surroundings) string { return s.dir("COPILOT_HOME", ".copilot") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("COPILOT_HOME", ".copilot")
			server := s.mcp(agents.Beside)
			server["type"], server["tools"] = "local", []string{"*"}
			pieces := []piece{s.sharedSkill(), instructions(s.choose(filepath.Join(home, "copilot-instructions.md"), "AGENTS.md"))}
			if !s.Project { // Copilot reads no servers from a project
				pieces = append(pieces, piece{what: "mcp", path: filepath.Join(home, "mcp-config.json"), edit: member{[]string{"mcpServers", "cairn"}, server}})
			}
			return pieces
		},
	},
	geminiLike("qwen", "AGENTS.md"),
	{
		name: "pi", program: "pi", way: agents.Beneath,
		shared: "since 0.79 it loads .pi in projects that a user trusts",
		home:   func(s Surroundings) string { return s.dir("PI_CODING_AGENT_DIR", ".pi", "agent") },
		pieces: func(s Surroundings) []piece {
			home := s.dir("PI_CODING_AGENT_DIR", ".pi", "agent")
			if s.Project { // pi refuses every command if the shell in its settings does not exist, as in a colleague's home
				return append(s.piPackage(filepath.Join(s.Dir, ".pi", "cairn")),
					piece{what: "package", path: filepath.Join(s.Dir, ".pi", "settings.json"), edit: element{"packages", "./cairn"}},
					s.sharedSkill(),
					instructions(filepath.Join(s.Dir, "AGENTS.md")),
				)
			}
			dir, settings := filepath.Join(s.DataDir(), "pi"), filepath.Join(home, "settings.json")
			return append(s.piPackage(dir),
				s.standIn(s.StandIn()),
				piece{what: "shell", path: settings, edit: member{[]string{"shellPath"}, s.StandIn()}},
				piece{what: "package", path: settings, edit: element{"packages", dir}},
				s.sharedSkill(),
				instructions(filepath.Join(home, "AGENTS.md")),
			)
		},
	},
	{
		name: "cursor", program: "cursor-agent", way: agents.Beside,
		home: func(s Surroundings) string { return filepath.Join(s.Home, ".cursor") },
		pieces: func(s Surroundings) []piece {
			pieces := []piece{
				{what: "mcp", path: s.choose(filepath.Join(s.Home, ".cursor", "mcp.json"), ".cursor", "mcp.json"), edit: member{[]string{"mcpServers", "cairn"}, s.mcp(agents.Beside)}},
				s.sharedSkill(),
			}
			if s.Project {
				pieces = append(pieces, instructions(filepath.Join(s.Dir, "AGENTS.md")))
			}
			return pieces
		},
		note: "not run in a test: its MCP server and skill are installed as its documentation says",
	},
}

func (s Surroundings) bashStart(program string) string {
	return "PATH=" + filepath.Dir(s.bashFirst()) + `:"$PATH" ` + program
}

// Names are the known agents.
func Names() (names []string) {
	for _, h := range hosts {
		names = append(names, h.name)
	}
	return names
}

// Found are the installed agents: those whose program or directory exists.
func Found(s Surroundings) (names []string) {
	for _, h := range hosts {
		_, err := exec.LookPath(h.program)
		if info, statErr := os.Stat(h.home(s)); err == nil || statErr == nil && info.IsDir() {
			names = append(names, h.name)
		}
	}
	return names
}

// existing is the first of these files that exists, or else the first.
func existing(paths ...string) string {
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return paths[0]
}

// geminiLike is a host that is Gemini CLI or made from it; file has its instructions.
func geminiLike(name, file string) host {
	return host{
		name: name, program: name, way: agents.OnPath,
		home: func(s Surroundings) string { return filepath.Join(s.Home, "."+name) },
		pieces: func(s Surroundings) []piece {
			home := filepath.Join(s.Home, "."+name)
			return []piece{
				s.standIn(s.bashFirst()),
				{what: "mcp", path: s.choose(filepath.Join(home, "settings.json"), "."+name, "settings.json"), edit: member{[]string{"mcpServers", "cairn"}, s.mcp(agents.OnPath)}},
				s.sharedSkill(),
				instructions(s.choose(filepath.Join(home, file), file)),
			}
		},
	}
}
