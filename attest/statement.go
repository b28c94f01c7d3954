package attest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cairn/manifest"
	"cairn/parsers"
	"cairn/recall"
	"cairn/result"
)

// Types of statements and predicates.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	TestResult    = "https://in-toto.io/attestation/test-result/v0.1"
	ToolResult    = "urn:cairn:tool-result:v1"
)

// Statement is an in-toto Statement.
type Statement struct {
	Type          string          `json:"_type"`
	Subject       []Descriptor    `json:"subject"`
	PredicateType string          `json:"predicateType"`
	Predicate     json.RawMessage `json:"predicate"`
}

// Descriptor is an in-toto ResourceDescriptor.
type Descriptor struct {
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest"`
}

// testResult is the predicate of TestResult.
type testResult struct {
	Result        string       `json:"result"`
	Configuration []Descriptor `json:"configuration"`
	PassedTests   []string     `json:"passedTests,omitempty"`
	WarnedTests   []string     `json:"warnedTests,omitempty"`
	FailedTests   []string     `json:"failedTests,omitempty"`
	Cairn         Facts        `json:"cairn"`
}

// toolResult is the predicate of ToolResult.
type toolResult struct {
	Result json.RawMessage `json:"result"`
	Cairn  Facts           `json:"cairn"`
}

// Facts are the facts about the run in a predicate.
type Facts struct {
	ID       string         `json:"run"`
	Record   string         `json:"record"`
	Time     string         `json:"time"`
	Command  string         `json:"command,omitempty"`
	Status   result.Status  `json:"status,omitempty"`
	Exit     *int           `json:"exit,omitempty"`
	Signal   string         `json:"signal,omitempty"`
	TimedOut bool           `json:"timed_out,omitempty"`
	Partial  bool           `json:"partial,omitempty"`
	Counts   map[string]int `json:"counts,omitempty"`
	Raw      string         `json:"raw,omitempty"`
	Parser   string         `json:"parser,omitempty"`
	Failed   *Listed        `json:"failed,omitempty"`
	Tests    *Listed        `json:"tests,omitempty"`
}

// Listed represents a list that is too long for the statement.
type Listed struct {
	Count  int    `json:"count,omitempty"`
	SHA256 string `json:"sha256"`
}

// Bounds of the names in a statement, in bytes, so that an envelope has at most 2 KB.
const (
	maxNames   = 360
	maxCommand = 160
)

// newStatement makes the statement of a record. commitTree is the tree of the record's commit, "" if not known.
func newStatement(rec *manifest.Record, predicateType, commitTree string) (*Statement, error) {
	r, err := rec.Result()
	if err != nil {
		return nil, err
	}
	s := &Statement{Type: StatementType, PredicateType: predicateType}
	if s.Subject = subjects(rec, commitTree); len(s.Subject) == 0 {
		return nil, fmt.Errorf("run %s has no subject: the tree that it ran on is not known", rec.ID)
	}
	run, err := runOf(rec)
	if err != nil {
		return nil, err
	}
	switch predicateType {
	case TestResult:
		line := sha256.Sum256([]byte(recall.CommandLine(rec)))
		p := testResult{Result: verdict(rec, r), Configuration: []Descriptor{{Name: "command", Digest: map[string]string{"sha256": hex.EncodeToString(line[:])}}}, Cairn: *run}
		p.FailedTests, p.Cairn.Failed = named(failedTests(r))
		s.Predicate, err = result.Marshal(p)
	case ToolResult:
		p := toolResult{Result: json.RawMessage("null"), Cairn: *run}
		if r != nil {
			if p.Result, err = r.JSON(); err != nil {
				return nil, err
			}
		}
		s.Predicate, err = result.Marshal(p)
	default:
		return nil, unknownPredicate(predicateType)
	}
	return s, err
}

func unknownPredicate(name string) error {
	return fmt.Errorf("the predicate %.120q is not known: %s and %s are", name, TestResult, ToolResult)
}

func subjects(rec *manifest.Record, commitTree string) (all []Descriptor) {
	if rec.Git == nil || rec.Git.Worktree == "" {
		return nil
	}
	all = append(all, Descriptor{Name: "tree", Digest: map[string]string{"gitTree": rec.Git.Worktree}})
	if rec.Git.Commit != "" && rec.Git.Worktree == commitTree {
		all = append(all, Descriptor{Name: "commit", Digest: map[string]string{"gitCommit": rec.Git.Commit}})
	}
	return all
}

