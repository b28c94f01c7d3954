package own

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/reviewdog/errorformat"

	"cairn/internal/guard"
	"cairn/parsers"
	"cairn/result"
)

// readTOML reads .cairn/parsers.toml.
func readTOML(text []byte) (rules []*Rule, err error) {
	var file struct {
		Parser []struct {
			Name  string
			Match struct {
				Argv  []string
				Regex string
			}
			ParseAs     string `toml:"parse_as"`
			Forms       []struct{ Form, As string }
			Lines       []string
			Errorformat []string
			Run         []string
			Kind        result.Kind
			Severity    string
		}
	}
	dec := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return nil, wrongTOML(err)
	}
	for _, p := range file.Parser {
		rule := &Rule{
			Name: p.Name, Words: p.Match.Argv, Regex: p.Match.Regex, ParseAs: p.ParseAs,
			Lines: p.Lines, Efm: p.Errorformat, Run: p.Run, Kind: p.Kind, Severity: severityOf(p.Severity),
		}
		if p.Severity != "" && rule.Severity == "" {
			return nil, fmt.Errorf("parser %q: severity %q is none: write error, warning or info", p.Name, p.Severity)
		}
		for _, f := range p.Forms {
			rule.Forms = append(rule.Forms, parsers.Row{Form: f.Form, As: parsers.As(f.As)})
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// wrongTOML makes a readable error: where a file is wrong, or which key is unknown.
func wrongTOML(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		return fmt.Errorf("there is no key %s", strings.Join(unknown.Errors[0].Key(), "."))
	}
	if wrong := new(toml.DecodeError); errors.As(err, &wrong) {
		line, column := wrong.Position()
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

// readPi reads .pi/structured-return.json.
func readPi(text []byte) (rules []*Rule, err error) {
	var file struct {
		Parsers []struct {
			ID    string
			Match struct {
				ArgvIncludes []string
				Regex        string
			}
			ParseAs, Module string
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	for _, p := range file.Parsers {
		rule := &Rule{Name: p.ID, Words: p.Match.ArgvIncludes, Regex: p.Match.Regex, ParseAs: p.ParseAs}
		if len(rule.Words) == 0 && rule.Regex == "" {
			continue // a rule without these never matches
		}
		if rule.ParseAs == "" && p.Module != "" {
			module := path.Join(".pi", filepath.ToSlash(p.Module))
			if !filepath.IsLocal(module) {
				return nil, fmt.Errorf("parser %q: module %s lies outside of the repository", p.ID, p.Module)
			}
			rule.Run, rule.module = []string{module}, true
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// nameForm is the form of a rule's name, which is shown as a tool.
var nameForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
})

// prepare checks a rule and compiles what it declares.
func (r *Rule) prepare() error {
	ways := 0
	for _, given := range []bool{r.ParseAs != "", len(r.Forms)+len(r.Lines)+len(r.Efm) > 0, len(r.Run) > 0} {
		if given {
			ways++
		}
	}
	switch {
	case !nameForm().MatchString(r.Name):
		return errors.New("a name is 1 to 64 letters, digits, dots, dashes and underscores")
	case ways != 1 || min(len(r.Lines), 1)+min(len(r.Efm), 1)+min(len(r.Forms), 1) > 1:
		return errors.New("say one of parse_as, forms, lines, errorformat and run")
	case len(r.Words) == 0 && r.Regex == "":
		return errors.New("say which commands it is for: match.argv, match.regex or both")
	case r.ParseAs == "" && parsers.Named(r.Name) != nil:
		return errors.New("cairn has a parser of that name: choose another, or say parse_as")
	}
	r.Kind = cmp.Or(r.Kind, result.Lint)
	r.Severity = cmp.Or(r.Severity, result.SevError)
	return r.compile()
}

func (r *Rule) compile() (err error) {
	if r.Regex != "" {
		if r.regex, err = regexp.Compile(r.Regex); err != nil {
			return fmt.Errorf("match.regex: %w", err)
		}
	}
	if r.ParseAs != "" {
		if r.as = builtin(r.ParseAs); r.as == nil {
			return fmt.Errorf("parse_as: cairn has no parser %q; see: cairn parsers", r.ParseAs)
		}
		return nil
	}
	for i := range r.Forms {
		if err := parsers.CheckRow(r.Forms[i]); err != nil {
			return err
		}
		if r.Forms[i].As == "" {
			r.Forms[i].As = parsers.As(r.Severity)
		}
	}
	for _, l := range r.Lines {
		form, err := regexp.Compile(l)
		if err != nil {
			return fmt.Errorf("lines: %w", err)
		}
		if err := checkGroups(form); err != nil {
			return err
		}
		r.lines = append(r.lines, form)
	}
	return r.compileEfm()
}

func (r *Rule) compileEfm() (err error) {
	for _, pattern := range r.Efm {
		if flag := strings.TrimLeft(strings.TrimPrefix(pattern, "%"), "+-"); strings.HasPrefix(pattern, "%") && flag != "" && strings.ContainsAny(flag[:1], "OPQ") {
			return fmt.Errorf("errorformat %q depends on which files exist: leave out %%O, %%P and %%Q", pattern)
		}
	}
	if len(r.Efm) == 0 {
		return nil
	}
	// The last pattern ignores all other lines, so that they are not kept in memory.
	// The library panics for some patterns.
	if broken := guard.Do("the errorformat", func() { r.efm, err = errorformat.NewErrorformat(append(slices.Clone(r.Efm), "%-G%.%#")) }); broken != nil {
		return fmt.Errorf("errorformat %q cannot be read: %w", r.Efm, broken)
	}
	if err != nil {
		return fmt.Errorf("errorformat: %w", err)
	}
	return nil
}

var groups = []string{"path", "line", "column", "end_line", "severity", "rule", "id", "message"}

func checkGroups(form *regexp.Regexp) error {
	for _, name := range form.SubexpNames() {
		if name != "" && !slices.Contains(groups, name) {
			return fmt.Errorf("lines: there is no group %q: they are %s", name, strings.Join(groups, ", "))
		}
	}
	if !slices.Contains(form.SubexpNames(), "message") {
		return fmt.Errorf("lines: %q has no group (?P<message>…)", form)
	}
	return nil
}

// builtin is the parser of a tool, also under the names that other programs give to a
// tool's machine format: "eslint-json" is eslint's.
func builtin(name string) *parsers.Parser {
	if p := parsers.Named(name); p != nil {
		return p
	}
	for _, end := range []string{"-json", "-xml", "-text", "-junit"} {
		if base, ok := strings.CutSuffix(name, end); ok {
			return parsers.Named(base)
		}
	}
	return nil
}

// wordsOf are the words of a command; a shell line is split at blanks.
func wordsOf(argv []string, line string) []string {
	if len(argv) > 0 {
		return argv
	}
	return strings.Fields(line)
}

// matches says whether the words include all words of the rule (the program's also
// without its directory), and its expression matches.
func (r *Rule) matches(words []string) bool {
	for _, want := range r.Words {
		if !slices.Contains(words, want) && (len(words) == 0 || filepath.Base(words[0]) != want) {
			return false
		}
	}
	return r.regex == nil || r.regex.MatchString(strings.Join(words, " "))
}

func severityOf(word string) result.Severity {
	switch strings.ToLower(word) {
	case "e":
		return result.SevError
	case "w":
		return result.SevWarning
	case "i", "n":
		return result.SevInfo
	case "f", "fail", "failed":
		return result.SevError
	}
	return parsers.SeverityOf(word)
}
