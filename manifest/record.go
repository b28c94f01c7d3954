package manifest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/result"
)

// Version is the value of "v" in lines written by this package. It changes only when a
// key is removed or gets another meaning. Lines of version 1, which hold everything in
// full, and of version 2, which hold tool, status and counts only in the sentence of
// "says", will always be read.
const Version = 3

// The kinds of record. A capture has no "type" key; every other record names
// what it is about in "target" and says why in "reason". A reader keeps and
// passes on kinds that it does not know.
const (
	TypeCapture    = ""
	TypeCorrection = "correction" // a capture's facts or result, corrected
	TypeEviction   = "eviction"   // an object was collected
	TypePin        = "pin"        // keep an object or a capture
	TypeUnpin      = "unpin"
	TypeTimeline   = "timeline" // what a subagent did; target and raw name its document

	TypeAttestation = "attestation" // target is a run, and the envelope a signed statement about it
)

// Record is one line of the manifest: a capture's facts and its bounded ToolResult, or
// a later statement about a capture or object. Fields are in key order.
//
// A record that was read keeps the bytes of its line and encodes to exactly those, so
// that an older version does not lose what a newer one wrote. To change something,
// append a new record: Append refuses one that was read.
//
// Texts are UTF-8; an invalid byte becomes U+FFFD.
type Record struct {
	V    int       `json:"v"`
	ID   string    `json:"id"`             // run id, or the record's own id when Type is set
	Time time.Time `json:"time"`           // start of the run; UTC, microseconds
	Says string    `json:"says,omitempty"` // the verdict in one line, for people; set by SetResult

	Type   string `json:"type,omitempty"`
	Target string `json:"target,omitempty"` // run id or object id
	Reason string `json:"reason,omitempty"`

	Tool        string         `json:"tool,omitempty"`   // set by SetResult, as status and counts are
	Status      result.Status  `json:"status,omitempty"` // never passed or ok unless Exit is 0
	Exit        *int           `json:"exit,omitempty"`   // nil: no exit was observed
	Signal      string         `json:"signal,omitempty"`
	TimedOut    bool           `json:"timed_out,omitempty"`
	TimeoutMS   int64          `json:"timeout_ms,omitempty"`  // the time limit that the command exceeded
	Interrupted string         `json:"interrupted,omitempty"` // the signal that the user sent
	Forced      bool           `json:"forced,omitempty"`      // a second signal from the user ended it
	Partial     bool           `json:"partial,omitempty"`     // the capture was cut short
	Counts      map[string]int `json:"counts,omitempty"`

	Argv       []string         `json:"argv,omitempty"`     // redacted by the caller
	Shell      string           `json:"shell,omitempty"`    // the command line, if it was given as one; redacted too
	ShellIs    string           `json:"shell_is,omitempty"` // the name of the shell that ran it, if not sh
	Dir        string           `json:"dir,omitempty"`      // slash path below the repository's root, "." for the root
	Key        string           `json:"key,omitempty"`      // command key
	ParseAs    string           `json:"parse_as,omitempty"` // the tool that the user named
	Parser     int              `json:"parser,omitempty"`   // parser version; set by SetResult, unless only counts are kept
	Env        string           `json:"env,omitempty"`      // see result.EnvironmentKey
	DurationMS int64            `json:"duration_ms,omitempty"`
	Stages     *Stages          `json:"stages,omitempty"`   // only of a shell line
	Outcomes   *result.Outcomes `json:"outcomes,omitempty"` // of all tests; set by SetResult; counts only if other than the record's
	Git        *Git             `json:"git,omitempty"`
	By         *By              `json:"by,omitempty"`
	From       string           `json:"from,omitempty"` // the kind of file it was imported from: cairn did not see the run
	Raw        *Raw             `json:"raw,omitempty"`
	Artifacts  []Artifact       `json:"artifacts,omitempty"`
	RawResult  json.RawMessage  `json:"result,omitempty"`     // set by SetResult, decoded by Result
	ResultOID  string           `json:"result_oid,omitempty"` // the full ToolResult, if RawResult was cut
	More       []string         `json:"more,omitempty"`       // fingerprints of the findings that only the full ToolResult has
	Redacted   []Redaction      `json:"redacted,omitempty"`
	Envelope   json.RawMessage  `json:"envelope,omitempty"` // only of an attestation: see package attest

	line      []byte // as read, without its newline; nil for a new record
	elsewhere bool   // read from a branch, not from a shard of this clone
	stage     bool   // made by Stage, of one command of a line

	decoded *result.ToolResult // returned by the first call of Result, if the reader has decoded it
}

