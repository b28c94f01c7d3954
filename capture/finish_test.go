package capture

import (
	"maps"
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
		r := &result.ToolResult{Summary: tt.summary}
		endOf(tt.exit, 90*time.Second).tell(r)
		if r.Summary != tt.want {
			t.Errorf("%+v: %q, want %q", tt.exit, r.Summary, tt.want)
		}
		rec := &manifest.Record{Signal: tt.exit.Signal, TimedOut: tt.exit.TimedOut}
		if err := rec.SetResult(r); err != nil {
			t.Fatal(err)
		}
		anew := &result.ToolResult{Summary: tt.summary}
		if endOfRecord(rec).tell(anew); anew.Summary != tt.want || tt.exit.Signal != tt.exit.Interrupted && !maps.Equal(anew.Extra, r.Extra) {
			t.Errorf("%+v, told by the record: %q %v, want %q %v", tt.exit, anew.Summary, anew.Extra, tt.want, r.Extra)
		}
	}
}
