package fleet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// rowsOf makes the rows of a capture. NUL in a text, which databases refuse, becomes U+FFFD.
func rowsOf(repository string, s *place.Site, rec *manifest.Record) (*Rows, error) {
	r, err := rec.Result()
	if err != nil {
		return nil, fmt.Errorf("the result of run %s of %s: %w", rec.ID, repository, err)
	}
	rows := &Rows{Run: runOf(repository, rec, r)}
	if r != nil {
		whole, missing := recall.Full(s, rec, r)
		rows.addFindings(0, whole)
		if missing != "" {
			rows.addNamed(0, rec.More)
		}
		total := max(whole.Truncated.FindingsTotal, len(r.Findings)+len(rec.More))
		rows.Run.FindingsMiss = len(rows.Findings) < total || missing != ""
		if rec.Outcomes == nil { // only the failed tests are known
			for _, t := range outcomes.OfFindings(whole.Findings) {
				rows.Outcomes = append(rows.Outcomes, rows.outcome(t))
			}
		}
	}
	rows.Run.FindingCount = int32(len(rows.Findings))
	if err := rows.addStages(s, rec); err != nil {
		return nil, err
	}
	return rows, rows.addOutcomes(s, rec)
}

func runOf(repository string, rec *manifest.Record, r *result.ToolResult) Run {
	row := Run{
		Repository: repository, RunID: rec.ID, Time: rec.Time.UTC(), Tool: rec.Tool, Status: string(cmp.Or(rec.Status, result.Unknown)),
		ExitCode: small(rec.Exit), Signal: rec.Signal, TimedOut: rec.TimedOut, Interrupted: rec.Interrupted, Partial: rec.Partial,
		DurationMS: rec.DurationMS, Command: text(recall.CommandLine(rec)), CommandKey: rec.Key, Dir: text(cmp.Or(rec.Dir, ".")), Environment: rec.Env,
		Says: text(rec.Says), Accounted: recall.Accounts(rec, r), EvidenceTree: recall.Evidence(rec, r),
	}
	if g := rec.Git; g != nil {
		row.Commit, row.Branch, row.Worktree, row.Dirty = g.Commit, text(g.Branch), g.Worktree, g.Dirty
	}
	if rec.By != nil {
		row.Agent, row.Session, row.ParentSession = text(rec.By.Agent), text(rec.By.Session), text(rec.By.Parent)
	}
	if rec.Raw != nil {
		row.RawOID, row.RawSizeBytes = rec.Raw.OID, rec.Raw.Size
	}
	if r == nil {
		return row
	}
	row.Tool, row.Status = text(r.Tool), string(r.Status)
	row.Kind, row.Confidence, row.ShownSizeBytes = string(r.Kind), string(r.ParserConfidence), int64(len(render.Compact(r, nil)))
	row.PassedCount, row.FailedCount, row.ErrorCount, row.SkippedCount = count(r, "passed"), count(r, "failed"), count(r, "error"), count(r, "skipped")
	if len(r.Counts) > 0 {
		counts, _ := json.Marshal(r.Counts) // a map of numbers can always be encoded
		row.Counts = string(counts)
	}
	row.Says = text(cmp.Or(rec.Says, r.Tool+" "+r.Summary))
	return row
}

func (r *Rows) addFindings(stage int32, whole *result.ToolResult) {
	if whole == nil {
		return
	}
	for _, f := range whole.Findings {
		row := r.finding(stage, f.Fingerprint)
		row.GroupID, row.Kind, row.Severity, row.Tool = f.Group, string(f.Kind), string(f.Severity), text(cmp.Or(f.Source, whole.Tool))
		row.TestID, row.Rule, row.Message, row.Times = text(f.ID), text(f.Rule), text(f.Message), int32(max(1, f.Times))
		if f.At != nil {
			row.Path, row.LineNumber, row.ColumnNumber = text(f.At.Path), positive(f.At.Line), positive(f.At.Column)
		}
		r.Findings = append(r.Findings, row)
	}
}

// addNamed adds findings of which the record has only the fingerprint.
func (r *Rows) addNamed(stage int32, fingerprints []string) {
	for _, f := range fingerprints {
		r.Findings = append(r.Findings, r.finding(stage, f))
	}
}

func (r *Rows) finding(stage int32, fingerprint string) Finding {
	return Finding{Repository: r.Run.Repository, RunID: r.Run.RunID, Time: r.Run.Time, StageNumber: stage, Number: int32(len(r.Findings) + 1), Fingerprint: fingerprint, Times: 1}
}

