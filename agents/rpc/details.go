package rpc

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/capture"
	"cairn/result"
)

// details is a run in the format of pi's tool structured_return, for which prompts and skills were written. The log is
// the run's object, of which there is no second copy: LogPath is the command that shows it.
type details struct {
	Tool     string    `json:"tool"`
	ExitCode int       `json:"exitCode"`
	Status   string    `json:"status"` // pass, fail or error
	Summary  string    `json:"summary"`
	CWD      string    `json:"cwd"`
	Failures []failure `json:"failures"`
	More     int       `json:"moreFailures,omitempty"` // failures that are not in Failures
	Artifact string    `json:"artifact,omitempty"`
	LogPath  string    `json:"logPath"`
	RawTail  string    `json:"rawTail,omitempty"`
	Run      string    `json:"run,omitempty"`
	OID      string    `json:"oid,omitempty"`
	Bytes    int64     `json:"rawBytes"`
}

type failure struct {
	ID      string `json:"id"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message,omitempty"`
	Rule    string `json:"rule,omitempty"`
}

// Bounds of details, in entries and bytes: a host keeps them in its session for good.
const (
	maxFailures = 50
	maxMessage  = 500
	maxRawTail  = 4 << 10
)

func detailsOf(out *capture.Outcome, run, dir string) *details {
	r := out.Result
	d := &details{
		Tool: r.Tool, ExitCode: out.Status, Status: "error", Summary: summaryOf(r, out.Status), CWD: dir, Failures: []failure{},
		Run: run, OID: r.RawOID, Bytes: r.Raw.Bytes,
	}
	switch r.Status {
	case result.Passed, result.OK:
		d.Status = "pass"
	case result.Failed:
		d.Status = "fail"
	}
	if r.RawOID != "" {
		d.LogPath = "cairn recall object " + r.RawOID
	}
	for _, a := range r.Artifacts {
		d.Artifact = a.Path
		break
	}
	for i := range r.Findings {
		if len(d.Failures) == maxFailures {
			d.More = len(r.Findings) - i
			break
		}
		d.Failures = append(d.Failures, failureOf(r, &r.Findings[i]))
	}
	if len(r.Findings) == 0 && r.ParserConfidence != result.Parsed {
		d.RawTail = r.Body[max(0, len(r.Body)-maxRawTail):]
		d.RawTail = strings.ToValidUTF8(d.RawTail, "")
	}
	return d
}

func summaryOf(r *result.ToolResult, status int) string {
	if r.Summary != "" {
		return r.Summary
	}
	return fmt.Sprintf("%s: exit %d", r.Status, status)
}

// failureOf is a finding whose path is relative to CWD.
func failureOf(r *result.ToolResult, f *result.Finding) failure {
	out := failure{ID: cmp.Or(f.Select, f.ID), Message: f.Message, Rule: f.Rule}
	if len(out.Message) > maxMessage {
		out.Message = strings.ToValidUTF8(out.Message[:maxMessage], "") + "…"
	}
	if f.At != nil {
		out.File, out.Line = r.LocalFinding(*f).At.Path, f.At.Line
	}
	out.ID = cmp.Or(out.ID, f.Fingerprint)
	return out
}
