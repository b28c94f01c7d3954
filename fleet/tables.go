package fleet

import "time"

// Run is one capture.
type Run struct {
	Repository     string    `parquet:"repository,dict" about:"whose record has it"`
	RunID          string    `parquet:"run_id" about:"ulid, in upper case"`
	Time           time.Time `parquet:"time,timestamp(microsecond)" about:"when it began"`
	Tool           string    `parquet:"tool,optional,dict" about:"canonical name, such as pytest"`
	Kind           string    `parquet:"kind,optional,dict" about:"test, lint, typecheck, build, generic, …"`
	Status         string    `parquet:"status,dict" about:"passed, ok, failed, error or unknown"`
	ExitCode       *int32    `parquet:"exit_code,optional" about:"null: no exit was observed"`
	Signal         string    `parquet:"signal,optional,dict" about:"that ended it"`
	TimedOut       bool      `parquet:"timed_out" about:"its time was up"`
	Interrupted    string    `parquet:"interrupted,optional,dict" about:"the signal of the user"`
	Partial        bool      `parquet:"partial" about:"the capture was cut short"`
	DurationMS     int64     `parquet:"duration_ms" about:"how long it took"`
	Command        string    `parquet:"command,optional,dict" about:"as a shell takes it, redacted"`
	CommandKey     string    `parquet:"command_key,optional,dict" about:"tool, normalised arguments and directory: the same command"`
	Dir            string    `parquet:"dir,dict" about:"below the root of the repository; . is the root"`
	Environment    string    `parquet:"environment,optional,dict" about:"digest of the variables that decide which programs run"`
	Commit         string    `parquet:"commit,optional,dict" about:"that was checked out"`
	Branch         string    `parquet:"branch,optional,dict" about:"that was checked out"`
	Worktree       string    `parquet:"worktree,optional,dict" about:"the tree of everything that is not ignored"`
	Dirty          *bool     `parquet:"dirty,optional" about:"tracked files were changed; null: not known"`
	EvidenceTree   string    `parquet:"evidence_tree,optional,dict" about:"the commit or tree on which it is evidence for or against each test; null: it is none"`
	Accounted      bool      `parquet:"accounted" about:"what it does not show was not there"`
	Agent          string    `parquet:"agent,optional,dict" about:"that ran it"`
	Session        string    `parquet:"session,optional,dict" about:"of the agent"`
	ParentSession  string    `parquet:"parent_session,optional,dict" about:"that started this one"`
	Says           string    `parquet:"says,optional" about:"the verdict in one line"`
	Confidence     string    `parquet:"confidence,optional,dict" about:"parsed, heuristic or generic"`
	PassedCount    *int32    `parquet:"passed_count,optional" about:"as the tool or its findings count"`
	FailedCount    *int32    `parquet:"failed_count,optional" about:"likewise"`
	ErrorCount     *int32    `parquet:"error_count,optional" about:"likewise"`
	SkippedCount   *int32    `parquet:"skipped_count,optional" about:"likewise"`
	Counts         string    `parquet:"counts,optional" about:"all of them, as JSON"`
	FindingCount   int32     `parquet:"finding_count" about:"rows of findings, without those of stages"`
	FindingsMiss   bool      `parquet:"findings_missing" about:"there were more than are in findings"`
	OutcomesKept   *bool     `parquet:"outcomes_complete,optional" about:"outcomes names every test that ran; null: no list was kept"`
	OutcomesWhy    string    `parquet:"outcomes_reason,optional" about:"why the list is not complete"`
	OutcomesMiss   bool      `parquet:"outcomes_missing" about:"a list was kept, and is in another clone"`
	StageCount     int32     `parquet:"stage_count" about:"rows of stages"`
	RawOID         string    `parquet:"raw_oid,optional" about:"sha256: and the digest of all that it printed"`
	RawSizeBytes   int64     `parquet:"raw_size_bytes" about:"how much it printed"`
	ShownSizeBytes int64     `parquet:"shown_size_bytes" about:"how long its compact form is"`
}