func runOf(rec *manifest.Record) (*Facts, error) {
	line, err := rec.Encode()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(line)
	run := &Facts{
		ID: rec.ID, Record: hex.EncodeToString(sum[:]), Time: rec.Time.Format(manifest.TimeLayout), Command: shortened(recall.CommandLine(rec)),
		Status: rec.Status, Exit: rec.Exit, Signal: rec.Signal, TimedOut: rec.TimedOut, Partial: rec.Partial, Counts: rec.Counts,
	}
	if rec.Raw != nil {
		run.Raw = strings.TrimPrefix(rec.Raw.OID, "sha256:")
	}
	if o := rec.Outcomes; o != nil && o.Complete && o.OID != "" {
		run.Tests = &Listed{SHA256: strings.TrimPrefix(o.OID, "sha256:")}
	}
	if rec.Parser > 0 {
		run.Parser = fmt.Sprintf("%s/%d", rec.Tool, rec.Parser)
	} else if p := parserOf(rec); p != nil { // a record leaves it out for a successful run
		run.Parser = fmt.Sprintf("%s/%d", p.Tool, p.Version)
	}
	return run, nil
}

// parserOf is the parser of a run's tool: that of its command or, for a command with counts, of the tool that it ran.
// For commands without either, the list of parsers is not built.
func parserOf(rec *manifest.Record) *parsers.Parser {
	p := parsers.OfCommand(rec.Argv, rec.Shell)
	if p == nil && len(rec.Counts) == 0 || p != nil && p.Tool == rec.Tool {
		return p
	}
	return parsers.Named(rec.Tool)
}

func shortened(line string) string {
	if len(line) <= maxCommand {
		return line
	}
	return strings.ToValidUTF8(line[:maxCommand], "") + "…"
}

// verdict is the result in the test-result predicate: every run that did not succeed is FAILED.
func verdict(rec *manifest.Record, r *result.ToolResult) string {
	switch {
	case rec.Status != result.Passed && rec.Status != result.OK || rec.Partial:
		return "FAILED"
	case r != nil && slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Severity == result.SevWarning }):
		return "WARNED"
	}
	return "PASSED"
}

// failedTests are the names of the failed tests, each once, sorted.
func failedTests(r *result.ToolResult) (names []string) {
	if r == nil {
		return nil
	}
	for _, f := range r.Findings {
		if f.Kind == result.TestFailure && f.ID != "" {
			names = append(names, f.ID)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// named shortens a list for a predicate: some are the names that fit, all is the digest of a longer list.
func named(names []string) (some []string, all *Listed) {
	size := 0
	for i, name := range names {
		if size += len(name) + 3; size > maxNames {
			list, _ := result.Marshal(names) // strings can always be encoded
			sum := sha256.Sum256(list)
			return names[:i], &Listed{len(names), hex.EncodeToString(sum[:])}
		}
	}
	return names, nil
}

// readStatement reads the payload of an envelope. It returns the statement and the facts about its run.
func readStatement(payload []byte) (*Statement, *Facts, error) {
	s := new(Statement)
	if err := decode(payload, s, maxObjects); err != nil {
		return nil, nil, fmt.Errorf("the payload is no in-toto Statement: %w", err)
	}
	switch {
	case s.Type != StatementType:
		return nil, nil, fmt.Errorf("the statement is of the type %.120q, and only %s is known", s.Type, StatementType)
	case s.PredicateType != TestResult && s.PredicateType != ToolResult:
		return nil, nil, unknownPredicate(s.PredicateType)
	}
	var p struct {
		Cairn *Facts `json:"cairn"`
	}
	if err := decode(s.Predicate, &p, maxObjects); err != nil {
		return nil, nil, fmt.Errorf("the predicate cannot be read: %w", err)
	}
	if p.Cairn == nil || p.Cairn.ID == "" {
		return nil, nil, fmt.Errorf("the predicate names no run of cairn's")
	}
	return s, p.Cairn, nil
}
