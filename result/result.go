package result

// SchemaVersion is the version of the ToolResult schema that this package
// writes. It changes only when a field is removed or retyped; new optional
// fields and new members of open enumerations do not change it.
const SchemaVersion = 1

// Status is the verdict on a run. Only Derive decides it.
type Status string

// The five statuses. Passed and OK imply that exit code 0 was observed.
const (
	Passed  Status = "passed"  // a recognised test run that exited 0
	OK      Status = "ok"      // exited 0, anything else
	Failed  Status = "failed"  // the tool ran and reported a failure
	Error   Status = "error"   // the tool could not run to its end
	Unknown Status = "unknown" // no exit was observed
)

// StatusSource says which fact decided the status.
type StatusSource string

const (
	FromExit     StatusSource = "exit_code"
	FromSignal   StatusSource = "signal"
	FromTimeout  StatusSource = "timeout"
	FromFindings StatusSource = "findings"
	FromStage    StatusSource = "stage" // of a command whose exit status the shell line ignored
	FromNothing  StatusSource = "none"
)

// Kind is what a tool is for. The enumeration is open: readers treat a kind
// they do not know as Generic.
type Kind string

const (
	Test      Kind = "test"
	Lint      Kind = "lint"
	Typecheck Kind = "typecheck"
	Build     Kind = "build"
	VCS       Kind = "vcs"
	Generic   Kind = "generic"
	Format    Kind = "format"
	Security  Kind = "security"
	Package   Kind = "package"
	Infra     Kind = "infra"
	Pipeline  Kind = "pipeline"
)

// Confidence says how far a result may be trusted beyond its exit code.
type Confidence string

const (
	// Parsed: the tool was recognised and the findings include every failure that the
	// tool itself counts.
	Parsed Confidence = "parsed"
	// Heuristic: the tool was recognised, but its output was not fully understood. Body
	// then holds reduced text.
	Heuristic Confidence = "heuristic"
	// Untyped (written "generic"): no parser claims the output. There are no
	// findings; Body holds reduced text.
	Untyped Confidence = "generic"
)

// Meaning is the meaning of an exit code according to the tool's own documentation.
type Meaning string

const (
	MeansFindings    Meaning = "findings"    // the tool ran and found something
	MeansUsage       Meaning = "usage"       // wrong flags or configuration
	MeansInternal    Meaning = "internal"    // the tool itself broke
	MeansNoTests     Meaning = "no_tests"    // nothing was selected to run
	MeansInterrupted Meaning = "interrupted" // the tool was stopped before its end
	MeansCrashed     Meaning = "crashed"     // the tool died of a signal or a fatal error
	MeansNotFound    Meaning = "not_found"   // 127: no such command
	MeansNotExec     Meaning = "not_executable"
)