// Finding is one thing that a run found.
type Finding struct {
	Repository   string    `parquet:"repository,dict" about:"as in runs"`
	RunID        string    `parquet:"run_id,dict" about:"as in runs"`
	Time         time.Time `parquet:"time,timestamp(microsecond)" about:"as in runs"`
	StageNumber  int32     `parquet:"stage_number" about:"the stage that found it; 0: the run as a whole"`
	Number       int32     `parquet:"finding_number" about:"from 1, in the order of the result, those of stages behind"`
	Fingerprint  string    `parquet:"fingerprint,dict" about:"the same finding in another run; 12 hex digits"`
	GroupID      string    `parquet:"group_id,optional,dict" about:"the same test, or rule in the same place, whatever the message"`
	Kind         string    `parquet:"kind,optional,dict" about:"test_failure, diagnostic, build_error, panic, …; null: the record has no more than the fingerprint"`
	Severity     string    `parquet:"severity,optional,dict" about:"failure, error, warning or info"`
	Tool         string    `parquet:"tool,optional,dict" about:"that found it"`
	TestID       string    `parquet:"test_id,optional,dict" about:"test or target, the same in every run"`
	Rule         string    `parquet:"rule,optional,dict" about:"of a linter"`
	Message      string    `parquet:"message,optional" about:"one line"`
	Path         string    `parquet:"path,optional,dict" about:"where to look, below the root"`
	LineNumber   *int32    `parquet:"line_number,optional" about:"from 1"`
	ColumnNumber *int32    `parquet:"column_number,optional" about:"from 1"`
	Times        int32     `parquet:"times" about:"tests of this name that failed alike"`
}

// Outcome is what one test came to in a run.
type Outcome struct {
	Repository string    `parquet:"repository,dict" about:"as in runs"`
	RunID      string    `parquet:"run_id,dict" about:"as in runs"`
	Time       time.Time `parquet:"time,timestamp(microsecond)" about:"as in runs"`
	Number     int32     `parquet:"test_number" about:"from 1, in the order of test_id"`
	TestID     string    `parquet:"test_id,dict" about:"as a finding names it"`
	Tool       string    `parquet:"tool,optional,dict" about:"that ran it, where there were several"`
	Outcome    string    `parquet:"outcome,dict" about:"passed, failed, error, skipped, xfailed, xpassed, flaky or not_run"`
	DurationMS *int64    `parquet:"duration_ms,optional" about:"as far as the runner told it"`
	Path       string    `parquet:"path,optional,dict" about:"as far as the runner told it"`
	LineNumber *int32    `parquet:"line_number,optional" about:"from 1"`
	Times      int32     `parquet:"times" about:"tests that ran under this id"`
	Parent     bool      `parquet:"parent" about:"it has subtests with rows of their own, and is not counted"`
}

// Stage is one external command of a shell line.
type Stage struct {
	Repository   string    `parquet:"repository,dict" about:"as in runs"`
	RunID        string    `parquet:"run_id,dict" about:"as in runs"`
	Time         time.Time `parquet:"time,timestamp(microsecond)" about:"as in runs"`
	Number       int32     `parquet:"stage_number" about:"from 1, as they stand in the line"`
	Command      string    `parquet:"command,optional,dict" about:"as a shell takes it, redacted"`
	CommandKey   string    `parquet:"command_key,optional,dict" about:"as in runs"`
	ReadBy       string    `parquet:"read_by,optional,dict" about:"the command that read its output; null: the line's caller did"`
	Tool         string    `parquet:"tool,optional,dict" about:"null, as status is, where nothing is said of the output"`
	Status       string    `parquet:"status,optional,dict" about:"as in runs"`
	ExitCode     *int32    `parquet:"exit_code,optional" about:"null: none was observed"`
	Signal       string    `parquet:"signal,optional,dict" about:"that ended it"`
	Running      bool      `parquet:"running" about:"the line left it running"`
	Partial      bool      `parquet:"partial" about:"what it printed was cut short"`
	FindingCount int32     `parquet:"finding_count" about:"rows of findings with this stage_number"`
	RawOID       string    `parquet:"raw_oid,optional" about:"null: its output is part of the line's"`
	RawSizeBytes *int64    `parquet:"raw_size_bytes,optional" about:"likewise"`
}

// Rows are what one record becomes.
type Rows struct {
	Run      Run
	Findings []Finding
	Outcomes []Outcome
	Stages   []Stage
}
