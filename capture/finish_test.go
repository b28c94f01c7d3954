package capture

import (
	"testing"
	"time"

	"cairn/capture/child"
	"cairn/manifest"
	"cairn/result"
)

func TestEnd(t *testing.T) {
	for _, tt := range []struct {
		exit          child.Exit
		summary, want string
	}{
		{child.Exit{}, "exit 0", "exit 0"},
		{child.Exit{TimedOut: true, Code: -1, Signal: "SIGTERM"}, "timed out", "timed out after 1m30s"},
		{child.Exit{TimedOut: true}, "3 passed", "3 passed, timed out after 1m30s"},
		{child.Exit{Interrupted: "SIGINT"}, "exit 0", "exit 0, interrupted by SIGINT"},
		{child.Exit{Interrupted: "SIGTERM", Code: 1}, "1 failed", "1 failed, interrupted by SIGTERM"},
		{child.Exit{Interrupted: "SIGINT", Code: -1, Signal: "SIGINT"}, "killed by SIGINT", "killed by SIGINT"},
		{child.Exit{Interrupted: "SIGINT", Forced: true, Code: -1, Signal: "SIGKILL"}, "killed by SIGKILL", "SIGKILL on the second SIGINT"},
	} {
		rec := &manifest.Record{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Time: time.Now()}
		setEnd(rec, tt.exit, 90*time.Second)
		line, err := rec.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := manifest.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range []*manifest.Record{rec, back} {
			r := &result.ToolResult{Summary: tt.summary}
			if endOf(rec).tell(r); r.Summary != tt.want {
				t.Errorf("%+v: %q, want %q", tt.exit, r.Summary, tt.want)
			}
		}
	}
}
