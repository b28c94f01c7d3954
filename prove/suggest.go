package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/recall"
	"cairn/result"
)

// Suggestion is a check that could be declared, and where it was found.
type Suggestion struct {
	Check
	From string
}

// ciFiles are files in which repositories list the commands that must pass.
var ciFiles = []string{".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml", ".woodpecker.yml", "bitbucket-pipelines.yml"}

// mostCIFile bounds one such file, in bytes, and mostSeen the captures that are examined.
const (
	mostCIFile = 1 << 20
	mostSeen   = 2000
)

// Suggest finds commands that look like checks: in CI files, in the scripts of package.json, and among commands that
// the record shows were run repeatedly.
func Suggest(ctx context.Context, s *place.Site) ([]Suggestion, error) {
	var f finder
	root := s.Workspace.Root
	for _, pattern := range ciFiles {
		files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		for _, file := range files {
			text, err := readBounded(file)
			if err != nil {
				return nil, err
			}
			name, _ := filepath.Rel(root, file)
			f.ci(filepath.ToSlash(name), text)
		}
	}
	text, err := readBounded(filepath.Join(root, "package.json"))
	if err != nil {
		return nil, err
	}
	f.scripts(text)
	return f.found, f.history(ctx, s)
}

func readBounded(file string) ([]byte, error) {
	st, err := os.Stat(file)
	switch {
	case err != nil || !st.Mode().IsRegular() || st.Size() > mostCIFile:
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return nil, &fs.PathError{Op: "read", Path: file, Err: err}
	}
	return text, nil
}

type finder struct{ found []Suggestion }

// add adds a line if it looks like a check: its tool gives a verdict.
func (f *finder) add(line, dir, from string) {
	line = strings.TrimSpace(line)
	tool := parsers.CommandTool("", nil, line)
	p := parsers.Named(tool)
	if line == "" || strings.Contains(line, "${{") || p == nil || !slices.Contains([]result.Kind{result.Test, result.Lint, result.Typecheck, result.Format, result.Security, result.Build}, p.Kind) {
		return
	}
	if i := slices.IndexFunc(f.found, func(o Suggestion) bool { return o.Command == line && o.Dir == dir }); i >= 0 {
		if !strings.Contains(f.found[i].From, from) {
			f.found[i].From += ", " + from
		}
		return
	}
	name := tool
	for n := 2; slices.ContainsFunc(f.found, func(o Suggestion) bool { return o.Name == name }); n++ {
		name = fmt.Sprintf("%s-%d", tool, n)
	}
	f.found = append(f.found, Suggestion{Check{Name: name, Command: line, Dir: dir}, from})
}

// ci reads the commands in a CI file.
func (f *finder) ci(name string, text []byte) {
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc) == nil {
		f.walk(&doc, name, 0)
	}
}

func (f *finder) walk(n *yaml.Node, name string, depth int) {
	if depth > 32 || n.Kind == yaml.AliasNode {
		return
	}
	if n.Kind != yaml.MappingNode {
		for _, c := range n.Content {
			f.walk(c, name, depth+1)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if slices.Contains([]string{"run", "script", "before_script", "command", "commands", "bash"}, key) {
			f.lines(value, dirBeside(n), name)
		}
		f.walk(value, name, depth+1)
	}
}

// dirBeside is the working directory of a step of GitHub Actions.
func dirBeside(n *yaml.Node) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "working-directory" {
			return strings.Trim(filepath.ToSlash(filepath.Clean(n.Content[i+1].Value)), "/")
		}
	}
	return ""
}

// goesOn matches a line end after which the command continues.
var goesOn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t]*\\\r?\n[ \t]*`) })

func (f *finder) lines(n *yaml.Node, dir, name string) {
	for _, c := range n.Content {
		f.lines(c, dir, name)
	}
	if n.Kind == yaml.ScalarNode {
		for line := range strings.Lines(goesOn().ReplaceAllString(n.Value, " ")) {
			f.add(line, dir, name)
		}
	}
}

// scripts reads the scripts of package.json with usual names of checks.
func (f *finder) scripts(text []byte) {
	var file struct{ Scripts map[string]string }
	if json.Unmarshal(text, &file) != nil {
		return
	}
	for _, name := range []string{"test", "lint", "typecheck", "check"} {
		if file.Scripts[name] != "" {
			f.add(file.Scripts[name], "", "package.json, script "+name)
		}
	}
}

// history adds commands that were run here at least three times.
func (f *finder) history(ctx context.Context, s *place.Site) error {
	type ran struct {
		line, dir string
		n         int
	}
	var order []string
	seen := map[string]*ran{}
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Newest: true, Limit: mostSeen, Facts: true}) {
		if err != nil {
			return err
		}
		if rec.Type != manifest.TypeCapture || rec.Exit == nil || rec.Key == "" {
			continue
		}
		r := seen[rec.Key]
		if r == nil {
			r = &ran{line: recall.CommandLine(rec), dir: strings.TrimPrefix(rec.Dir, ".")}
			seen[rec.Key], order = r, append(order, rec.Key)
		}
		r.n++
	}
	for _, key := range order {
		if r := seen[key]; r.n >= 3 {
			f.add(r.line, r.dir, fmt.Sprintf("run %d times here", r.n))
		}
	}
	return nil
}

// SuggestedText is a proposal for ChecksFile.
func SuggestedText(found []Suggestion) string {
	var b strings.Builder
	for i, c := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "# %s\n[[check]]\nname = %s\ncommand = %s\n", result.CleanLine(c.From), quoted(c.Name), quoted(c.Command))
		if c.Dir != "" {
			fmt.Fprintf(&b, "dir = %s\n", quoted(c.Dir))
		}
	}
	return b.String()
}

// quoted is a TOML basic string, which has the form of JSON's.
func quoted(text string) string {
	b, _ := result.Marshal(text) // a string cannot fail
	return string(b)
}
