// Package remotes is the protocol between cairn and cairn-remote, and the settings of
// remotes.
//
// cairn reads the command line and starts cairn-remote with one argument: a Request as
// JSON. The output of cairn-remote is for the user; its exit status is that of the
// command. It is a program of its own, so that the clients of object stores and
// registries do not slow down the start of cairn.
//
// The settings of a remote are in the git configuration of the clone:
//
//	cairn.remote               the name of a remote; several
//	cairn-remote.NAME.url      its address
//	cairn-remote.NAME.clear    true: objects are pushed unencrypted
//	cairn-remote.NAME.recipient  a public key that may read pushed objects; several
//	cairn-remote.NAME.keep     failed: only outputs of runs that did not succeed
//	cairn-remote.NAME.tool     only outputs of this tool; several
//	cairn-remote.NAME.maxsize  only objects of at most this many bytes
//	cairn-remote.NAME.maxage   only runs that are not older, as 720h
//	cairn.identity             a file with a secret key that reads pushed objects; several
//
// What may go in: the form of both. cairn-remote knows what a remote is.
package remotes

import (
	"encoding/json"
	"regexp"
	"time"
)

// Program is the name of the program that carries out requests.
const Program = "cairn-remote"

// Values of Request.Do.
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
	Name string `json:"name,omitempty"` // of the remote; "" if there is only one
	JSON bool   `json:"json,omitempty"` // the answer as JSON Lines

	Settings               // Add
	IDs      []string      `json:"ids,omitempty"`   // Fetch, Push, Pull: objects; empty for all that the record names
	Lists    bool          `json:"lists,omitempty"` // Push, Pull: of the named objects only lists of tests and whole results
	Again    bool          `json:"again,omitempty"` // Push: also objects that the remote has
	DryRun   bool          `json:"dry_run,omitempty"`
	Grace    time.Duration `json:"grace,omitempty"`
	Terminal bool          `json:"terminal,omitempty"` // stderr is a terminal, so progress is shown
}

// Settings are the settings of one remote.
type Settings struct {
	URL        string        `json:"url,omitempty"`
	Clear      bool          `json:"clear,omitempty"`
	Recipients []string      `json:"recipients,omitempty"`
	Failed     bool          `json:"failed,omitempty"`
	Tools      []string      `json:"tools,omitempty"`
	MaxSize    int64         `json:"max_size,omitempty"` // bytes; 0 is no limit
	MaxAge     time.Duration `json:"max_age,omitempty"`  // 0 is no limit
}

// Names is the key that lists the remotes.
const Names = "cairn.remote"

// Identity is the key that names files with secret keys.
const Identity = "cairn.identity"

// Key is the key of one setting of a remote.
func Key(name, setting string) string { return "cairn-remote." + name + "." + setting }

// IsName says whether a name is valid for a remote.
func IsName(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`).MatchString(name)
}

// Argument is the request as cairn-remote's argument.
func (r Request) Argument() (string, error) {
	text, err := json.Marshal(r)
	return string(text), err
}

// Parse reads a request from an argument.
func Parse(argument string) (r Request, err error) {
	err = json.Unmarshal([]byte(argument), &r)
	return r, err
}
