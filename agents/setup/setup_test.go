package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"cairn/agents"
)

func surroundings(t *testing.T) Surroundings {
	t.Helper()
	return Surroundings{Program: "/opt/bin/cairn", Home: t.TempDir(), Dir: t.TempDir(), Getenv: func(string) string { return "" }}
}

func lay(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

// tree is everything below root: files with their bytes and modes, directories.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[rel] = info.Mode().String()
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			all[rel] += "\n" + string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s is\n%s\nwant\n%s", what, name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there", what, name)
		}
	}
}

func apply(t *testing.T, s Surroundings, names []string, remove bool) *Plan {
	t.Helper()
	p, err := Make(s, names, remove)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	return p
}

var foreign = map[string]string{
	".claude/settings.json":           "{\n    // mine\n    \"permissions\": {\"deny\": [\"Bash(rm:*)\"]}, /* and */\n    \"env\": {\n        \"A\": \"1\", // a\n    },\n}\n",
	".claude.json":                    `{"numStartups":3,"mcpServers":{"other":{"command":"x"}}}`,
	".claude/CLAUDE.md":               "# Mine\n\nNo newline at the end",
	".codex/config.toml":              "# my config\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\" # y\n",
	".gemini/settings.json":           "{}",
	".qwen/settings.json":             "{ }\n",
	".config/opencode/opencode.jsonc": "\n// top\n{\n\t\"$schema\": \"https://opencode.ai/config.json\",\n\t// models\n\t\"model\": \"m\"\n}\n",
	".pi/agent/settings.json":         "",
}

// TestRoundTrip: install, install again, remove: every byte, mode and directory
// is as it was.
func TestRoundTrip(t *testing.T) {
	for i := range 4 {
		s, project := surroundings(t), i%2 == 1
		s.Project = project
		if i > 1 {
			s.Prove = ProveBlock
		}
		lay(t, s.Home, foreign)
		lay(t, s.Dir, map[string]string{"AGENTS.md": "# Ours\n", ".mcp.json": "{\"mcpServers\": {}}\n", "opencode.json": "{\"model\":\"m\"}"})
		home, dir := tree(t, s.Home), tree(t, s.Dir)
		apply(t, s, Names(), false)
		installed, inProject := tree(t, s.Home), tree(t, s.Dir)
		if p := apply(t, s, Names(), false); !p.Empty() {
			t.Errorf("installing again changes %+v", p.Changes)
		}
		same(t, "installed twice", tree(t, s.Home), installed)
		same(t, "installed twice", tree(t, s.Dir), inProject)
		// One agent after the other; what is shared stays until the last.
		apply(t, s, []string{"claude", "codex"}, true)
		if _, err := os.Stat(s.StandIn()); err != nil && !project {
			t.Error("the shell of OpenCode and pi went with Claude's")
		}
		apply(t, s, Names(), true)
		same(t, "home", tree(t, s.Home), home)
		same(t, "project", tree(t, s.Dir), dir)
	}
}

