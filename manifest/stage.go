package manifest

import (
	"encoding/json"

	"cairn/result"
)

// Stages are the commands of a shell line of which something of its own is known, in the order
// in which they stand in it; those of a loop in the order in which they were started.
type Stages struct {
	List   []Stage
	Unread bool // the line was not understood, so nothing is known of its commands
}

// Stage is one external command of a shell line: what of it is its own, and not the line's.
// The facts have the names and the meaning that they have in a Record.
type Stage struct {
	Says      string          `json:"says,omitempty"`
	Tool      string          `json:"tool,omitempty"` // missing, as status is, where nothing is said of the output
	Status    result.Status   `json:"status,omitempty"`
	Exit      *int            `json:"exit,omitempty"`
	Signal    string          `json:"signal,omitempty"`
	Running   bool            `json:"running,omitempty"` // the line left it running
	Partial   bool            `json:"partial,omitempty"`
	Counts    map[string]int  `json:"counts,omitempty"`
	Argv      []string        `json:"argv"`
	Before    string          `json:"before,omitempty"` // the command that read its output; missing where the line's caller did
	Dir       string          `json:"dir,omitempty"`    // missing where it is the record's
	Key       string          `json:"key,omitempty"`
	Raw       *Raw            `json:"raw,omitempty"` // its output; missing where that is part of the line's
	RawResult json.RawMessage `json:"result,omitempty"`
	ResultOID string          `json:"result_oid,omitempty"`
	More      []string        `json:"more,omitempty"`
}

// unread is how a line says that it was not understood.
const unread = `"unread"`

// MarshalJSON writes a list, or "unread".
func (s *Stages) MarshalJSON() ([]byte, error) {
	if s.Unread {
		return []byte(unread), nil
	}
	return marshal(s.List)
}

// UnmarshalJSON reads what MarshalJSON writes. What it does not know is no stage.
func (s *Stages) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, &s.List)
	}
	s.Unread = string(text) == unread
	return nil
}

// Stage is the record of a stage of this record's line, the first of which is 1: as if that command
// alone had been captured. It is nil without one.
func (r *Record) Stage(n int) *Record {
	if r.Stages == nil || n < 1 || n > len(r.Stages.List) {
		return nil
	}
	s := r.Stages.List[n-1]
	of := &Record{
		V: r.V, ID: r.ID, Time: r.Time, Git: r.Git, By: r.By, Dir: r.Dir, elsewhere: r.elsewhere, stage: true,
		Says: s.Says, Tool: s.Tool, Status: s.Status, Exit: s.Exit, Signal: s.Signal, Partial: s.Partial, Counts: s.Counts, Argv: s.Argv, Key: s.Key,
		Raw: s.Raw, RawResult: s.RawResult, ResultOID: s.ResultOID, More: s.More,
	}
	if s.Dir != "" {
		of.Dir = s.Dir
	}
	return of
}

// OfStage says that a record was made by Stage: it is of one command of a line.
func (r *Record) OfStage() bool { return r.stage }

// StageOf is a stage of what was recorded of it as if it were a capture.
func StageOf(r *Record) Stage {
	return Stage{
		Says: r.Says, Tool: r.Tool, Status: r.Status, Exit: r.Exit, Signal: r.Signal, Partial: r.Partial, Counts: r.Counts, Argv: r.Argv, Key: r.Key,
		Dir: r.Dir, Raw: r.Raw, RawResult: r.RawResult, ResultOID: r.ResultOID, More: r.More,
	}
}
