package setup

import "testing"

// TestLayout: what is put in is laid out as what is there.
func TestLayout(t *testing.T) {
	env := member{[]string{"env", "SHELL_PREFIX"}, "/x"}
	server := member{[]string{"mcpServers", "cairn"}, map[string]any{"command": "cairn", "args": []string{"mcp"}}}
	for _, c := range []struct {
		m             member
		before, after string
	}{
		{env, "{\n  \"env\": {\"FOO\": \"1\", \"BAR\": \"2\"}\n}\n", "{\n  \"env\": {\"SHELL_PREFIX\": \"/x\", \"FOO\": \"1\", \"BAR\": \"2\"}\n}\n"},
		{env, "{\n  \"env\": { \"FOO\": \"1\" }\n}\n", "{\n  \"env\": { \"SHELL_PREFIX\": \"/x\", \"FOO\": \"1\" }\n}\n"},
		{env, "{\n  \"env\": {}\n}\n", "{\n  \"env\": {\n    \"SHELL_PREFIX\": \"/x\"\n  }\n}\n"},
		{env, "{\n    \"env\": {\n          \"FOO\": \"1\"\n    }\n}\n", "{\n    \"env\": {\n          \"SHELL_PREFIX\": \"/x\",\n          \"FOO\": \"1\"\n    }\n}\n"},
		{env, "{\n\t\"a\": 1\n}\n", "{\n\t\"env\": {\n\t\t\"SHELL_PREFIX\": \"/x\"\n\t},\n\t\"a\": 1\n}\n"},
		{env, `{"env":{"FOO":"1"}}`, `{"env":{"SHELL_PREFIX":"/x","FOO":"1"}}`},
		{server, "{\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\n}\n", "{\n  \"mcpServers\": {\"cairn\": {\"args\": [\"mcp\"], \"command\": \"cairn\"}, \"other\": {\"command\": \"x\"}}\n}\n"},
		{server, "{\n  // mine\n  \"mcpServers\": {\n    // first\n    \"other\": {\"command\": \"x\"},\n  },\n}\n", "{\n  // mine\n  \"mcpServers\": {\n    \"cairn\": {\n      \"args\": [\n        \"mcp\"\n      ],\n      \"command\": \"cairn\"\n    },\n    // first\n    \"other\": {\"command\": \"x\"},\n  },\n}\n"},
	} {
		got, err := c.m.put([]byte(c.before))
		if err != nil || string(got) != c.after {
			t.Errorf("put into\n%s\ngave\n%s\nwant\n%s\n%v", c.before, got, c.after, err)
		}
	}
}
