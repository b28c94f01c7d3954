package prove

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"cairn/recall/filter"
)

// ChecksFile is the file in which a repository declares its checks, relative to its root.
const ChecksFile = ".cairn/checks.toml"

// FreshCommit is the value of Check.Fresh that requires a run of the commit itself: a run of another commit with an
// equal tree does not prove the check.
const FreshCommit = "commit"

// Check is a command that a repository requires to pass.
type Check struct {
	Name    string   `toml:"name" json:"name"`
	Command string   `toml:"command" json:"command"`
	Dir     string   `toml:"dir" json:"dir,omitempty"`       // where to run it, below the root; "" is the root
	Paths   []string `toml:"paths" json:"paths,omitempty"`   // the files that it depends on; none: all
	Config  []string `toml:"config" json:"config,omitempty"` // files that configure it, beside those that its tool is known to read
	Fresh   string   `toml:"fresh" json:"fresh,omitempty"`
	// ExitIsEnough accepts exit status 0 as proof if cairn cannot parse the output.
	ExitIsEnough bool `toml:"exit_is_enough" json:"exit_is_enough,omitempty"`
}

// maxChecks bounds how many checks a file declares, and maxChecksFile its bytes.
const (
	maxChecks     = 200
	maxChecksFile = 1 << 20
)

// checkName matches valid names of checks.
var checkName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)
})

// ReadChecks reads a checks file. An error names the line and key, and then no checks are returned.
func ReadChecks(text []byte) ([]Check, error) {
	if len(text) > maxChecksFile {
		return nil, fmt.Errorf("%s has more than %d bytes", ChecksFile, maxChecksFile)
	}
	var file struct {
		Check []Check `toml:"check"`
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, wrongChecks(err)
	}
	if len(file.Check) > maxChecks {
		return nil, fmt.Errorf("%s declares more than %d checks", ChecksFile, maxChecks)
	}
	for i, c := range file.Check {
		key, err := c.wrong()
		if err == nil && slices.ContainsFunc(file.Check[:i], func(o Check) bool { return o.Name == c.Name }) {
			key, err = "name", fmt.Errorf("another check is called %q, too", c.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: key %s of check %d: %w", ChecksFile, lineOf(text, i, key), key, i+1, err)
		}
	}
	return file.Check, nil
}

// wrongChecks says where a file is invalid TOML, or has an unknown key.
func wrongChecks(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Errorf("%s, line %d: there is no key %s", ChecksFile, line, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if wrong := new(toml.DecodeError); errors.As(err, &wrong) {
		line, column := wrong.Position()
		key := ""
		if len(wrong.Key()) > 0 {
			key = " (key " + strings.Join(wrong.Key(), ".") + ")"
		}
		return fmt.Errorf("%s, line %d, column %d%s: %w", ChecksFile, line, column, key, err)
	}
	return fmt.Errorf("%s: %w", ChecksFile, err)
}

// wrong returns the first invalid key of a check, and why.
func (c Check) wrong() (key string, err error) {
	dir := path.Clean("/" + c.Dir)[1:]
	switch {
	case !checkName().MatchString(c.Name):
		return "name", errors.New("a name is 1 to 64 letters, digits, dots, dashes, underscores and slashes")
	case strings.TrimSpace(c.Command) == "" || strings.ContainsAny(c.Command, "\n\x00"):
		return "command", errors.New("a command is one line")
	case c.Dir != "" && c.Dir != "." && dir != c.Dir:
		return "dir", fmt.Errorf("%q is not a folder below the root, as in \"web/app\"", c.Dir)
	case c.Fresh != "" && c.Fresh != FreshCommit:
		return "fresh", fmt.Errorf("%q is none: write %q, or leave it out", c.Fresh, FreshCommit)
	}
	if _, err := filter.Paths(c.Paths); err != nil {
		return "paths", err
	}
	if _, err := filter.Paths(c.Config); err != nil {
		return "config", err
	}
	return "", nil
}

// checkHead is the line at which a check begins.
var checkHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\[\[\s*check\s*\]\]`) })

// lineOf is the line of a key of the check with this number, found by the form of lines, or the check's first line if
// it does not have the key.
func lineOf(text []byte, check int, key string) int {
	at, n, line := -1, 0, 1
	for l := range strings.Lines(string(text)) {
		n++
		name, _, isKey := strings.Cut(l, "=")
		switch {
		case checkHead().MatchString(l):
			if at++; at == check {
				line = n
			}
		case at == check && isKey && strings.Trim(name, " \t\"'") == key:
			return n
		}
	}
	return line
}
