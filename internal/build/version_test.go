package build

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	for module, want := range map[string]string{"cairn": "  go install ./cmd/...  ", "example.org/x/cairn": "  go install example.org/x/cairn/cmd/...@latest"} {
		if got := install(module); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", module, got)
		}
	}
}

func TestVersion(t *testing.T) {
	vcs := func(main, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: main}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "1b8451d7abcdef0123456789"}, {Key: "vcs.time", Value: "2026-11-24T14:22:03Z"}, {Key: "vcs.modified", Value: modified},
		}}
	}
	for _, c := range []struct {
		release string
		info    *debug.BuildInfo
		want    string
	}{
		{"", &debug.BuildInfo{}, "devel"},
		{"v0.1.0", &debug.BuildInfo{}, "v0.1.0"},
		{"", vcs("(devel)", "false"), "devel (commit 1b8451d7abcd, 2026-11-24T14:22:03Z)"},
		{"", vcs("v0.0.0-20261124142203-1b8451d7abcd+dirty", "true"), "devel (commit 1b8451d7abcd, 2026-11-24T14:22:03Z, with changes)"},
		{"", vcs("v0.1.0", "false"), "v0.1.0 (commit 1b8451d7abcd, 2026-11-24T14:22:03Z)"},
		{"v0.2.0", vcs("(devel)", "false"), "v0.2.0 (commit 1b8451d7abcd, 2026-11-24T14:22:03Z)"},
	} {
		if got := text(c.release, c.info); got != c.want {
			t.Errorf("%q: got %q, want %q", c.release, got, c.want)
		}
	}
}
