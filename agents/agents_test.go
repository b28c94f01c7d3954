package agents

import (
	"testing"

	"cairn/manifest"
)

func TestBy(t *testing.T) {
	for _, c := range []struct {
		name           string
		environ        []string
		agent, session string
		want           manifest.By
	}{
		{name: "nobody", environ: []string{"PATH=/bin", "CODEX_HOME=/x"}},
		{name: "claude", environ: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=4fab"}, want: manifest.By{Agent: "claude", Session: "4fab"}},
		{name: "codex", environ: []string{"CODEX_THREAD_ID=t", "CODEX_SESSION_ID=s"}, want: manifest.By{Agent: "codex", Session: "s"}},
		{name: "gemini says no session", environ: []string{"GEMINI_CLI=1"}, want: manifest.By{Agent: "gemini"}},
		{name: "a plugin adds the session", environ: []string{"OPENCODE=1", "CAIRN_SESSION=ses_1"}, want: manifest.By{Agent: "opencode", Session: "ses_1"}},
		{name: "codex within claude", environ: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=a", "CODEX_THREAD_ID=b"}, want: manifest.By{Agent: "codex", Session: "b"}},
		{name: "flags win, and take no other's session", environ: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=a"}, agent: "ci", want: manifest.By{Agent: "ci"}},
		{name: "switched off", environ: []string{"CLAUDECODE=0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got manifest.By
			if by := By(c.environ, c.agent, c.session); by != nil {
				got = *by
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