// Elsewhere says that another clone made the record, so that the objects which it names
// are in that clone.
func (r *Record) Elsewhere() bool { return r.elsewhere }

// Git is the state of the repository when the run began.
type Git struct {
	Commit string `json:"commit,omitempty"`
	Tree   string `json:"tree,omitempty"` // in lines of version 2: the beginning of a clean commit's tree (see ShortTree)
	// Worktree is the tree that a commit of everything not ignored would have had.
	Worktree        string `json:"worktree,omitempty"`
	WorktreeMoved   bool   `json:"worktree_moved,omitempty"`   // files changed while it was read, so Worktree is not known
	WorktreeUnknown string `json:"worktree_unknown,omitempty"` // another reason why Worktree is not known: WorktreeLate …
	Branch          string `json:"branch,omitempty"`
	Dirty           *bool  `json:"dirty,omitempty"` // tracked files were changed; nil: not known

	Unknown bool `json:"dirty_unknown,omitempty"` // how a line says that Dirty is unknown
}

// Why Git.Worktree is not known.
const (
	WorktreeLate    = "late"    // the command ended before the tree was read
	WorktreeLarge   = "large"   // too much is changed or untracked
	WorktreeRefused = "refused" // git could not add everything, say for want of permission
)

// By says who ran the command.
type By struct {
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Parent  string `json:"parent,omitempty"` // the session that started this one
}

// Raw names the objects that hold the bytes of a run.
type Raw struct {
	OID   string `json:"oid"`
	Size  int64  `json:"size"`
	Lines int64  `json:"lines,omitempty"` // missing if the run went well
	Order string `json:"order,omitempty"` // the stream order itself, or the id of its object; see StreamOrder
}

// StreamOrder is the order in which the streams were read, or the id of the object that
// holds it. If the record has none, all of the output came on stdout at once.
func (r *Raw) StreamOrder() string {
	if r.Order == "" && r.Size > 0 {
		return "1 0 0"
	}
	return r.Order
}

// Artifact is a file that the run wrote and that was kept.
type Artifact struct {
	Path string `json:"path"`
	OID  string `json:"oid"`
	Size int64  `json:"size,omitempty"`
	Role string `json:"role,omitempty"`
}

// Redaction counts how often a rule removed something from this record.
type Redaction struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

// NewID makes a run id: a ulid of t, so that ids sort by the start of the runs.
func NewID(t time.Time) (string, error) {
	id, err := ulid.New(ulid.Timestamp(t), rand.Reader)
	if err != nil {
		return "", fmt.Errorf("making a run id for %s: %w", t.UTC().Format(time.RFC3339), err)
	}
	return id.String(), nil
}

// SetResult stores tr in the record, without the parts that parsing the raw object
// again restores. The facts of the run must already be in the record, since what they
// imply is left out.
func (r *Record) SetResult(tr *result.ToolResult) error {
	r.V, r.Tool, r.Status, r.Counts = Version, tr.Tool, honestStatus(r, tr.Status), tr.Counts
	if r.Says = verdict(r, tr); good(r.Status) && r.Says == r.plainVerdict() {
		r.Says = "" // the other keys imply the same text
	}
	r.Outcomes = leanOutcomes(r, tr.Outcomes)
	r.Parser = 0
	if p := tr.Parser; p != nil && p.Name == tr.Tool && (!good(r.Status) || len(tr.Findings) > 0 || r.Outcomes != nil) {
		r.Parser = p.Version
	}
	l := r.lean(tr)
	if r.RawResult = nil; l.isEmpty() {
		return nil
	}
	b, err := result.Marshal(l)
	if err != nil {
		return fmt.Errorf("encoding the result of run %s: %w", r.ID, err)
	}
	r.RawResult = b
	return nil
}

