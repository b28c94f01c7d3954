package own

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/reviewdog/errorformat"

	"cairn/parsers"
	"cairn/result"
)

// The files with rules, below the root of a repository.
const (
	File   = ".cairn/parsers.toml"
	PiFile = ".pi/structured-return.json"
)

// The most bytes of a file of rules, and of a file that a rule runs.
const (
	maxFile    = 256 << 10
	maxProgram = 16 << 20
)

// Rules are the rules in the files of one repository.
type Rules struct {
	Files []string // the files of rules and the files that rules run; slash-separated, from the root
	Hash  string   // of the names and bytes of all Files
	Rules []*Rule
	Err   error // why the files are invalid; there are no rules then

	root string
	text map[string][]byte
}

// Rule says how to parse the output of some commands.
type Rule struct {
	Name     string
	Words    []string // the command must have all of them
	Regex    string
	ParseAs  string
	Forms    []parsers.Row
	Lines    []string
	Efm      []string
	Run      []string
	Kind     result.Kind
	Severity result.Severity
	From     string // the file that has the rule

	module bool // Run is a module that node imports
	root   string
	regex  *regexp.Regexp
	lines  []*regexp.Regexp
	efm    *errorformat.Errorformat
	as     *parsers.Parser
}

// Load reads the rules of a repository without using them; nil if it has none.
func Load(root string) *Rules {
	r := &Rules{root: root, text: map[string][]byte{}}
	for _, f := range []struct {
		name string
		read func([]byte) ([]*Rule, error)
	}{{File, readTOML}, {PiFile, readPi}} {
		text, err := r.add(f.name, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var rules []*Rule
		if err == nil {
			rules, err = f.read(text)
		}
		if err != nil {
			r.Err = errors.Join(r.Err, fmt.Errorf("%s: %w", f.name, err))
		}
		for _, rule := range rules {
			rule.From, rule.root = f.name, root
			r.Rules = append(r.Rules, rule)
		}
	}
	if len(r.Files) == 0 {
		return nil
	}
	for _, rule := range r.Rules {
		rule.findModule(root)
		for _, name := range rule.programs(root) {
			if _, err := r.add(name, maxProgram); err != nil {
				r.Err = errors.Join(r.Err, fmt.Errorf("%s: parser %q: reading %s: %w", rule.From, rule.Name, name, err))
			}
		}
	}
	r.Hash = r.hash()
	return r
}

// add reads a file whose bytes need approval.
func (r *Rules) add(name string, most int64) ([]byte, error) {
	if text, known := r.text[name]; known {
		return text, nil
	}
	info, err := os.Stat(filepath.Join(r.root, filepath.FromSlash(name)))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotDir) {
			r.Files = append(r.Files, name)
			return nil, err
		}
		return nil, fs.ErrNotExist
	}
	r.Files = append(r.Files, name)
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("%s is no ordinary file of at most %d bytes", name, most)
	}
	f, err := os.Open(filepath.Join(r.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	r.text[name] = text
	return text, err
}

// Prepare makes the rules usable; if one is wrong, all are refused. It compiles what
// the rules declare, so it is called only for rules that were approved or are about to
// be.
func (r *Rules) Prepare() error {
	for _, rule := range r.Rules {
		if err := rule.prepare(); err != nil {
			r.Err = errors.Join(r.Err, fmt.Errorf("%s: parser %q: %w", rule.From, rule.Name, err))
		}
	}
	if r.Err != nil {
		r.Rules = nil
	}
	return r.Err
}

// findModule uses the TypeScript source if a module does not exist: pi compiles such
// modules itself, and its projects name the compiled file.
func (rule *Rule) findModule(root string) {
	if !rule.module {
		return
	}
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		return err == nil
	}
	name := rule.Run[0]
	if source := strings.TrimSuffix(name, "js") + "ts"; strings.HasSuffix(name, "js") && !there(name) && there(source) {
		rule.Run[0] = source
	}
}

// programs are the files of the repository that a rule would run: the program, and each
// argument that is a file. A directory is refused, since a person could not review
// everything in it.
func (rule *Rule) programs(root string) (names []string) {
	for i, word := range rule.Run {
		path := word
		if filepath.IsAbs(word) {
			rel, err := filepath.Rel(root, word)
			if err != nil {
				continue
			}
			path = rel
		}
		_, err := os.Stat(filepath.Join(root, path))
		inside := filepath.IsLocal(path) && (i > 0 || rule.module || filepath.Base(word) != word)
		if inside && (i == 0 && err != nil || err == nil) {
			names = append(names, filepath.ToSlash(filepath.Clean(path)))
		}
	}
	return names
}

// hash includes names and bytes, each with its length, so that nothing can move from
// one file to another without a new hash.
func (r *Rules) hash() string {
	h := sha256.New()
	for _, name := range r.Files {
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(r.text[name]))
		h.Write(r.text[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Text is the content of a file when the rules were read.
func (r *Rules) Text(name string) []byte { return r.text[name] }

// For is the first rule that matches a command; nil if none matches. The rules must be
// prepared.
func (r *Rules) For(argv []string, line string) *Rule {
	words := wordsOf(argv, line)
	for _, rule := range r.Rules {
		if rule.matches(words) {
			return rule
		}
	}
	return nil
}
