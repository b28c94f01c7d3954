package manifest

import (
	"cmp"
	"encoding/json"

	"cairn/result"
)

// Stages are the commands of a shell line that have facts of their own, in the order of
// the line; the commands of a loop in the order of their start.
type Stages struct {
	List   []Stage
	Unread bool // the line was not understood, so nothing is known of its commands
}

// Stage is one external command of a shell line, with those facts that are not the
// line's. Facts have the same names and meaning as in a Record.
type Stage struct {
	Says      string          `json:"says,omitempty"`
	Tool      string          `json:"tool,omitempty"` // missing, as is status, if nothing is known of the output
	Status    result.Status   `json:"status,omitempty"`
	Exit      *int            `json:"exit,omitempty"`
	Signal    string          `json:"signal,omitempty"`
	Running   bool            `json:"running,omitempty"` // the line left it running
	Partial   bool            `json:"partial,omitempty"`
	Counts    map[string]int  `json:"counts,omitempty"`
	Argv      []string        `json:"argv"`
	Before    string          `json:"before,omitempty"` // the command that read its output; missing if the line's caller did
	Dir       string          `json:"dir,omitempty"`    // missing if it is the record's
	Key       string          `json:"key,omitempty"`
	Raw       *Raw            `json:"raw,omitempty"` // its output; missing if it is part of the line's
	RawResult json.RawMessage `json:"result,omitempty"`
	ResultOID string          `json:"result_oid,omitempty"`
	More      []string        `json:"more,omitempty"`
}

// unread is the JSON that says that a line was not understood.
const unread = `"unread"`

// MarshalJSON writes a list, or "unread".
func (s *Stages) MarshalJSON() ([]byte, error) {
	if s.Unread {
		return []byte(unread), nil
	}
	return result.Marshal(s.List)
}

// UnmarshalJSON reads what MarshalJSON writes. Any other value means no stages.
func (s *Stages) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, &s.List)
	}
	s.Unread = string(text) == unread
	return nil
}

// Stage is the record of stage n of this record's line, counted from 1, as if that
// command alone had been captured. It is nil if there is no such stage.
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
	of.Dir = cmp.Or(s.Dir, of.Dir)
	return of
}

// OfStage says whether Stage made the record, of one command of a line.
func (r *Record) OfStage() bool { return r.stage }

// StageOf makes a stage of the record of a command that was parsed as a capture of its own.
func StageOf(r *Record) Stage {
	return Stage{
		Says: r.Says, Tool: r.Tool, Status: r.Status, Exit: r.Exit, Signal: r.Signal, Partial: r.Partial, Counts: r.Counts, Argv: r.Argv, Key: r.Key,
		Dir: r.Dir, Raw: r.Raw, RawResult: r.RawResult, ResultOID: r.ResultOID, More: r.More,
	}
}
