package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspector drives the MCP server with the protocol's own inspector, a client
// in another language than ours. CAIRN_INSPECTOR names the folder below which "npm
// install @modelcontextprotocol/inspector" was run.
func TestInspector(t *testing.T) {
	folder := os.Getenv("CAIRN_INSPECTOR")
	if folder == "" {
		t.Skip("CAIRN_INSPECTOR does not say where npm installed @modelcontextprotocol/inspector")
	}
	bin, err := build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ask := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "node_modules", ".bin", "mcp-inspector"),
			append([]string{"--cli", filepath.Join(bin, "cairn-mcp"), "--run-tool", "--method"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "GIT_CEILING_DIRECTORIES="+dir, "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal([]byte(ask("tools/list")), &list); err != nil || len(list.Tools) != 2 || list.Tools[0].Name != "capture_run" || list.Tools[1].Name != "recall" {
		t.Fatalf("the tools are %+v, %v", list.Tools, err)
	}
	call := func(args ...string) (text string, structured bool) {
		t.Helper()
		var answer struct {
			Content []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"content"`
			StructuredContent json.RawMessage `json:"structuredContent"`
		}
		if err := json.Unmarshal([]byte(ask(append([]string{"tools/call"}, args...)...)), &answer); err != nil || len(answer.Content) != 1 || answer.Content[0].Type != "text" {
			t.Fatalf("%v: %+v, %v", args, answer, err)
		}
		return answer.Content[0].Text, answer.StructuredContent != nil
	}
	ran, structured := call("--tool-name", "capture_run", "--tool-arg", "command=echo seen; exit 7")
	if !strings.Contains(ran, "exit 7") || structured {
		t.Errorf("capture_run answers %q, structured %v", ran, structured)
	}
	if listed, _ := call("--tool-name", "recall", "--tool-arg", "op=list"); !strings.Contains(listed, "exit 7") {
		t.Errorf("recall answers %q", listed)
	}
}
