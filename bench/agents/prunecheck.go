package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/bench/agents/model"
)

// pruned checks that with the plugin OpenCode sends a marker for an old output, the same in each later request, and
// that recall returns the bytes by its id.
func pruned(s *scene) (string, error) {
	plugin, err := filepath.Abs("agents/hosts/opencode/cairn.ts")
	if _, statErr := os.Stat(plugin); err != nil || statErr != nil {
		if plugin, err = filepath.Abs("../../agents/hosts/opencode/cairn.ts"); err != nil { // when run as a test
			return "", err
		}
	}
	config := fmt.Sprintf("{\n  \"plugin\": [\"file://%s\"],\n  \"autoupdate\": false\n}\n", plugin)
	if err := os.WriteFile(filepath.Join(s.home, "config", "opencode", "opencode.json"), []byte(config), 0o644); err != nil {
		return "", err
	}
	o := options{mode: "allow", env: []string{"CAIRN_PROGRAM=" + s.cairn + "/cairn", `CAIRN_PRUNE={"protect":1,"minimum":1}`}}
	turns := []model.Turn{model.Use(s.host.Shell, s.host.ShellArgs("seq 1 1500")), model.Say("first")}
	var markers []string
	for i := range 4 {
		if i > 0 {
			turns, o.args = []model.Turn{model.Say("and more")}, []string{"--continue"}
		}
		m := model.Start(turns...)
		_, err := s.play(m, o)
		results := m.Last().Results
		m.Close()
		if err != nil {
			return "", err
		}
		if len(results) != 1 {
			return "", fmt.Errorf("run %d: the model saw %d results", i, len(results))
		}
		markers = append(markers, results[0])
	}
	if strings.HasPrefix(markers[1], "[sha256:") || !strings.HasPrefix(markers[3], "[sha256:") {
		return "", fmt.Errorf("the model saw %.80q, then %.80q, %.80q, %.80q", markers[0], markers[1], markers[2], markers[3])
	}
	if markers[2] != markers[3] && strings.HasPrefix(markers[2], "[") {
		return "", fmt.Errorf("the marker changed: %q, %q", markers[2], markers[3])
	}
	out, err := s.shell(s.cairn + "/cairn recall object " + oid.FindString(markers[3]))
	if err == nil && !strings.Contains(out, "\n1500\n") {
		err = errors.New("what comes back is not what was pruned")
	}
	return "", err
}