// TestProject: what a team commits names no path of this home, and no shell that only
// this home has; claude's file is not committed.
func TestProject(t *testing.T) {
	s := surroundings(t)
	s.Project, s.GitDir = true, filepath.Join(s.Dir, ".git")
	lay(t, s.Dir, map[string]string{".pi/settings.json": "{\n  \"defaultModel\": \"m\"\n}\n"})
	apply(t, s, Names(), false)
	files := 0
	for name, text := range tree(t, s.Dir) {
		files++
		if name != ".claude/settings.local.json" && (strings.Contains(text, s.Home) || strings.Contains(text, s.Program) || strings.Contains(text, "shellPath")) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	got := tree(t, s.Dir)
	for name, want := range map[string]string{
		".pi/settings.json": "\"packages\": [\n    \"./cairn\"\n  ]", ".pi/cairn/package.json": "pi-cairn", ".mcp.json": "\"command\": \"cairn\"",
		".codex/config.toml": "command = \"cairn\"\n", ".gemini/settings.json": "\"command\": \"cairn\"", "opencode.json": "\"command\": [\n        \"cairn\",",
		".claude/settings.local.json": s.StandIn(), ".git/info/exclude": "\n/.claude/settings.local.json\n",
	} {
		if !strings.Contains(got[name], want) {
			t.Errorf("%s lacks %s:\n%s", name, want, got[name])
		}
	}
	if _, there := got[".pi/cairn/program"]; there {
		t.Error("the project says where cairn is in this home")
	}
}

// TestScopes: what the user has stays when a project's is removed.
func TestScopes(t *testing.T) {
	user := surroundings(t)
	project := user
	project.Project = true
	apply(t, user, []string{"claude", "pi"}, false)
	installed := tree(t, user.Home)
	apply(t, project, []string{"claude"}, false)
	apply(t, project, []string{"claude", "pi"}, true)
	if _, err := os.Stat(user.StandIn()); err != nil {
		t.Error("the user's shell went with the project's")
	}
	same(t, "home", unremembered(tree(t, user.Home)), unremembered(installed))
}

// TestEarlierState: what an earlier version installed, which did not note for whom, is known
// as that of the agents that have it.
func TestEarlierState(t *testing.T) {
	s := surroundings(t)
	apply(t, s, []string{"claude", "opencode"}, false)
	state, err := os.ReadFile(s.statePath())
	if err != nil {
		t.Fatal(err)
	}
	bare := regexp.MustCompile(`,\s*"for": \[[^\]]*\]`).ReplaceAll(state, nil)
	if string(bare) == string(state) {
		t.Fatalf("no agents are noted in\n%s", state)
	}
	if err := os.WriteFile(s.statePath(), bare, 0o644); err != nil {
		t.Fatal(err)
	}
	apply(t, s, []string{"claude"}, false)
	apply(t, s, []string{"claude"}, true)
	if _, err := os.Stat(s.StandIn()); err != nil {
		t.Error("the shell of OpenCode went with Claude's")
	}
	apply(t, s, []string{"opencode"}, true)
	if got := tree(t, s.Home); len(got) != 1 {
		t.Errorf("left: %v", got)
	}
}

// unremembered is a tree without what is remembered of it.
func unremembered(all map[string]string) map[string]string {
	delete(all, filepath.Join(".local", "share", "cairn", "installed.json"))
	return all
}

// TestSummary: a line a file, the package one line, and a text that is twice in it shown once.
func TestSummary(t *testing.T) {
	s := surroundings(t)
	lay(t, s.Home, foreign)
	p, err := Make(s, []string{"claude", "pi"}, false)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Join(p.Summary(), "\n")
	for _, want := range []string{
		"new      ~/.local/share/cairn/cairn-shell (shell)", "changed  ~/.claude/settings.json (shell)", "changed  ~/.claude.json (MCP server)",
		"new      ~/.local/share/cairn/pi/ (package, ", "changed  ~/.pi/agent/settings.json (shell, package)",
	} {
		if strings.Count(lines, want) != 1 {
			t.Errorf("%q is not in it once:\n%s", want, lines)
		}
	}
	diffs := p.Diffs()
	if n := strings.Count(diffs, "\n+name: cairn\n"); n != 1 {
		t.Errorf("the skill is shown %d times", n)
	}
	if !strings.Contains(diffs, "/.agents/skills/cairn/SKILL.md: the same as ") {
		t.Error("its second place is not named")
	}
}

// TestStays: a program that will be gone is not installed.
func TestStays(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "tmp"))
	for program, want := range map[string]string{
		"/opt/bin/cairn": "", "/home/u/go/bin/cairn": "",
		"/home/u/.cache/go-build/ab/abcd-d/cairn": "build cache", "/var/tmp/go-build123/b001/exe/cairn": "build cache", "/c/ab/cairn": "build cache",
		filepath.Join(os.TempDir(), "x", "cairn"): "a temporary directory",
	} {
		err := Surroundings{Program: program, Getenv: func(name string) string { return map[string]string{"GOCACHE": "/c"}[name] }}.Stays()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "go install ")) {
			t.Errorf("%s: %v", program, err)
		}
	}
}