// ToolResult is the one answer for every tool. Its JSON form is canonical:
// keys in the order of the fields below, empty optional fields omitted, no
// HTML escaping, no floating-point numbers.
type ToolResult struct {
	SchemaVersion int          `json:"schema_version"`
	Tool          string       `json:"tool"`                  // canonical id: "pytest", "go-test"
	ToolFamily    string       `json:"tool_family,omitempty"` // the program, if it differs from Tool: "go"
	ToolVersion   string       `json:"tool_version,omitempty"`
	Kind          Kind         `json:"kind"`
	Status        Status       `json:"status"`
	StatusSource  StatusSource `json:"status_source,omitempty"`
	ExitCode      *int         `json:"exit_code,omitempty"` // nil: not observed
	Signal        string       `json:"signal,omitempty"`    // "SIGKILL"
	TimedOut      bool         `json:"timed_out,omitempty"` // cairn's own timeout
	Partial       bool         `json:"partial,omitempty"`   // the capture was cut short
	ExitMeaning   Meaning      `json:"exit_meaning,omitempty"`
	Dir           string       `json:"dir,omitempty"` // where it ran, below the root from which paths count; see Local

	Counts           map[string]int `json:"counts,omitempty"`
	Summary          string         `json:"summary,omitempty"`
	ParserConfidence Confidence     `json:"parser_confidence"`
	Parser           *ParserInfo    `json:"parser,omitempty"`

	RawOID    string     `json:"raw_oid,omitempty"` // "sha256:<hex>" of all bytes in read order
	Raw       *Raw       `json:"raw,omitempty"`
	Artifacts []Artifact `json:"artifacts,omitempty"`

	Findings   []Finding      `json:"findings"`
	Parts      []Part         `json:"parts,omitempty"`
	Stages     []Stage        `json:"stages,omitempty"` // only of a shell line
	CasesOID   string         `json:"cases_oid,omitempty"`
	Outcomes   *Outcomes      `json:"outcomes,omitempty"`
	Truncated  Truncated      `json:"truncated"`
	Suppressed []Suppressed   `json:"suppressed,omitempty"`
	Body       string         `json:"body,omitempty"` // reduced text, if the findings do not say everything
	Baseline   *Baseline      `json:"baseline,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

// Stage is one external command of a shell line that has facts of its own. Stages are
// added to the result when it is shown; in the record they are beside the result.
type Stage struct {
	Argv     []string       `json:"argv"`
	Before   string         `json:"before,omitempty"` // the command that read its output; "" if the line's caller did
	Tool     string         `json:"tool,omitempty"`   // "", as is Status, if nothing is known of its output
	Status   Status         `json:"status,omitempty"`
	ExitCode *int           `json:"exit_code,omitempty"` // nil: not observed
	Signal   string         `json:"signal,omitempty"`
	Running  bool           `json:"running,omitempty"` // the line left it running
	Counts   map[string]int `json:"counts,omitempty"`
	Summary  string         `json:"summary,omitempty"`
	RawOID   string         `json:"raw_oid,omitempty"` // "" if its output is part of the line's
	Findings []Finding      `json:"findings,omitempty"`
}

// Values of Finding.Baseline.
const (
	BaselineNew   = "new"   // the earlier run would have shown it, but did not
	BaselineStill = "still" // the earlier run showed it
)

// Baseline compares a failed run with an earlier run of the same command. It is added
// when a result is shown, and never recorded.
type Baseline struct {
	Run   string `json:"run"`
	Where string `json:"where"` // "on this branch"
	New   int    `json:"new"`
	Still int    `json:"still"`
	Fixed *int   `json:"fixed,omitempty"` // nil: this run cannot prove that a finding is gone
	// SinceRuns is how many runs in a row, before this one, had the oldest finding that
	// is still there; SinceMore says that there may be more of them. Attempts counts
	// how often the commit changed in between.
	SinceRuns int  `json:"since_runs,omitempty"`
	SinceMore bool `json:"since_more,omitempty"`
	Attempts  int  `json:"fix_attempts,omitempty"`
	// Unchanged names the run of the same session that showed exactly this.
	Unchanged string `json:"unchanged_since,omitempty"`
	// Tests says of a passed run which tests ran in an earlier one and did not run now.
	Tests string `json:"tests,omitempty"`
	// SameTree is an earlier run on exactly this tree.
	SameTree *SameTree `json:"same_tree,omitempty"`
}

// SameTree is an earlier run of the same command, on the same tree and in the same
// environment.
type SameTree struct {
	Run     string `json:"run"`
	Seconds int64  `json:"seconds_before"`
	Then    string `json:"then"` // "then passed: this test is flaky"
}

// ParserInfo names the parser that made a result.
type ParserInfo struct {
	Name       string `json:"name"`
	Version    int    `json:"version"`
	Format     string `json:"format,omitempty"`      // "text", "json", "junit", …
	ColumnUnit string `json:"column_unit,omitempty"` // byte, utf16, char, display, unknown
}

// Raw describes the bytes behind a result.
type Raw struct {
	Bytes  int64 `json:"bytes"`
	Lines  int64 `json:"lines"`
	Binary bool  `json:"binary,omitempty"` // NUL bytes or mostly not text
}

// Artifact is a file that the run wrote and that was kept.
type Artifact struct {
	Path      string `json:"path"`
	OID       string `json:"oid"`
	Size      int64  `json:"size,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Role      string `json:"role,omitempty"`
}

// Part is one tool's share of a composite output such as make or tox.
type Part struct {
	Tool             string         `json:"tool"`
	Kind             Kind           `json:"kind,omitempty"`
	Name             string         `json:"name,omitempty"`
	Status           Status         `json:"status,omitempty"`
	ExitCode         *int           `json:"exit_code,omitempty"`
	Counts           map[string]int `json:"counts,omitempty"`
	ParserConfidence Confidence     `json:"parser_confidence"`
	Findings         int            `json:"findings,omitempty"`
	RawSpan          *Span          `json:"raw_span,omitempty"`
}

// Truncated counts what a result leaves out. Raw is true if the bytes that the parser
// got were themselves cut.
type Truncated struct {
	FindingsTotal      int  `json:"findings_total"`
	FindingsShown      int  `json:"findings_shown"`
	DetailBytesOmitted int  `json:"detail_bytes_omitted,omitempty"`
	BodyBytesOmitted   int  `json:"body_bytes_omitted,omitempty"`
	Raw                bool `json:"raw"`
}

// Suppressed counts findings that were left out on purpose.
type Suppressed struct {
	Kind   string `json:"kind"` // "duplicates", "warnings"
	Count  int    `json:"count"`
	Reason string `json:"reason,omitempty"`
}

// Outcomes describes the list of all tests of a run, which is the object CasesOID of a
// result. See package outcomes.
type Outcomes struct {
	OID      string         `json:"oid,omitempty"` // in a record, which has no CasesOID
	Complete bool           `json:"complete"`      // every test has a name, and the counts agree with the list
	Reason   string         `json:"reason,omitempty"`
	Counts   map[string]int `json:"counts,omitempty"`
	Unnamed  map[string]int `json:"unnamed,omitempty"` // tests that the runner counts without a name
}

// Span is a half-open byte range. Stream is "merged" (all bytes in read order, the raw
// object) unless it says otherwise.
type Span struct {
	Stream string `json:"stream,omitempty"`
	Start  int64  `json:"start"`
	End    int64  `json:"end"`
}
