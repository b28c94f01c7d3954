package report

import (
	"cmp"
	"io"
	"net/url"

	"cairn/result"
)

// SarifShown is how many results of a run GitHub shows; it accepts 25,000 and refuses a file with more:
// https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning.
const SarifShown = 5000

// SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	object      = map[string]any
	sarifResult struct {
		RuleID    string            `json:"ruleId"`
		Level     string            `json:"level"`
		Kind      string            `json:"kind,omitempty"`
		Message   sarifText         `json:"message"`
		Locations []object          `json:"locations,omitempty"`
		Related   []object          `json:"relatedLocations,omitempty"`
		Flows     []object          `json:"codeFlows,omitempty"`
		Prints    map[string]string `json:"partialFingerprints,omitempty"`
		Baseline  string            `json:"baselineState,omitempty"`
		Extra     object            `json:"properties,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
)

// sarif writes a SARIF run for each run. Beyond the limit of GitHub, the new and most severe results are written, and a
// notification gives the number of the others.
func sarif(w io.Writer, r *Report) error {
	perRun := map[*Run][]Finding{}
	for _, f := range r.Findings() {
		perRun[f.Run] = append(perRun[f.Run], f)
	}
	runs := []object{}
	for _, run := range r.Latest() {
		runs = append(runs, sarifRun(r, run, append(perRun[run], run.Away...)))
	}
	return writeJSON(w, object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0", "runs": runs,
	})
}

func sarifRun(r *Report, run *Run, findings []Finding) object {
	left := max(len(findings)-SarifShown, 0)
	results, rules, known := []sarifResult{}, []object{}, map[string]bool{}
	for _, f := range findings[:len(findings)-left] {
		one := sarifOf(f)
		if !known[one.RuleID] {
			known[one.RuleID] = true
			rule := object{"id": one.RuleID}
			if u, err := url.Parse(f.RuleURL); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
				rule["helpUri"] = u.String()
			}
			rules = append(rules, rule)
		}
		results = append(results, one)
	}
	invocation := object{
		"executionSuccessful": !run.Failed(), "commandLine": run.Command,
		"startTimeUtc": run.Time.UTC().Format("2006-01-02T15:04:05.000Z"),
		"endTimeUtc":   run.Time.UTC().Add(millis(run.Duration)).Format("2006-01-02T15:04:05.000Z"),
	}
	if run.Exit != nil {
		invocation["exitCode"] = *run.Exit
	}
	notes := []object{{"level": map[bool]string{true: "error", false: "note"}[run.Failed()], "message": sarifText{run.Verdict}}}
	if left+run.Hidden > 0 {
		notes = append(notes, object{"level": "warning", "message": sarifText{result.Count(left+run.Hidden, "more finding") + ", which only the record has"}})
	}
	invocation["toolExecutionNotifications"] = notes
	driver := object{"name": cmp.Or(run.Tool, "cairn"), "rules": rules}
	doc := object{
		"tool": object{"driver": driver, "extensions": []object{{"name": "cairn", "version": cmp.Or(r.Version, "unknown")}}}, "invocations": []object{invocation}, "results": results,
		"automationDetails": object{"id": "cairn/" + url.PathEscape(run.Command) + "/" + run.ID},
		"columnKind":        "utf16CodeUnits",
		"properties":        object{"cairnRun": run.ID, "comparedWith": run.Base},
	}
	return doc
}

func sarifOf(f Finding) sarifResult {
	one := sarifResult{
		RuleID: cmp.Or(f.Rule, string(f.Kind), "finding"), Level: levelOf(f.Severity).sarif, Message: sarifText{f.Message},
		Extra: object{"state": string(f.State), "run": f.Run.ID},
	}
	if f.ID != "" {
		one.Message.Text = f.ID + ": " + f.Message
	}
	one.Message.Text = cmp.Or(one.Message.Text, one.RuleID)
	if f.Fingerprint != "" {
		one.Prints = map[string]string{"cairn/v1": f.Fingerprint, "primaryLocationLineHash": f.Fingerprint + ":" + cmp.Or(number(f.Occurrence), "1")}
	}
	switch {
	case f.State == Fixed || f.State == Gone:
		one.Baseline = "absent"
	case f.State == New || f.Baseline == result.BaselineNew:
		one.Baseline = "new"
	case f.State == Known || f.Baseline == result.BaselineStill:
		one.Baseline = "unchanged"
	}
	if at := f.at(); at != nil {
		one.Locations = []object{sarifPlace(*at, "")}
	}
	for _, l := range f.Related {
		if l.At != nil && l.At.Path != "" {
			one.Related = append(one.Related, sarifPlace(*l.At, l.Message))
		}
	}
	var steps []object
	for _, frame := range f.Frames {
		if frame.Path != "" {
			steps = append(steps, object{"location": sarifPlace(frame, frame.Function)})
		}
	}
	if len(steps) > 0 {
		one.Flows = []object{{"threadFlows": []object{{"locations": steps}}}}
	}
	return one
}

// sarifPlace is a location. A path below the root is relative, as code scanning wants it.
func sarifPlace(at result.Location, message string) object {
	physical := object{"artifactLocation": object{"uri": (&url.URL{Path: at.Path}).String()}}
	region := object{}
	for _, p := range []struct {
		name string
		n    int
	}{{"startLine", at.Line}, {"startColumn", at.Column}, {"endLine", at.EndLine}, {"endColumn", at.EndColumn}} {
		if p.n > 0 && at.Line > 0 {
			region[p.name] = p.n
		}
	}
	if len(region) > 0 {
		physical["region"] = region
	}
	place := object{"physicalLocation": physical}
	if message != "" {
		place["message"] = sarifText{message}
	}
	return place
}