// Result decodes the bounded ToolResult; nil if the record has none. Each call returns
// its own copy, which may be changed.
func (r *Record) Result() (*result.ToolResult, error) {
	if tr := r.decoded; tr != nil {
		r.decoded = nil
		return tr, nil
	}
	if r.V < 2 {
		return r.resultInFull()
	}
	if r.Status == "" && len(r.RawResult) == 0 {
		return nil, nil
	}
	l := new(leanResult)
	if len(r.RawResult) > 0 {
		if err := json.Unmarshal(r.RawResult, l); err != nil {
			return nil, fmt.Errorf("decoding the result of run %s: %w", r.ID, err)
		}
	}
	tr := r.full(l)
	return tr, checkSchema(tr)
}

// resultInFull reads the result of a line of version 1.
func (r *Record) resultInFull() (*result.ToolResult, error) {
	if len(r.RawResult) == 0 {
		return nil, nil
	}
	tr := new(result.ToolResult)
	if err := json.Unmarshal(r.RawResult, tr); err != nil {
		return nil, fmt.Errorf("decoding the result of run %s: %w", r.ID, err)
	}
	return tr, checkSchema(tr)
}

// TimeLayout is the form of a record's time. It has a fixed width, so that two times
// compare as their texts do.
const TimeLayout = "2006-01-02T15:04:05.000000Z"

// stamp is a time that is encoded in TimeLayout.
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

// treeDigits is how many digits of a tree's id a line of version 2 holds: enough to see
// that two runs had the same files.
const treeDigits = 12

// ShortTree is the beginning of a git tree's id, as long as in Git.Tree of a record
// that was read.
func ShortTree(tree string) string { return tree[:min(len(tree), treeDigits)] }

// fold removes from a record the values that the rest of its line implies.
func (r plain) fold() *plain {
	if r.V < 3 || r.Type != TypeCapture {
		return &r
	}
	if r.Dir == "." {
		r.Dir = ""
	}
	if r.Raw != nil && good(r.Status) {
		raw := *r.Raw
		raw.Lines = 0
		r.Raw = &raw
	}
	if r.Git != nil {
		git := *r.Git
		git.Tree, git.Unknown = "", git.Dirty == nil
		if git.Dirty != nil && !*git.Dirty {
			git.Dirty = nil
		}
		r.Git = &git
	}
	return &r
}

// unfold restores the values that fold removed.
func (r *Record) unfold() {
	if r.Git != nil {
		r.Git.Tree = ShortTree(r.Git.Tree)
	}
	if r.V < 2 || r.Type != TypeCapture {
		return
	}
	r.Dir = cmp.Or(r.Dir, ".")
	if r.V == 2 {
		r.readSays()
	}
	if g := r.Git; g != nil && g.Dirty == nil && !g.Unknown {
		g.Dirty = new(bool)
	}
}

// Encode returns the record's line, without a newline. For a record that was read,
// these are the bytes it was read from.
func (r *Record) Encode() ([]byte, error) {
	if r.line != nil {
		return bytes.Clone(r.line), nil
	}
	return r.encode(plain(*r).fold())
}

func (r *Record) encode(p *plain) ([]byte, error) {
	b, err := result.Marshal(wire{V: r.V, ID: r.ID, Time: stamp{r.Time}, plain: p})
	if err != nil {
		return nil, fmt.Errorf("encoding record %s: %w", r.ID, err)
	}
	return b, nil
}

// EncodeWhole returns the record for other programs: with all values that a line
// implies, and with tr in full. Keys have the order of a line; keys that this version
// does not know are left out.
func (r *Record) EncodeWhole(tr *result.ToolResult) ([]byte, error) {
	p := plain(*r)
	if p.RawResult = nil; tr != nil {
		p.Tool, p.Status, p.Counts = tr.Tool, honestStatus(r, tr.Status), tr.Counts // version 1 has them only in its result
		b, err := tr.JSON()
		if err != nil {
			return nil, err
		}
		p.RawResult = b
	}
	return r.encode(&p)
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
	r.unfold()
	if id, at, ok := header(line); ok && (string(id) != r.ID || string(at) != r.Time.Format(TimeLayout)) {
		return nil, errors.New("not a record: it says its id or its time twice, and differently")
	}
	return r, nil
}

// Moved is a copy of a record that was read, to be appended to another manifest: the
// capture was first kept elsewhere.
func (r *Record) Moved() *Record {
	c := *r
	c.line, c.elsewhere = nil, false
	return &c
}
