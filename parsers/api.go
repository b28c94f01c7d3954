package parsers

import (
	"fmt"

	"cairn/parsers/internal/reports"
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// Names of the packages below that callers of this package need.
type (
	// Parser declares one tool; see tool.Parser.
	Parser = tool.Parser
	// Format is one shape of a tool's output; see tool.Format.
	Format = tool.Format
	// Report is what a format found; see tool.Report.
	Report = tool.Report
	// Line is a line of an output.
	Line = tool.Line
	// Input is an output with its command; see tool.Input.
	Input = tool.Input
	// Artifact is a file that the run wrote; see tool.Artifact.
	Artifact = tool.Artifact
	// Role is what a written file is for; see tool.Role.
	Role = tool.Role
	// Source replays an output; see tool.Source.
	Source = tool.Source
	// Chunk is a run of bytes of one stream; see tool.Chunk.
	Chunk = tool.Chunk
	// Stream says which of the two outputs bytes came from; see tool.Stream.
	Stream = tool.Stream
	// Bytes is a Source whose bytes are in memory; see tool.Bytes.
	Bytes = tool.Bytes
	// Row is a form of lines and the meaning of such a line; see read.Row.
	Row = read.Row
	// As is the meaning of a line; see read.As.
	As = read.As
	// Written is a file that a command line says will be written.
	Written = reports.Written
	// Place is where a report may be that no command line names.
	Place = reports.Place
)

const (
	Stdout      = tool.Stdout
	Stderr      = tool.Stderr
	RoleReport  = tool.RoleReport
	RoleOutput  = tool.RoleOutput
	RoleErrors  = tool.RoleErrors
	MaxFindings = tool.MaxFindings
)

// Separate is the source of two outputs whose order is unknown.
func Separate(stdout, stderr []byte) Bytes { return tool.Separate(stdout, stderr) }

// SeverityOf is the meaning of a tool's word for a severity; "" for other words.
func SeverityOf(word string) result.Severity { return read.SeverityOf(word) }

// CheckRow returns an error that says what is wrong with a row that a project declares.
func CheckRow(r Row) error {
	if _, err := read.ParseForm(r.Form); err != nil {
		return err
	}
	if !r.As.Known() {
		return fmt.Errorf("form %q: as = %q is not known: write error, warning, info, failure, fill, more, path, count, close, misuse or skip", r.Form, r.As)
	}
	return nil
}

// ParseRows reads an output by a table of rows that CheckRow accepts; lines below a
// finding belong to it as far as they are indented.
func ParseRows(rows []Row, in *Input) *Report {
	return read.Rows{Rows: rows, Below: read.Indented}.Parse(in)
}

// Named is the parser of that tool; nil without one.
func Named(name string) *Parser { return table().Tool(name) }
