package manifest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cairn/result"

	"github.com/oklog/ulid/v2"
)

// Version is the value of "v" in lines written by this package. It changes
// only when a key is removed or given another meaning.
const Version = 1

// The kinds of record. A capture has no "type" key; every other record names
// what it is about in "target" and says why in "reason". A reader keeps and
// passes on kinds that it does not know.
const (
	TypeCapture    = ""
	TypeCorrection = "correction" // a capture's facts or result, stated anew
	TypeEviction   = "eviction"   // an object was collected
	TypePin        = "pin"        // keep an object or a capture
	TypeUnpin      = "unpin"
)

// Record is one line of the manifest: a capture's facts and its bounded
// ToolResult, or a later statement about one. Field order is key order.
//
// A record that was read keeps the bytes of its line and encodes to exactly
// those, so what a newer version wrote survives an older one. To state
// something else, append a new record: Append refuses one that was read.
//
// Texts are UTF-8; a byte that is not becomes U+FFFD.
type Record struct {
	V    int       `json:"v"`
	ID   string    `json:"id"`   // run id, or the record's own id when Type is set
	Time time.Time `json:"time"` // start of the run; UTC, microseconds

	Type   string `json:"type,omitempty"`
	Target string `json:"target,omitempty"` // run id or object id
	Reason string `json:"reason,omitempty"`

	Argv       []string        `json:"argv,omitempty"`  // redacted by the caller
	Shell      string          `json:"shell,omitempty"` // the command line, when one was given; redacted too
	Dir        string          `json:"dir,omitempty"`   // slash path below the repository's root, "." for the root
	Key        string          `json:"key,omitempty"`   // command key
	Exit       *int            `json:"exit,omitempty"`  // nil: no exit was observed
	Signal     string          `json:"signal,omitempty"`
	TimedOut   bool            `json:"timed_out,omitempty"`
	Partial    bool            `json:"partial,omitempty"` // the capture was cut short
	DurationMS int64           `json:"duration_ms,omitempty"`
	Git        *Git            `json:"git,omitempty"`
	By         *By             `json:"by,omitempty"`
	Raw        *Raw            `json:"raw,omitempty"`
	Artifacts  []Artifact      `json:"artifacts,omitempty"`
	RawResult  json.RawMessage `json:"result,omitempty"`     // a ToolResult, decoded by Result
	ResultOID  string          `json:"result_oid,omitempty"` // the full ToolResult, when RawResult is bounded
	More       []string        `json:"more,omitempty"`       // fingerprints of findings that only the full ToolResult has
	Redacted   []Redaction     `json:"redacted,omitempty"`

	line      []byte // as read, without its newline; nil for a new record
	elsewhere bool   // read from a branch, and not from a shard of this clone

	decoded *result.ToolResult // for the first call of Result, where reading has decoded it
}

// Elsewhere says that another clone made the record: what it names is there.
func (r *Record) Elsewhere() bool { return r.elsewhere }

// Git is the state of the repository when the run began.
type Git struct {
	Commit string `json:"commit,omitempty"`
	Tree   string `json:"tree,omitempty"`
	Branch string `json:"branch,omitempty"`
	Dirty  *bool  `json:"dirty,omitempty"` // nil: not known
}

// By says who ran the command.
type By struct {
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
}

// Raw names the objects that hold the bytes of a run.
type Raw struct {
	OID   string `json:"oid"`
	Size  int64  `json:"size"`
	Lines int64  `json:"lines"`
	Order string `json:"order,omitempty"` // object id of the stream order
}

// Artifact is a file that the run wrote and that was kept.
type Artifact struct {
	Path string `json:"path"`
	OID  string `json:"oid"`
	Size int64  `json:"size,omitempty"`
	Role string `json:"role,omitempty"`
}

// Redaction says how often a rule fired on what this record holds.
type Redaction struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

// NewID makes a run id: a ulid of t, so ids sort as runs began.
func NewID(t time.Time) (string, error) {
	id, err := ulid.New(ulid.Timestamp(t), rand.Reader)
	if err != nil {
		return "", fmt.Errorf("making a run id for %s: %w", t.UTC().Format(time.RFC3339), err)
	}
	return id.String(), nil
}

// SetResult stores tr as the record's bounded ToolResult.
func (r *Record) SetResult(tr *result.ToolResult) error {
	b, err := marshal(tr)
	if err != nil {
		return fmt.Errorf("encoding the result of run %s: %w", r.ID, err)
	}
	r.RawResult = b
	return nil
}

// Result decodes the bounded ToolResult; nil when the record has none. Each
// call gives one of its own, which may be changed.
func (r *Record) Result() (*result.ToolResult, error) {
	if tr := r.decoded; tr != nil {
		r.decoded = nil
		return tr, nil
	}
	if len(r.RawResult) == 0 {
		return nil, nil
	}
	tr := new(result.ToolResult)
	if err := json.Unmarshal(r.RawResult, tr); err != nil {
		return nil, fmt.Errorf("decoding the result of run %s: %w", r.ID, err)
	}
	return tr, checkSchema(tr)
}

// TimeLayout is how a record writes its time. It has a fixed width, so that
// the text of two times compares as the times do.
const TimeLayout = "2006-01-02T15:04:05.000000Z"

// stamp is a time in the form of a line.
type stamp struct{ time.Time }

func (s stamp) MarshalJSON() ([]byte, error) {
	return s.UTC().AppendFormat(nil, `"`+TimeLayout+`"`), nil
}

// plain is Record without its methods. Embedded beside a Time of type stamp
// it encodes in the order of Record's fields.
type plain Record

type wire struct {
	V    int    `json:"v"`
	ID   string `json:"id"`
	Time stamp  `json:"time"`
	*plain
}

// Encode returns the record's line, without a newline: for a record that was
// read, the bytes it was read from.
func (r *Record) Encode() ([]byte, error) {
	if r.line != nil {
		return bytes.Clone(r.line), nil
	}
	b, err := marshal(wire{V: r.V, ID: r.ID, Time: stamp{r.Time}, plain: (*plain)(r)})
	if err != nil {
		return nil, fmt.Errorf("encoding record %s: %w", r.ID, err)
	}
	return b, nil
}

// MarshalJSON is Encode. encoding/json may re-escape what it returns; use
// Encode where bytes matter.
func (r *Record) MarshalJSON() ([]byte, error) { return r.Encode() }

// Decode reads one line, without its newline. The record keeps line.
func Decode(line []byte) (*Record, error) {
	line = bytes.TrimRight(line, "\r")
	r := new(Record)
	w := wire{plain: (*plain)(r)}
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, fmt.Errorf("not a record: %w", err)
	}
	if w.ID == "" || w.Time.IsZero() {
		return nil, errors.New("not a record: no id or no time")
	}
	r.V, r.ID, r.Time, r.line = w.V, w.ID, w.Time.UTC(), line
	if id, at, ok := header(line); ok && (string(id) != r.ID || string(at) != r.Time.Format(TimeLayout)) {
		return nil, errors.New("not a record: it says its id or its time twice, and differently")
	}
	return r, nil
}

// marshal is json.Marshal without HTML escaping.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}