func TestForeignStays(t *testing.T) {
	s := surroundings(t)
	lay(t, s.Home, foreign)
	apply(t, s, Names(), false)
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(s.Home, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for name, wants := range map[string][]string{
		".claude/settings.json":           {"// mine\n", `"deny": ["Bash(rm:*)"]}, /* and */`, `"A": "1", // a`, `"CLAUDE_CODE_SHELL_PREFIX": "` + s.StandIn() + `"`},
		".claude.json":                    {`"numStartups":3`, `"other":{"command":"x"}`, `"cairn":{"args":["mcp"],"command":"/opt/bin/cairn","type":"stdio"}`},
		".codex/config.toml":              {"# my config\n", "command = \"x\" # y\n", "[mcp_servers.cairn]\ncommand = \"/opt/bin/cairn\"\nargs = [\"mcp\"]\n"},
		".config/opencode/opencode.jsonc": {"// top\n", "\t// models\n\t\"model\": \"m\"", "\t\"shell\": \""},
		".claude/CLAUDE.md":               {"# Mine\n\nNo newline at the end\n\n<!-- cairn: begin"},
	} {
		for _, want := range wants {
			if !strings.Contains(read(name), want) {
				t.Errorf("%s: no %q in\n%s", name, want, read(name))
			}
		}
	}

	// Somebody changes the files; then only what is cairn's goes.
	for name, edit := range map[string][2]string{
		".claude.json":       {`"numStartups":3`, `"numStartups":4`},
		".codex/config.toml": {`model = "m"`, `model = "n"`},
		".claude/CLAUDE.md":  {"# Mine", "# Mine and more"},
	} {
		path := filepath.Join(s.Home, name)
		if err := os.WriteFile(path, []byte(strings.Replace(read(name), edit[0], edit[1], 1)), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, s, Names(), true)
	for name, want := range map[string]string{
		".claude.json":       `{"numStartups":4,"mcpServers":{"other":{"command":"x"}}}`,
		".codex/config.toml": "# my config\nmodel = \"n\"\n\n[mcp_servers.other]\ncommand = \"x\" # y\n",
		".claude/CLAUDE.md":  "# Mine and more\n\nNo newline at the end\n",
	} {
		got := strings.ReplaceAll(read(name), `{ "other"`, `{"other"`)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestTaken: what somebody else has set is left, and said.
func TestTaken(t *testing.T) {
	s := surroundings(t)
	files := map[string]string{
		".config/opencode/opencode.json": `{"shell": "/bin/zsh"}`,
		".codex/config.toml":             "[mcp_servers.cairn]\ncommand = \"mine\"\n",
		".agents/skills/cairn/SKILL.md":  "mine\n",
	}
	lay(t, s.Home, files)
	p := apply(t, s, []string{"opencode", "codex"}, false)
	notes := 0
	for _, c := range p.Changes {
		notes += len(c.Notes)
	}
	if all := strings.Join(p.Notes, "\n"); notes != 3 || !strings.Contains(all, "opencode: its shell stays as somebody else has set it: only what it runs as") {
		t.Errorf("%d notes, and %s", notes, all)
	}
	if text, err := os.ReadFile(filepath.Join(s.Home, ".config/opencode/AGENTS.md")); err != nil || strings.Contains(string(text), "Your shell is captured") {
		t.Errorf("of a shell that is another one it promises %s %v", text, err)
	}
	if again, err := Make(s, []string{"opencode", "codex"}, false); err != nil || !again.Empty() {
		t.Errorf("again: %+v %v", again, err)
	}
	got := tree(t, s.Home)
	if !strings.Contains(got[".config/opencode/opencode.json"], `"shell": "/bin/zsh"`) || strings.Contains(got[".codex/config.toml"], "/opt/bin") ||
		!strings.HasSuffix(got[".agents/skills/cairn/SKILL.md"], "\nmine\n") {
		t.Errorf("%v", got)
	}
}

// TestPromises: where the shell is captured nothing that is installed runs commands; each
// host is promised what is true there.
func TestPromises(t *testing.T) {
	for _, runTool := range []bool{false, true} {
		s := surroundings(t)
		s.RunTool = runTool
		apply(t, s, Names(), false)
		for _, h := range hosts {
			for _, p := range h.pieces(s) {
				text, err := os.ReadFile(p.path)
				if err != nil {
					t.Fatal(err)
				}
				beside := h.way == agents.Beside
				switch p.what {
				case "mcp":
					if got := strings.Contains(string(text), "--run-tool"); got != (runTool && beside) {
						t.Errorf("%s, run tool %v: %s", h.name, runTool, text)
					}
				case "instructions":
					if got := strings.Contains(string(text), "capture_run"); got != (runTool && beside) {
						t.Errorf("%s, run tool %v: %s", h.name, runTool, text)
					}
					want := map[agents.Way]string{agents.Beneath: "Your shell is captured by cairn:", agents.OnPath: "\nIf not, only what goes through ", agents.Beside: "\nOnly what goes through "}[h.way]
					if !strings.Contains(string(text), want) {
						t.Errorf("%s: no %q in\n%s", h.name, want, text)
					}
				}
			}
		}
	}
	s := surroundings(t) // one AGENTS.md for all agents of the project
	s.Project = true
	apply(t, s, Names(), false)
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"} {
		text, err := os.ReadFile(filepath.Join(s.Dir, name))
		if err != nil || !strings.Contains(string(text), "If not, only what goes through") {
			t.Errorf("%s: %s %v", name, text, err)
		}
	}
}

// TestBroken: a file that cannot be read as what it is stays untouched, and
// nothing else is changed either.
func TestBroken(t *testing.T) {
	for name, text := range map[string]string{".claude/settings.json": `{"a":`, ".claude.json": "[]", ".codex/config.toml": "a = = b"} {
		s := surroundings(t)
		lay(t, s.Home, map[string]string{name: text})
		before := tree(t, s.Home)
		if _, err := Make(s, Names(), false); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s: %v", name, err)
		}
		same(t, name, tree(t, s.Home), before)
	}
}

// TestMember: in any document the member can be put in and taken out, and what
// was there means the same.
func TestMember(t *testing.T) {
	var value func(t *rapid.T, depth int) string
	value = func(t *rapid.T, depth int) string {
		space := rapid.SampledFrom([]string{"", " ", "\n", "\n  ", "/* c */", "// c\n\t"})
		if depth == 0 || rapid.Bool().Draw(t, "leaf") {
			return rapid.SampledFrom([]string{"1", "null", `"s"`, `"cairn"`, "[]", "{}", "[1, 2]"}).Draw(t, "value")
		}
		var b strings.Builder
		b.WriteString("{")
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "env", "mcp", "shell"}), 0, 3, rapid.ID).Draw(t, "names")
		for i, name := range names {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(space.Draw(t, "before") + `"` + name + `"` + space.Draw(t, "after") + ":" + space.Draw(t, "colon") + value(t, depth-1) + space.Draw(t, "end"))
		}
		return b.String() + "}"
	}
	rapid.Check(t, func(t *rapid.T) {
		before := "{" + `"x": ` + value(t, 3) + rapid.SampledFrom([]string{"", ",", ",\n", "\n"}).Draw(t, "comma") + "}"
		m := member{[]string{"mcp", "cairn"}, map[string]any{"command": "cairn"}}
		after, err := m.put([]byte(before))
		if err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		rest, err := m.drop(after)
		if err != nil {
			t.Fatalf("%s: %v", after, err)
		}
		std := func(b []byte) string {
			out, err := hujson.Minimize(b)
			if err != nil {
				t.Fatalf("%s: %v", b, err)
			}
			return string(out)
		}
		if std(rest) != std([]byte(before)) {
			t.Fatalf("before %s\nafter %s\nrest %s", before, after, rest)
		}
	})
}

