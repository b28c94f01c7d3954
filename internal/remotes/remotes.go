// Package remotes is what cairn and cairn-remote say to each other, and where the
// settings of remotes are.
//
// cairn reads the command line and starts cairn-remote with one argument: a Request as
// JSON. What cairn-remote prints is for the user; its exit status is that of the command.
// It is a program of its own, so that the clients of object stores and registries cost
// no start of cairn.
//
// The settings of a remote lie in the git configuration of the clone:
//
//	cairn.remote               the name of a remote; several
//	cairn-remote.NAME.url      where it is
//	cairn-remote.NAME.clear    true: what is pushed is not encrypted
//	cairn-remote.NAME.recipient  a public key that may read what is pushed; several
//	cairn-remote.NAME.keep     failed: only outputs of runs that did not succeed
//	cairn-remote.NAME.tool     only outputs of this tool; several
//	cairn-remote.NAME.maxsize  only objects of up to so many bytes
//	cairn-remote.NAME.maxage   only runs that are not older, as 720h
//	cairn.identity             a file with a secret key that reads what was pushed; several
//
// What may go in: the form of both. What a remote is, is the affair of cairn-remote.
package remotes

import (
	"encoding/json"
	"regexp"
	"time"
)

// Program is the name of the program that does the work.
const Program = "cairn-remote"

// What may be asked for.
const (
	Add    = "add"
	List   = "list"
	Remove = "remove"
	Push   = "push"
	Pull   = "pull"
	Show   = "ls"
	Fetch  = "fetch"
	GC     = "gc"
)

// Request is one command.
type Request struct {
	Do   string `json:"do"`
	Dir  string `json:"dir"`            // the working directory, absolute
	Name string `json:"name,omitempty"` // of the remote; "" is the only one there is
	JSON bool   `json:"json,omitempty"` // the answer as JSON Lines

	Settings               // Add
	IDs      []string      `json:"ids,omitempty"`   // Fetch, Push, Pull: objects, or nothing for all that the record names
	Lists    bool          `json:"lists,omitempty"` // Push, Pull: of what the record names only lists of tests and whole results
	Again    bool          `json:"again,omitempty"` // Push: also what is there
	DryRun   bool          `json:"dry_run,omitempty"`
	Grace    time.Duration `json:"grace,omitempty"`
	Terminal bool          `json:"terminal,omitempty"` // stderr is a terminal: progress is shown there
}

// Settings are those of one remote.
type Settings struct {
	URL        string        `json:"url,omitempty"`
	Clear      bool          `json:"clear,omitempty"`
	Recipients []string      `json:"recipients,omitempty"`
	Failed     bool          `json:"failed,omitempty"`
	Tools      []string      `json:"tools,omitempty"`
	MaxSize    int64         `json:"max_size,omitempty"` // bytes; 0 is no bound
	MaxAge     time.Duration `json:"max_age,omitempty"`  // 0 is no bound
}

// Names is the key that lists the remotes.
const Names = "cairn.remote"

// Identity is the key that names files with secret keys.
const Identity = "cairn.identity"

// Key is the key of one setting of a remote.
func Key(name, setting string) string { return "cairn-remote." + name + "." + setting }

// IsName says whether a remote may be called so.
func IsName(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`).MatchString(name)
}

// Argument is the argument of the program.
func (r Request) Argument() (string, error) {
	text, err := json.Marshal(r)
	return string(text), err
}

// Parse reads such an argument.
func Parse(argument string) (r Request, err error) {
	err = json.Unmarshal([]byte(argument), &r)
	return r, err
}
