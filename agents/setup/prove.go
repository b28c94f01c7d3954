package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	hostfiles "cairn/agents/hosts"
	"cairn/internal/build"
)

// Modes of Surroundings.Prove.
const (
	ProveWarn  = "warn"
	ProveBlock = "block"
)

// proveEvents are each host's names for the events at which a session begins and an agent stops, and how many of the
// host's time units are a second.
var proveEvents = map[string]struct {
	events []string
	second int
}{
	"claude": {[]string{"SessionStart", "Stop"}, 1},
	"codex":  {[]string{"SessionStart", "Stop"}, 1},
	"gemini": {[]string{"SessionStart", "AfterAgent"}, 1000},
}

// proving are the pieces by which a host checks, when its agent stops, whether the checks are proven.
func (s Surroundings) proving(host string) (pieces []piece) {
	if s.Prove == "" {
		return nil
	}
	path := map[string]string{
		"claude": s.choose(filepath.Join(s.dir("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), ".claude", "settings.local.json"),
		"codex":  s.choose(filepath.Join(s.dir("CODEX_HOME", ".codex"), "hooks.json"), ".codex", "hooks.json"),
		"gemini": s.choose(filepath.Join(s.Home, ".gemini", "settings.json"), ".gemini", "settings.json"),
	}[host]
	for _, event := range proveEvents[host].events {
		command := map[string]any{"type": "command", "command": ShellWord(s.start()) + " hook " + host + " --prove=" + s.Prove, "timeout": 20 * proveEvents[host].second}
		pieces = append(pieces, piece{what: "hook " + event, path: path, edit: hookEntry{event, map[string]any{"hooks": []any{command}}}})
	}
	plugin := strings.NewReplacer("@MODE@", s.Prove, "@CAIRN@", s.start())
	switch host {
	case "opencode":
		dir := s.choose(filepath.Join(s.dir("XDG_CONFIG_HOME", ".config"), "opencode", "plugin"), ".opencode", "plugin")
		pieces = append(pieces, piece{what: "hook", path: filepath.Join(dir, "cairn-prove.ts"), edit: file{plugin.Replace(hostfiles.ProveOpenCode)}})
	case "pi":
		dir := s.choose(filepath.Join(s.dir("PI_CODING_AGENT_DIR", ".pi", "agent"), "extensions"), ".pi", "extensions")
		pieces = append(pieces, piece{what: "hook", path: filepath.Join(dir, "cairn-prove.ts"), edit: file{plugin.Replace(hostfiles.ProvePi)}})
	}
	return pieces
}

// proveNote is what the user should know about this check in a host.
func (s Surroundings) proveNote(host string) string {
	switch {
	case s.Prove == "":
		return ""
	case host == "codex":
		return "it runs hooks that you trust: open /hooks in it once"
	case len(s.proving(host)) == 0:
		return "no hook is known that asks where it stops: --prove does nothing here"
	}
	return ""
}

// ShellWord quotes a path as one word of a shell.
func ShellWord(path string) string {
	if strings.Trim(path, "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// hookEntry adds an entry for an event to the hooks of a JSON or JSONC document, beside other entries.
type hookEntry struct {
	event string
	value map[string]any
}

// ours is contained in every entry of cairn.
const ours = " --prove="

func (h hookEntry) put(before []byte) ([]byte, error) {
	m := member{[]string{"hooks", h.event}, []any{h.value}}
	after, err := m.put(before)
	if !errors.Is(err, errTaken) {
		return after, err
	}
	doc, list, err := h.list(before)
	switch {
	case err != nil:
		return nil, err
	case list == nil:
		return nil, fmt.Errorf("hooks.%s is no list", h.event)
	case h.index(list) >= 0:
		return nil, fmt.Errorf("a hook of cairn's for %s is %w", h.event, errTaken)
	}
	list.Elements = append(list.Elements, oneLine(h.value, true))
	return doc.Pack(), nil
}

func (h hookEntry) drop(now []byte) ([]byte, error) {
	doc, list, err := h.list(now)
	if err != nil || list == nil {
		return now, err
	}
	i := h.index(list)
	switch {
	case i < 0:
		return now, nil
	case len(list.Elements) == 1:
		return member{path: []string{"hooks", h.event}}.drop(now)
	}
	list.Elements = append(list.Elements[:i], list.Elements[i+1:]...)
	return doc.Pack(), nil
}

func (h hookEntry) in(now []byte) bool {
	_, list, err := h.list(now)
	if err != nil || list == nil || h.index(list) < 0 {
		return false
	}
	text, err := json.Marshal(h.value)
	there := list.Elements[h.index(list)].Clone()
	there.Minimize()
	var got, want any
	return err == nil && json.Unmarshal(there.Pack(), &got) == nil && json.Unmarshal(text, &want) == nil && fmt.Sprint(got) == fmt.Sprint(want)
}

// list is the list of entries for the event; nil if the document has none.
func (h hookEntry) list(text []byte) (*hujson.Value, *hujson.Array, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil, nil
	}
	doc, err := hujson.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	value := doc.Value
	for _, name := range []string{"hooks", h.event} {
		obj, ok := value.(*hujson.Object)
		if !ok || find(obj, name) < 0 {
			return nil, nil, nil
		}
		value = obj.Members[find(obj, name)].Value.Value
	}
	list, _ := value.(*hujson.Array)
	return &doc, list, nil
}

func (h hookEntry) index(list *hujson.Array) int {
	for i, e := range list.Elements {
		if text := e.String(); strings.Contains(text, "cairn") && strings.Contains(text, ours) {
			return i
		}
	}
	return -1
}

// Stays returns an error if the program lies where it must not be installed from, since settings would name a file that
// is gone in a few days.
func (s Surroundings) Stays() error {
	why := ""
	temp := os.TempDir()
	if real, err := filepath.EvalSymlinks(temp); err == nil {
		temp = real
	}
	for _, part := range strings.Split(filepath.ToSlash(s.Program), "/") {
		if strings.HasPrefix(part, "go-build") {
			why = "Go's build cache, which is emptied from time to time"
		}
	}
	if cache := s.Getenv("GOCACHE"); filepath.IsAbs(cache) && within(cache, s.Program) {
		why = "Go's build cache, which is emptied from time to time"
	}
	if why == "" && (within(temp, s.Program) || within(os.TempDir(), s.Program)) {
		why = "a temporary directory"
	}
	if why == "" {
		return nil
	}
	return fmt.Errorf("this program lies in %s (%s): agents would start what is not there any more. Install it first:\n%s\nthen: cairn init", why, s.Program, build.Install())
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// byName returns a warning if a project's files would start another cairn than this one, or none.
func (s Surroundings) byName() []string {
	if !s.Project {
		return nil
	}
	path, err := exec.LookPath("cairn")
	switch same, _ := sameFile(path, s.Program); {
	case err != nil:
		return []string{"the project's files start cairn by its name, and it is not on your PATH: add " + filepath.Dir(s.Program)}
	case !same:
		return []string{fmt.Sprintf("the project's files start cairn by its name: on your PATH that is %s, not this program, %s", path, s.Program)}
	}
	return nil
}

func sameFile(a, b string) (bool, error) {
	x, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y), err
}
