package subagent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/agents/inherit"
)

// The values of Settings.Runner.
const (
	Process   = "process"    // each subagent is a process of pi
	InProcess = "in-process" // a session within the parent's process
)

// Settings are the user's settings.
type Settings struct {
	Inherit       bool           `json:"inheritContext"`
	Expose        bool           `json:"exposeInheritanceInTool"` // the model may say "isolated"
	Inheritance   inherit.Config `json:"inheritance"`
	MaxConcurrent int            `json:"maxConcurrent"` // 0: no limit
	Runner        string         `json:"runner"`
}

// ReadSettings reads the settings below pi's agent directory. Missing values are the default, as are all if the file
// cannot be read; then note says so.
func ReadSettings(agentDir string) (s Settings, note string) {
	defaults := Settings{Inherit: true, MaxConcurrent: 4, Runner: Process}
	path := filepath.Join(agentDir, "extensions", "pi-dashboard-subagents", "config.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return defaults, ""
	}
	s = defaults
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	switch {
	case err == nil && s.MaxConcurrent < 0:
		err = fmt.Errorf("maxConcurrent %d is below zero", s.MaxConcurrent)
	case err == nil && s.Runner != Process && s.Runner != InProcess:
		err = fmt.Errorf("runner %q is neither %s nor %s", s.Runner, Process, InProcess)
	}
	if err != nil {
		return defaults, fmt.Sprintf("%s was passed over: %v", path, err)
	}
	return s, ""
}
