// Package fleets is what cairn and cairn-fleet say to each other.
//
// cairn reads the command line, starts cairn-fleet and writes a Request as JSON to its standard input: an address may
// hold a password, and arguments can be read by every user of a machine. What cairn-fleet prints is for the user; its exit status is that of
// the command. It is a program of its own, so that the libraries of Parquet and PostgreSQL cost no start of cairn.
//
// What may go in: the form of a request, and which directories it may mean. What is done with it is the affair of cairn-fleet.
package fleets

import "cairn/recall/filter"

// Program is the name of the program that does the work.
const Program = "cairn-fleet"

// What may be asked for.
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
	As       string   `json:"as,omitempty"`       // Export, Spans, Load: what the repository is called; "" is by its address
	Format   string   `json:"format,omitempty"`   // Export: of the files; Ask: of the answer

	To      string `json:"to,omitempty"`      // Export: a directory; Spans: the address of a collector; else that of the database
	Version int    `json:"version,omitempty"` // Migrate: of the tables; -1 is the newest

	Question string         `json:"question,omitempty"` // Ask: a question of recall, or a view
	Args     []string       `json:"args,omitempty"`     // Ask: of the question
	Repos    []string       `json:"repos,omitempty"`    // Ask: only these repositories
	Filters  filter.Filters `json:"filters,omitzero"`   // Ask; Spans: since
	Terminal bool           `json:"terminal,omitempty"` // stderr is a terminal: progress is shown there
}