// TestHookEntry: an entry goes in beside those of others, and out again.
func TestHookEntry(t *testing.T) {
	e := hookEntry{"Stop", map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "cairn hook claude --prove=block"}}}}
	const mine = `{"hooks": [{"command": "cairn hook claude --prove=block", "type": "command"}]}`
	for before, after := range map[string]string{
		"":                                  "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [",
		`{"hooks": {"Stop": [{"a": 1}]}}`:   `{"hooks": {"Stop": [{"a": 1}, ` + mine + `]}}`,
		`{"hooks": {"Other": [1]}, "b": 2}`: `"Other": [1]}, "b": 2}`,
		"{\n  // mine\n  \"hooks\": {\"Stop\": [{\"a\": \"cairn\"}]}\n}": mine,
	} {
		got, err := e.put([]byte(before))
		if err != nil || !strings.Contains(string(got), after) || !e.in(got) {
			t.Errorf("put into %s:\n%s\n%v", before, got, err)
		}
		if rest, err := e.drop(got); err != nil || strings.Replace(string(rest), `{ "Other"`, `{"Other"`, 1) != before {
			t.Errorf("dropped from %s:\n%q, want %q\n%v", got, rest, before, err)
		}
		if _, err := e.put(got); !errors.Is(err, errTaken) {
			t.Errorf("twice: %v", err)
		}
	}
	if _, err := e.put([]byte(`{"hooks": {"Stop": {}}}`)); err == nil {
		t.Error("an object was taken for a list")
	}
}

// TestElement: a string goes into a list as the list is written, and out again byte for byte.
func TestElement(t *testing.T) {
	e := element{"packages", "/x/cairn/pi"}
	for before, after := range map[string]string{
		`{"a": 1}`:                        `{"packages": ["/x/cairn/pi"], "a": 1}`,
		`{"packages": ["npm:a"], "b": 2}`: `{"packages": ["npm:a", "/x/cairn/pi"], "b": 2}`,
		"{\n  \"packages\": [\n    \"npm:a\", // mine\n    {\"source\": \"git:b\"}\n  ]\n}\n": "{\n  \"packages\": [\n    \"npm:a\", // mine\n    {\"source\": \"git:b\"},\n    \"/x/cairn/pi\"\n  ]\n}\n",
		"{\n  \"a\": 1\n}\n": "{\n  \"packages\": [\n    \"/x/cairn/pi\"\n  ],\n  \"a\": 1\n}\n",
	} {
		got, err := e.put([]byte(before))
		if err != nil || string(got) != after {
			t.Errorf("put into %s:\n%s\n%v", before, got, err)
		}
		if rest, err := e.drop(got); err != nil || strings.Replace(string(rest), `{ "a"`, `{"a"`, 1) != before {
			t.Errorf("dropped from %s:\n%s\n%v", got, rest, err)
		}
		if _, err := e.put(got); !errors.Is(err, errTaken) {
			t.Errorf("twice: %v", err)
		}
	}
	for _, broken := range []string{`{"packages": "a"}`, `[]`, `{`} {
		if _, err := e.put([]byte(broken)); err == nil {
			t.Errorf("%s was taken", broken)
		}
	}
}
