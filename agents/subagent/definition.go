package subagent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"cairn/agents/inherit"
)

// Definition is the content of an agent's .md file. The zero value is that of an agent without a file.
type Definition struct {
	Path    string // "" without a file
	Source  string // project, user, bundled, package
	Package string // the package, if Source is package

	Description string
	Model       string
	Thinking    string
	Tools       []string // nil: all tools of the parent
	Inherit     *bool
	Prompt      string
}

// Sources are the directories that may have definitions.
type Sources struct {
	Dir       string // the project; "" if its files are not trusted
	AgentDir  string // the user's directory of pi
	Bundled   string // the directory of the definitions in this package
	NodeRoots []string
}

// Find reads the definition of an agent type. A type that is not a plain name, such as "../x", has no definition.
func (p Sources) Find(kind string) (Definition, error) {
	if kind == "" || kind != filepath.Base(kind) || strings.ContainsAny(kind, `/\`) || strings.Contains(kind, "..") || kind == "." {
		return Definition{}, nil
	}
	name := kind + ".md"
	tiers := []Definition{{Source: "user", Path: filepath.Join(p.AgentDir, "agents", name)}}
	if p.Dir != "" {
		tiers = slices.Insert(tiers, 0, Definition{Source: "project", Path: filepath.Join(p.Dir, ".pi", "agents", name)})
	}
	if p.Bundled != "" {
		tiers = append(tiers, Definition{Source: "bundled", Path: filepath.Join(p.Bundled, name)})
	}
	for _, pkg := range p.packages() {
		tiers = append(tiers, Definition{Source: "package", Package: pkg.source, Path: filepath.Join(pkg.dir, "agents", name)})
	}
	for _, d := range tiers {
		data, err := os.ReadFile(d.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = d.read(data)
		}
		if err != nil {
			return d, fmt.Errorf("reading the definition of agent %s, %s: %w", kind, d.Path, err)
		}
		return d, nil
	}
	return Definition{}, nil
}

// read splits the file into frontmatter and body, and reads both.
func (d *Definition) read(data []byte) error {
	front, body := splitFront(data)
	var f struct {
		Description string    `yaml:"description"`
		Model       string    `yaml:"model"`
		Thinking    string    `yaml:"thinking"`
		Tools       yaml.Node `yaml:"tools"`
		Inherit     *bool     `yaml:"inherit_context"`
		Prompt      string    `yaml:"prompt"`
	}
	if err := yaml.Unmarshal(front, &f); err != nil {
		return fmt.Errorf("its frontmatter: %w", err)
	}
	tools, err := toolList(f.Tools)
	if err != nil {
		return err
	}
	d.Description, d.Model, d.Thinking, d.Tools, d.Inherit = f.Description, strings.TrimSpace(f.Model), f.Thinking, tools, f.Inherit
	if d.Prompt = strings.TrimSpace(f.Prompt); d.Prompt == "" {
		d.Prompt = strings.TrimSpace(string(body))
	}
	if d.Thinking != "" && !isLevel(d.Thinking) {
		return fmt.Errorf("thinking %q is none of %s", d.Thinking, strings.Join(levels, ", "))
	}
	return nil
}

// splitFront finds the lines between "---" lines at the beginning.
func splitFront(data []byte) (front, body []byte) {
	data = bytes.TrimPrefix(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\uFEFF"))
	rest, ok := bytes.CutPrefix(data, []byte("---\n"))
	if !ok {
		return nil, data
	}
	if body, ok := bytes.CutPrefix(rest, []byte("---\n")); ok {
		return nil, body
	}
	at := bytes.Index(rest, []byte("\n---"))
	if at < 0 {
		return nil, data
	}
	_, body, _ = bytes.Cut(rest[at+1:], []byte("\n"))
	return rest[:at+1], body
}

// toolList reads a list, or names separated by commas: an allowlist in an unexpected format must not mean "all".
func toolList(n yaml.Node) (tools []string, err error) {
	switch {
	case n.IsZero() || n.Tag == "!!null":
		return nil, nil
	case n.Kind == yaml.ScalarNode:
		tools = strings.FieldsFunc(n.Value, func(r rune) bool { return r == ',' || r == ' ' })
	default:
		err = n.Decode(&tools)
	}
	if err != nil {
		return nil, fmt.Errorf("its tools are no list of names: %w", err)
	}
	if tools == nil {
		tools = []string{}
	}
	return tools, nil
}

// pkg is an installed package of pi.
type pkg struct{ source, dir string }

// packages are those in the user's settings, in the order of their sources. Packages that are not found are left out.
func (p Sources) packages() (all []pkg) {
	data, err := os.ReadFile(filepath.Join(p.AgentDir, "settings.json"))
	var settings struct{ Packages []json.RawMessage }
	if err != nil || json.Unmarshal(data, &settings) != nil {
		return nil
	}
	for _, raw := range settings.Packages {
		var source string
		var object struct{ Source string }
		if json.Unmarshal(raw, &source) != nil && json.Unmarshal(raw, &object) == nil {
			source = object.Source
		}
		for _, dir := range p.dirsOf(source) {
			all = append(all, pkg{source, dir})
		}
	}
	slices.SortStableFunc(all, func(a, b pkg) int { return strings.Compare(a.source, b.source) })
	return all
}

// dirsOf are the directories in which a package may be installed.
func (p Sources) dirsOf(source string) (dirs []string) {
	if name, ok := strings.CutPrefix(source, "npm:"); ok {
		if at := strings.LastIndexByte(name, '@'); at > 0 {
			name = name[:at]
		}
		for _, root := range p.NodeRoots {
			dirs = append(dirs, filepath.Join(root, filepath.FromSlash(name)))
		}
		return dirs
	}
	if strings.Contains(source, ":") {
		repo := strings.TrimPrefix(source, "git:")
		if _, rest, ok := strings.Cut(repo, "://"); ok {
			repo = rest
		}
		if _, rest, ok := strings.Cut(repo, "@"); ok && strings.Contains(rest, "/") {
			repo = strings.Replace(rest, ":", "/", 1)
		}
		repo, _, _ = strings.Cut(repo, "@")
		return []string{filepath.Join(p.AgentDir, "git", filepath.FromSlash(strings.TrimSuffix(repo, ".git")))}
	}
	if source == "" {
		return nil
	}
	if !filepath.IsAbs(source) {
		source = filepath.Join(p.AgentDir, source)
	}
	return []string{source}
}

// levels are pi's names for how long a model thinks.
var levels = strings.Fields("off minimal low medium high xhigh max")

func isLevel(s string) bool { return slices.Contains(levels, s) }

// Probe is what the handlers of "model:findModel" returned for a reference.
type Probe struct {
	Model     string            `json:"model,omitempty"` // provider/id; "" if no handler answered
	Thinking  string            `json:"thinking,omitempty"`
	Error     string            `json:"error,omitempty"`
	Roles     map[string]string `json:"roles,omitempty"`
	Available []string          `json:"available,omitempty"`
}

// Model is a model to use. The zero value is pi's default.
type Model struct {
	Name     string // provider/id
	Thinking string
}

// maxListed bounds the ids that an error lists.
const maxListed = 20

// findModel finds the model that ref means: as the handlers say, else among known, which are "provider/id". where says
// who gave the reference.
func findModel(ref, where string, p Probe, known []string) (Model, error) {
	switch {
	case p.Model != "":
		return Model{p.Model, p.Thinking}, nil
	case p.Error != "":
		return Model{}, fmt.Errorf("model %q (%s) was not resolved: %s%s", ref, where, p.Error, available(p.Roles, p.Available))
	case strings.HasPrefix(ref, "@"):
		return Model{}, fmt.Errorf("model %q (%s) is a role, and no extension that knows roles is loaded: "+
			"install pi-agent-dashboard or pi-flows, or name a model as provider/id", ref, where)
	}
	if name := among(known, ref); name != "" {
		return Model{Name: name}, nil
	}
	if at := strings.LastIndexByte(ref, ':'); at > 0 && isLevel(ref[at+1:]) {
		if name := among(known, ref[:at]); name != "" {
			return Model{name, ref[at+1:]}, nil
		}
	}
	return Model{}, fmt.Errorf("model %q (%s) is unknown to pi%s", ref, where, available(nil, known))
}

// among finds "provider/id", else the first model with this id.
func among(known []string, ref string) string {
	if slices.Contains(known, ref) {
		return ref
	}
	for _, name := range known {
		if _, id, _ := strings.Cut(name, "/"); id == ref {
			return name
		}
	}
	return ""
}

// available lists the valid roles and models.
func available(roles map[string]string, models []string) string {
	var b strings.Builder
	if names := slices.Sorted(maps.Keys(roles)); len(names) > 0 {
		fmt.Fprintf(&b, "\nRoles: %s", strings.Join(shortened(names), ", "))
	}
	if len(models) > 0 {
		fmt.Fprintf(&b, "\nModels: %s", strings.Join(shortened(models), ", "))
	}
	return b.String()
}

func shortened(names []string) []string {
	if len(names) <= maxListed {
		return names
	}
	return append(slices.Clone(names[:maxListed]), fmt.Sprintf("and %d more", len(names)-maxListed))
}

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
