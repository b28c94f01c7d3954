package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Change is one file before and after a change. nil means that the file does not exist.
type Change struct {
	Path          string
	Before, After []byte
	Exec          bool
	Notes         []string // what was not changed, and why
	What          []string // which pieces of cairn the file has
}

// Same says that the change does nothing.
func (c Change) Same() bool {
	return bytes.Equal(c.Before, c.After) && (c.Before == nil) == (c.After == nil)
}

// Diff is the change as a unified diff.
func (c Change) Diff() string {
	name := func(b []byte) string {
		if b == nil {
			return os.DevNull
		}
		return c.Path
	}
	return string(diff.Diff(name(c.Before), c.Before, name(c.After), c.After))
}

// Plan has all changes to be made.
type Plan struct {
	Changes []Change
	Notes   []string
	s       Surroundings
	state   *state
	remove  bool
	owners  map[string][]string // by path: the agents for which files are installed or removed
}

// state is the content of installed.json.
type state struct {
	Files map[string]remembered `json:"files"` // by absolute path
	Dirs  []string              `json:"dirs"`  // directories that were created, outer before inner
}

// remembered is a changed file.
type remembered struct {
	Before []byte `json:"before"` // base64; null if the file did not exist
	After  string `json:"after"`  // SHA-256, hex
	// For are the agents that the file serves, each as Surroundings.owner names it. It is empty for files
	// installed by earlier versions of cairn.
	For []string `json:"for,omitempty"`
}

// owner names an agent as installed for the user, or for one project.
func (s Surroundings) owner(agent string) string {
	if s.Project {
		return agent + " in " + s.Dir
	}
	return agent
}

func (s Surroundings) statePath() string { return filepath.Join(s.DataDir(), "installed.json") }

func (s Surroundings) readState() (*state, error) {
	st := &state{Files: map[string]remembered{}}
	data, err := os.ReadFile(s.statePath())
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err == nil {
		err = json.Unmarshal(data, st)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was installed: %w", err)
	}
	if st.Files == nil {
		st.Files = map[string]remembered{}
	}
	user, project := s, s
	user.Project, project.Project = false, true
	user.own(st)
	project.own(st)
	return st, nil
}

// own sets the agents of files that an earlier version installed without noting them: an agent counts as installed if a
// file that only it reads is.
func (s Surroundings) own(st *state) {
	earlier := map[string]bool{}
	for path, was := range st.Files {
		earlier[path] = len(was.For) == 0
	}
	for _, h := range hosts {
		pieces := s.piecesOf(h, st)
		if !slices.ContainsFunc(pieces, func(p piece) bool { return earlier[p.path] && (p.what == "mcp" || p.what == "instructions") }) {
			continue
		}
		for _, p := range pieces {
			if was := st.Files[p.path]; earlier[p.path] && !slices.Contains(was.For, s.owner(h.name)) {
				was.For = append(was.For, s.owner(h.name))
				st.Files[p.path] = was
			}
		}
	}
}

// Make plans to install for these agents, or to remove.
func Make(s Surroundings, names []string, remove bool) (*Plan, error) {
	st, err := s.readState()
	if err != nil {
		return nil, err
	}
	if remove {
		s.Prove = ProveWarn // any value will do: both modes are removed alike
	}
	p := &Plan{s: s, state: st, remove: remove, owners: map[string][]string{}}
	var order []string
	byPath := map[string][]piece{}
	for _, h := range hosts {
		if !slices.Contains(names, h.name) {
			continue
		}
		for _, add := range s.piecesOf(h, st) {
			if byPath[add.path] == nil {
				order = append(order, add.path)
			}
			if !slices.ContainsFunc(byPath[add.path], func(o piece) bool { return o.what == add.what }) { // agents share files
				byPath[add.path] = append(byPath[add.path], add)
			}
			if owner := s.owner(h.name); !slices.Contains(p.owners[add.path], owner) {
				p.owners[add.path] = append(p.owners[add.path], owner)
			}
		}
		if !remove {
			for _, note := range s.notes(h, st) {
				p.Notes = append(p.Notes, h.name+": "+note)
			}
		}
	}
	if !remove {
		p.Notes = append(p.Notes, s.byName()...)
	}
	for _, path := range order {
		if remove && p.wanted(path) {
			continue
		}
		c, err := p.change(path, byPath[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p.Changes = append(p.Changes, c)
	}
	return p, nil
}

// wanted says whether a file serves another agent that keeps it: skills and shells are shared.
func (p *Plan) wanted(path string) bool {
	return len(without(p.state.Files[path].For, p.owners[path])) > 0
}

func (p *Plan) change(path string, pieces []piece) (Change, error) {
	c := Change{Path: path, What: whatIs(pieces)}
	now, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	if err == nil {
		c.Before = append([]byte{}, now...)
	}
	base, err := p.before(path, c.Before, pieces)
	if err != nil {
		return c, err
	}
	c.After = base
	if p.remove {
		return c, nil
	}
	for _, piece := range pieces {
		after, err := piece.edit.put(c.After)
		if errors.Is(err, errTaken) {
			c.Notes = append(c.Notes, fmt.Sprintf("left as it is: %s: %v", path, err))
			continue
		}
		if err != nil {
			return c, err
		}
		c.After, c.Exec = after, c.Exec || piece.exec
	}
	if _, whole := pieces[0].edit.(file); whole && base != nil {
		c.After = base
		c.Notes = append(c.Notes, fmt.Sprintf("left as it is: %s is there, and is not cairn's", path))
	}
	return c, nil
}

// before is a file as it was before cairn: its saved bytes if it was not changed since, else the file without what is
// cairn's.
func (p *Plan) before(path string, now []byte, pieces []piece) ([]byte, error) {
	was, known := p.state.Files[path]
	if !known || now == nil {
		return now, nil
	}
	if digest(now) == was.After {
		return was.Before, nil
	}
	rest := now
	for _, piece := range pieces {
		var err error
		if rest == nil {
			break
		}
		if rest, err = piece.edit.drop(rest); err != nil {
			return nil, err
		}
	}
	if rest == nil && was.Before != nil {
		rest = []byte{}
	}
	return rest, nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Empty says that there is nothing to change.
func (p *Plan) Empty() bool {
	return !slices.ContainsFunc(p.Changes, func(c Change) bool { return !c.Same() })
}

// claim updates the agents that files serve, and says whether any changed.
func (p *Plan) claim() (news bool) {
	for path, owners := range p.owners {
		was, known := p.state.Files[path]
		if !known {
			continue
		}
		left := without(was.For, owners)
		if !p.remove {
			left = slices.Sorted(slices.Values(append(left, owners...)))
		}
		if !slices.Equal(left, was.For) {
			was.For, news = left, true
			p.state.Files[path] = was
		}
	}
	return news
}

// without returns all elements that are not in some.
func without(all, some []string) (rest []string) {
	for _, one := range all {
		if !slices.Contains(some, one) {
			rest = append(rest, one)
		}
	}
	return rest
}

func (p *Plan) pieces(path string) (all []piece) {
	for _, h := range hosts {
		for _, piece := range p.s.piecesOf(h, p.state) {
			if piece.path == path {
				all = append(all, piece)
			}
		}
	}
	return all
}

// tomlString is s as a TOML basic string.
func tomlString(s string) string { return strconv.Quote(s) }

func tomlList(all []string) string {
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = tomlString(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
