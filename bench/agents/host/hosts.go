package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// All are the agents that can be run here.
var All = []*Host{claude, codex, gemini, opencode, copilot, qwen}

const claudeKey = "scripted-key-of-a-test"

var claude = &Host{
	Name: "claude", Package: "@anthropic-ai/claude-code@2.1.332", Light: true,
	Shell: "Bash", MCP: "mcp__cairn__recall",
	ShellArgs: func(line string) map[string]any { return map[string]any{"command": line, "description": "run"} },
	binary:    "@anthropic-ai/claude-code-*/claude",
	prepare: func(r *Run) error {
		// The answers that a person gives at the first start in a terminal.
		state, _ := json.Marshal(map[string]any{"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
			"customApiKeyResponses": map[string]any{"approved": []string{claudeKey[len(claudeKey)-20:]}},
			"projects":              map[string]any{r.Dir: map[string]any{"hasTrustDialogAccepted": true}}})
		return errors.Join(writeNew(filepath.Join(r.Home, ".claude", "settings.json"), "{}\n"), writeNew(filepath.Join(r.Home, ".claude", ".claude.json"), string(state)+"\n"))
	},
	argv: func(r *Run) []string {
		args := []string{"-p", "do it", "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5"}
		if r.Done != nil {
			args = []string{"do it", "--model", "claude-sonnet-4-5"}
		}
		switch r.Mode {
		case "allow":
			args = append(args, "--allowedTools", "Bash,mcp__cairn")
		case "bypass":
			args = append(args, "--permission-mode", "acceptEdits", "--allowedTools", "Bash,mcp__cairn")
		}
		return append(args, r.Args...)
	},
	env: func(r *Run) []string {
		return []string{"ANTHROPIC_BASE_URL=" + r.URL, "ANTHROPIC_API_KEY=" + claudeKey, "CLAUDE_CONFIG_DIR=" + filepath.Join(r.Home, ".claude"),
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_BUG_COMMAND=1"}
	},
}

var codex = &Host{
	Name: "codex", Package: "@openai/codex@0.171.0", Light: true,
	Shell: "exec_command", MCP: "recall",
	// A login shell would have another PATH than the test, and without yield_time_ms
	// the tool may answer that the command is still running.
	ShellArgs: func(line string) map[string]any {
		return map[string]any{"cmd": line, "login": false, "yield_time_ms": 30_000}
	},
	binary: "@openai/codex-*/vendor/*/bin/codex",
	prepare: func(r *Run) error {
		return writeNew(filepath.Join(r.Home, ".codex", "config.toml"), fmt.Sprintf(`model = "scripted-1"
model_provider = "scripted"
approval_policy = "never"

[model_providers.scripted]
name = "scripted"
base_url = "%s/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
`, r.URL))
	},
	argv: func(r *Run) []string {
		args := []string{"exec", "--json", "--disable", "plugins", "--skip-git-repo-check"}
		if r.Done != nil {
			args = []string{"--disable", "plugins"}
		}
		if r.Mode == "allow" {
			args = append(args, "-s", "danger-full-access")
		}
		// The model's address differs in each run.
		args = append(args, "-c", fmt.Sprintf(`model_providers.scripted.base_url="%s/v1"`, r.URL))
		return append(append(args, r.Args...), "do it")
	},
	env: func(r *Run) []string {
		return []string{"CODEX_HOME=" + filepath.Join(r.Home, ".codex"), "SCRIPTED_KEY=scripted-key-of-a-test"}
	},
}

var gemini = &Host{
	Name: "gemini", Package: "@google/gemini-cli@0.61.0",
	Shell: "run_shell_command", MCP: "mcp_cairn_recall",
	ShellArgs: func(line string) map[string]any { return map[string]any{"command": line, "description": "run"} },
	binary:    "@google/gemini-cli/bundle/gemini.js", node: true,
	prepare: func(r *Run) error {
		return writeNew(filepath.Join(r.Home, ".gemini", "settings.json"), `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
  "telemetry": {"enabled": false}
}
`)
	},
	argv: func(r *Run) []string {
		args := []string{"-m", "gemini-2.5-pro", "--output-format", "stream-json", "-p", "do it"}
		if r.Done != nil {
			args = []string{"-m", "gemini-2.5-pro", "-i", "do it"}
		}
		if r.Mode == "allow" {
			args = append(args, "--approval-mode", "yolo")
		}
		return append(args, r.Args...)
	},
	env: func(r *Run) []string {
		return []string{"GEMINI_API_KEY=scripted-key-of-a-test", "GOOGLE_GEMINI_BASE_URL=" + r.URL, "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false"}
	},
}

var opencode = &Host{
	Name: "opencode", Package: "opencode-ai@1.18.33",
	Shell: "bash", MCP: "cairn_recall", HidesTip: "its shell tool tells the model no exit status",
	ShellArgs: func(line string) map[string]any { return map[string]any{"command": line, "description": "run"} },
	binary:    "opencode-linux-*/bin/opencode",
	prepare: func(r *Run) error {
		return writeNew(filepath.Join(r.Home, "config", "opencode", "opencode.json"), `{
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false,
  "share": "disabled"
}
`)
	},
	argv: func(r *Run) []string {
		if r.Done != nil {
			return append([]string{"--prompt", "do it"}, r.Args...)
		}
		return append(append([]string{"run", "--format", "json"}, r.Args...), "do it")
	},
	env: func(r *Run) []string {
		provider, _ := json.Marshal(map[string]any{
			"model": "scripted/m1", "small_model": "scripted/m1", "enabled_providers": []string{"scripted"}, "lsp": false, "formatter": false,
			"provider": map[string]any{"scripted": map[string]any{"npm": "@ai-sdk/openai-compatible", "name": "scripted",
				"options": map[string]any{"baseURL": r.URL + "/v1", "apiKey": "scripted-key-of-a-test"},
				"models":  map[string]any{"m1": map[string]any{"name": "m1", "limit": map[string]any{"context": 200000, "output": 4096}}}}},
		})
		dir := func(name string) string { return filepath.Join(r.Home, name) }
		return []string{"XDG_DATA_HOME=" + dir("data"), "XDG_CONFIG_HOME=" + dir("config"), "XDG_STATE_HOME=" + dir("state"), "XDG_CACHE_HOME=" + dir("cache"),
			"OPENCODE_CONFIG_CONTENT=" + string(provider), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1"}
	},
}

var copilot = &Host{
	Name: "copilot", Package: "@github/copilot@1.0.102",
	Shell: "bash", MCP: "cairn-recall",
	ShellArgs: func(line string) map[string]any { return map[string]any{"command": line, "description": "run"} },
	binary:    "@github/copilot-linux-*/copilot",
	prepare: func(r *Run) error {
		return writeNew(filepath.Join(r.Home, ".copilot", "config.json"), "{}\n")
	},
	argv: func(r *Run) []string {
		args := []string{"--output-format", "json", "--no-color", "--disable-client-telemetry", "-p", "do it"}
		if r.Mode == "allow" {
			args = append(args, "--allow-all-tools")
		}
		return append(args, r.Args...)
	},
	env: func(r *Run) []string {
		// A short key would be redacted wherever its letters occur.
		return []string{"COPILOT_HOME=" + filepath.Join(r.Home, ".copilot"), "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_PROVIDER_BASE_URL=" + r.URL + "/v1",
			"COPILOT_PROVIDER_API_KEY=scripted-key-of-a-test", "COPILOT_MODEL=m1"}
	},
}

var qwen = &Host{
	Name: "qwen", Package: "@qwen-code/qwen-code@0.24.4",
	Shell: "run_shell_command", MCP: "mcp__cairn__recall",
	ShellArgs: func(line string) map[string]any {
		return map[string]any{"command": line, "description": "run", "is_background": false}
	},
	binary: "@qwen-code/qwen-code/cli.js", node: true,
	prepare: func(r *Run) error {
		return writeNew(filepath.Join(r.Home, ".qwen", "settings.json"), `{
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
  "telemetry": {"enabled": false}
}
`)
	},
	argv: func(r *Run) []string {
		args := []string{"--auth-type", "openai", "--output-format", "stream-json", "-p", "do it"}
		if r.Done != nil {
			args = []string{"--auth-type", "openai", "-i", "do it"}
		}
		if r.Mode == "allow" {
			args = append(args, "--yolo")
		}
		return append(args, r.Args...)
	},
	env: func(r *Run) []string {
		// Qwen Code also uses the proxy for addresses of this machine.
		return []string{"HTTPS_PROXY=", "OPENAI_API_KEY=scripted-key-of-a-test", "OPENAI_BASE_URL=" + r.URL + "/v1", "OPENAI_MODEL=m1", "QWEN_TELEMETRY_ENABLED=false", "GEMINI_TELEMETRY_ENABLED=false"}
	},
}
