package fleet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

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
