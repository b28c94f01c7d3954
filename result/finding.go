package result

import (
	"iter"
	"strconv"
	"strings"
)

// FindingKind is the kind of a finding. The enumeration is open.
type FindingKind string

const (
	TestFailure    FindingKind = "test_failure"
	Diagnostic     FindingKind = "diagnostic"
	BuildError     FindingKind = "build_error"
	Panic          FindingKind = "panic"
	GenericFinding FindingKind = "generic"
	Vulnerability  FindingKind = "vulnerability"
)

// Severity is how bad a finding is. A test that failed is SevFailure; a test
// that could not be run (setup, collection, hook) is SevError.
type Severity string

const (
	SevFailure Severity = "failure"
	SevError   Severity = "error"
	SevWarning Severity = "warning"
	SevInfo    Severity = "info"
)

// Limits of the texts of one finding, in bytes. A parser may hand over more;
// Seal cuts at a rune boundary and counts what it omitted.
const (
	MaxDetail      = 4096
	MaxValue       = 1024 // expected, actual, each
	MaxSuggestions = 5
	MaxFrames      = 8
	MaxParts       = 50
)

// Finding is one thing a tool found.
//
// Parser contract for Message: a single line, complete, without position,
// rule suffix or severity word. It is what the fingerprint sees.
type Finding struct {
	Kind        FindingKind `json:"kind"`
	Severity    Severity    `json:"severity"`
	RawSeverity string      `json:"raw_severity,omitempty"` // the tool's own word
	Source      string      `json:"source,omitempty"`       // the tool, if it is not the result's

	ID     string   `json:"id,omitempty"`     // the test or target, the same in every run; no line numbers, no counters
	Select string   `json:"select,omitempty"` // the id for the tool's own filter, if that is not ID
	Suite  []string `json:"suite,omitempty"`
	Name   string   `json:"name,omitempty"`
	Params string   `json:"params,omitempty"`

	Rule     string `json:"rule,omitempty"`
	RuleName string `json:"rule_name,omitempty"`
	RuleURL  string `json:"rule_url,omitempty"`

	Message          string `json:"message"`
	MessageTruncated bool   `json:"message_truncated,omitempty"` // the tool itself cut the message

	Location  string     `json:"location,omitempty"` // At as path:line:column; set by Seal
	At        *Location  `json:"at,omitempty"`       // where to look: for a test the deepest frame in the workspace
	Locations []Location `json:"locations,omitempty"`
	Related   []Related  `json:"related,omitempty"`

	Expected string     `json:"expected,omitempty"`
	Actual   string     `json:"actual,omitempty"`
	Operator string     `json:"operator,omitempty"`
	Diff     string     `json:"diff,omitempty"`
	Detail   string     `json:"detail,omitempty"` // the rest of the text, without terminal escapes
	Frames   []Location `json:"frames,omitempty"`

	Fixable     bool     `json:"fixable,omitempty"`
	Suggestions []string `json:"suggestions,omitempty"`
	Fixes       []Fix    `json:"fixes,omitempty"`
	Tags        []string `json:"tags,omitempty"`

	Package  *PackageRef `json:"package,omitempty"`
	Attempts int         `json:"attempts,omitempty"`

	Fingerprint string `json:"fingerprint"`          // 12 hex; set by Seal
	Group       string `json:"group,omitempty"`      // 12 hex, without the message; set by Seal
	Occurrence  int    `json:"occurrence,omitempty"` // 2, 3, … among equal fingerprints of one result
	Times       int    `json:"times,omitempty"`      // how many tests of this name failed alike, if more than one
	Baseline    string `json:"baseline,omitempty"`   // new or still, against the run of ToolResult.Baseline; never recorded

	Printed string         `json:"-"` // what the failed test printed itself, of which the body shows a little
	RawSpan *Span          `json:"raw_span,omitempty"`
	Extra   map[string]any `json:"extra,omitempty"`
}

// WithinTest begins the label of the place of an outer test, of another runner, that ran the failed test.
const WithinTest = "in the test "

// Location is a place in a file. Lines and columns count from 1; EndColumn is
// exclusive; zero means absent. The column unit is the parser's
// (ParserInfo.ColumnUnit).
type Location struct {
	Path      string `json:"path"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
	Function  string `json:"function,omitempty"`
	External  bool   `json:"external,omitempty"` // outside the workspace: library, toolchain
	Label     string `json:"label,omitempty"`
}

// String is the short form path:line:column, as editors take it.
func (l Location) String() string {
	s := l.Path
	if l.Line > 0 {
		s += ":" + strconv.Itoa(l.Line)
		if l.Column > 0 {
			s += ":" + strconv.Itoa(l.Column)
		}
	}
	return s
}

// Related is a note that belongs to a finding: "declared here", a cause.
type Related struct {
	Message string    `json:"message"`
	At      *Location `json:"at,omitempty"`
}

// The beginning of a Related's message about another exception: one that caused the
// finding's, one that was being handled when the finding's was raised, or one that was
// raised while the finding's was propagating, as when a file is closed.
const (
	CausedBy      = "caused by "
	WhileHandling = "while handling "
	Suppressing   = "suppressing "
)

// Thrown is the class of an exception as it was printed, with its module. Rule has no
// module, so that it is the same in every format of a tool.
func (f *Finding) Thrown() string {
	if f.Rule != "" && strings.HasSuffix(f.RuleName, "."+f.Rule) {
		return f.RuleName
	}
	return f.Rule
}

// Cause is the exception that a note is about, with its class: "KeyError: 'x'".
func (r Related) Cause() (exception string, ok bool) {
	for _, word := range [...]string{CausedBy, WhileHandling, Suppressing} {
		if exception, ok = strings.CutPrefix(r.Message, word); ok {
			return exception, true
		}
	}
	return "", false
}

// Fix is a change that the tool proposes.
type Fix struct {
	Description   string `json:"description,omitempty"`
	Applicability string `json:"applicability,omitempty"` // safe, unsafe, display, unknown
	Edits         []Edit `json:"edits,omitempty"`
}

// Edit replaces the text from Start to End ("line:column", 1-based, End
// exclusive) of Path.
type Edit struct {
	Path  string `json:"path"`
	Start string `json:"start"`
	End   string `json:"end"`
	Text  string `json:"text"`
}

// PackageRef names a dependency in an audit.
type PackageRef struct {
	Ecosystem    string `json:"ecosystem"`
	Name         string `json:"name"`
	Version      string `json:"version,omitempty"`
	Range        string `json:"range,omitempty"`
	FixedVersion string `json:"fixed_version,omitempty"`
	Direct       bool   `json:"direct,omitempty"`
}

// Places are all places of a finding: its own, further ones, the frames, and those of
// Related.
func (f *Finding) Places() iter.Seq[*Location] {
	return func(yield func(*Location) bool) {
		if f.At != nil && !yield(f.At) {
			return
		}
		for _, list := range [...][]Location{f.Locations, f.Frames} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
		for i := range f.Related {
			if at := f.Related[i].At; at != nil && !yield(at) {
				return
			}
		}
	}
}
