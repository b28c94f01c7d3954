// Package fleets is the protocol between cairn and cairn-fleet.
//
// cairn reads the command line, starts cairn-fleet and writes a Request as JSON to its standard input, not to its
// arguments: an address may hold a password, and every user of a machine can read arguments. The output of cairn-fleet
// is for the user; its exit status is that of the command. It is a program of its own, so that the libraries of
// Parquet and PostgreSQL do not slow down the start of cairn.
//
// What may go in: the form of a request, and which directories it may name. cairn-fleet decides how it is carried out.
package fleets

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/recall/filter"
)

// Program is the name of the program that carries out requests.
const Program = "cairn-fleet"

// Values of Request.Do.
const (
	Export  = "export"
	Spans   = "spans"
	Load    = "load"
	Migrate = "migrate"
	Ask     = "ask"
)

// Request is one command.
type Request struct {
	Do       string   `json:"do"`
	Dir      string   `json:"dir"`                // the working directory, absolute
	Clones   []string `json:"clones,omitempty"`   // Export, Spans, Load: directories in a repository
	Discover []string `json:"discover,omitempty"` // Export, Spans, Load: directories with repositories below them, or files with an address a line
	As       string   `json:"as,omitempty"`       // Export, Spans, Load: the name for the repository; "" uses its address
	Format   string   `json:"format,omitempty"`   // Export: of the files; Ask: of the answer

	To      string `json:"to,omitempty"`      // Export: a directory; Spans: a collector's address; else the database's address
	Version int    `json:"version,omitempty"` // Migrate: of the tables; -1 is the newest

	Question string         `json:"question,omitempty"` // Ask: a question of recall, or a view
	Args     []string       `json:"args,omitempty"`     // Ask: arguments of the question
	Repos    []string       `json:"repos,omitempty"`    // Ask: only these repositories
	Filters  filter.Filters `json:"filters,omitzero"`   // Ask; Spans: since
	Terminal bool           `json:"terminal,omitempty"` // stderr is a terminal, so progress is shown
}

// Discover lists the git repositories in a directory and below it, sorted. It does not
// look into repositories, nor into directories whose name begins with a dot.
func Discover(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, ".git")); err == nil {
			found = append(found, path)
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "HEAD")); err == nil && isBare(path) {
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}

func isBare(dir string) bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