func (r *Rows) addStages(s *place.Site, rec *manifest.Record) error {
	if rec.Stages == nil {
		return nil
	}
	for i := range rec.Stages.List {
		stage, own := &rec.Stages.List[i], rec.Stage(i+1)
		found, err := own.Result()
		if err != nil {
			return fmt.Errorf("the result of stage %d of run %s of %s: %w", i+1, rec.ID, r.Run.Repository, err)
		}
		row := Stage{
			Repository: r.Run.Repository, RunID: r.Run.RunID, Time: r.Run.Time, Number: int32(i + 1), Command: text(recall.CommandLine(own)), CommandKey: stage.Key,
			ReadBy: text(stage.Before), Tool: text(stage.Tool), Status: string(stage.Status), ExitCode: small(stage.Exit), Signal: stage.Signal, Running: stage.Running, Partial: stage.Partial,
		}
		if stage.Raw != nil {
			row.RawOID, row.RawSizeBytes = stage.Raw.OID, &stage.Raw.Size
		}
		before := len(r.Findings)
		if found != nil {
			whole, missing := recall.Full(s, own, found)
			r.addFindings(row.Number, whole)
			if missing != "" {
				r.addNamed(row.Number, stage.More)
				r.Run.FindingsMiss = true
			}
		}
		row.FindingCount = int32(len(r.Findings) - before)
		r.Stages = append(r.Stages, row)
	}
	r.Run.StageCount = int32(len(r.Stages))
	return nil
}

func (r *Rows) addOutcomes(s *place.Site, rec *manifest.Record) error {
	if rec.Outcomes == nil {
		return nil
	}
	r.Run.OutcomesKept, r.Run.OutcomesWhy = &rec.Outcomes.Complete, text(rec.Outcomes.Reason)
	if rec.Outcomes.OID == "" {
		return nil
	}
	list, err := s.Tests(rec)
	if err != nil {
		r.Run.OutcomesMiss = true // the list is in another clone, was collected, or is damaged, which fsck reports
		return nil
	}
	for _, t := range list {
		r.Outcomes = append(r.Outcomes, r.outcome(t))
	}
	return nil
}

func (r *Rows) outcome(t outcomes.Test) Outcome {
	row := Outcome{
		Repository: r.Run.Repository, RunID: r.Run.RunID, Time: r.Run.Time, Number: int32(len(r.Outcomes) + 1),
		TestID: text(t.ID), Tool: t.Tool, Outcome: string(t.Outcome), Path: text(t.At), Times: int32(max(1, t.Times)), Parent: t.Parent,
	}
	if t.DurationMS > 0 {
		row.DurationMS = &t.DurationMS
	}
	if i := strings.LastIndexByte(t.At, ':'); i > 0 {
		if line, err := strconv.Atoi(t.At[i+1:]); err == nil {
			row.Path, row.LineNumber = text(t.At[:i]), positive(line)
		}
	}
	return row
}

func text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

func small(n *int) *int32 {
	if n == nil {
		return nil
	}
	m := int32(*n)
	return &m
}

func positive(n int) *int32 {
	if n <= 0 {
		return nil
	}
	return small(&n)
}

func count(r *result.ToolResult, what string) *int32 {
	if n, counted := r.Counts[what]; counted {
		return small(&n)
	}
	return nil
}

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

// Column is one column of a table.
type Column struct {
	Name  string
	Type  string // text, integer, bigint, boolean or timestamp
	Null  bool   // it may be null
	About string
}

// Table is one of the four tables.
type Table struct {
	Name    string
	Columns []Column
}

// Tables lists them.
func Tables() []Table {
	return []Table{
		{"runs", ColumnsOf[Run]()}, {"findings", ColumnsOf[Finding]()}, {"outcomes", ColumnsOf[Outcome]()}, {"stages", ColumnsOf[Stage]()},
	}
}

// ColumnsOf reads the columns from the tags of a row type.
func ColumnsOf[R any]() []Column {
	t := reflect.TypeFor[R]()
	all := make([]Column, t.NumField())
	for i := range all {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		all[i] = Column{Name: name, Type: typeName(f.Type), Null: strings.HasPrefix(options, "optional"), About: f.Tag.Get("about")}
	}
	return all
}

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "timestamp"
	case t.Kind() == reflect.Int32:
		return "integer"
	case t.Kind() == reflect.Int64:
		return "bigint"
	case t.Kind() == reflect.Bool:
		return "boolean"
	}
	return "text"
}

// Values writes the fields of a row to room, in the order of its columns; nil is null. room must have one element per
// column.
func Values[R any](row *R, room []any) []any {
	v := reflect.ValueOf(row).Elem()
	null := nullTexts(v.Type())
	for i := range room {
		f := v.Field(i)
		switch {
		case f.Kind() == reflect.Pointer && f.IsNil(), null[i] && f.Len() == 0:
			room[i] = nil
		case f.Kind() == reflect.Pointer:
			room[i] = f.Elem().Interface()
		default:
			room[i] = f.Interface()
		}
	}
	return room
}

var nullTextsOf sync.Map // reflect.Type to []bool

// nullTexts says for each column of a row type whether it is a text that is null if empty.
func nullTexts(t reflect.Type) []bool {
	if known, there := nullTextsOf.Load(t); there {
		return known.([]bool)
	}
	null := make([]bool, t.NumField())
	for i := range null {
		null[i] = t.Field(i).Type.Kind() == reflect.String && strings.Contains(t.Field(i).Tag.Get("parquet"), ",optional")
	}
	nullTextsOf.Store(t, null)
	return null
}
