package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// rule is how an agent is told to deny python3 and to allow touch.
type rule struct {
	mode  string
	args  []string
	files map[string]string // below home
}

// rules are the permission modes in which rules decide.
var rules = map[string][]rule{
	"claude": {
		{mode: "rules", args: []string{"--permission-mode", "default", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(python3:*)"}},
		{mode: "rules", args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(python3:*)"}},
		{mode: "rules", args: []string{"--permission-mode", "dontAsk", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(python3:*)"}},
	},
	"codex": {
		{mode: "allow", files: map[string]string{".codex/rules/default.rules": "prefix_rule(pattern=[\"python3\"], decision=\"forbidden\")\n"}},
	},
	"gemini": {
		{mode: "allow", files: map[string]string{".gemini/policies/rules.toml": "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"python3\"\ndecision = \"deny\"\npriority = 900\n"}},
	},
	"opencode": {
		{mode: "allow", files: map[string]string{"config/opencode/opencode.json": "{\n  \"permission\": {\"bash\": {\"*\": \"allow\", \"python3 *\": \"deny\"}}\n}\n"}},
	},
}

// deny: a rule that denies a command still blocks it, and one that allows a
// command still lets it run, in each mode: both without cairn, so that the
// check itself is sound, and with it.
func deny(s *scene) (string, error) {
	for i, r := range rules[s.host.Name] {
		for name, text := range r.files {
			path := filepath.Join(s.home, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return "", err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return "", err
			}
		}
		for _, with := range []bool{false, true} {
			if with {
				if err := s.init(""); err != nil {
					return "", err
				}
			}
			if err := s.obeys(r); err != nil {
				return "", fmt.Errorf("rule %d, with cairn: %v: %w", i, with, err)
			}
		}
		if err := s.init("--remove"); err != nil {
			return "", err
		}
	}
	return "", nil
}

// obeys runs what is denied and what is allowed.
func (s *scene) obeys(r rule) error {
	seen, err := s.lines(options{mode: r.mode, args: r.args},
		`python3 -c 'open("denied.txt", "w")'`, "touch allowed.txt")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.dir, "denied.txt")); err == nil {
		return fmt.Errorf("the command that is denied was run; the model saw %q", seen)
	}
	if err := os.Remove(filepath.Join(s.dir, "allowed.txt")); err != nil {
		return fmt.Errorf("the command that is allowed was not run; the model saw %q", seen)
	}
	return nil
}
