package casetest

import (
	"cairn/parsers/read/place"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Brief is a result as these tests spell it: status and confidence, then a
// line for each finding, sorted. A test goes by its name, a package by its
// last element.
func Brief(r *result.ToolResult) []string {
	var all []string
	for _, f := range r.Findings {
		id := f.Name
		if id == "" {
			id = strings.TrimPrefix(f.ID, "example.com/ledger/")
		}
		all = append(all, strings.Join([]string{string(f.Kind), id, f.Location, f.Message}, "|"))
	}
	slices.Sort(all)
	return append([]string{string(r.Status) + " " + string(r.ParserConfidence)}, all...)
}

// Identities are what must be equal between two outputs of one run. What the
// fingerprint leaves out of a message, such as an address, may differ.
func Identities(r *result.ToolResult) []string {
	var all []string
	for _, f := range r.Findings {
		message, _, _ := strings.Cut(f.Message, "0x")
		if strings.HasPrefix(message, "Timed out after ") {
			message = ""
		}
		all = append(all, strings.Join([]string{f.Fingerprint, f.ID, f.Location, message}, "|"))
	}
	slices.Sort(all)
	return all
}

func SameLines(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func AsJSON(t *testing.T, r *result.ToolResult) []byte {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Problems are what two formats of one run must agree on.
func Problems(r *result.ToolResult, column bool) []string {
	var all []string
	for _, f := range r.Findings {
		spot := f.Location
		if !column {
			spot, _, _ = place.CutLineNumber(spot)
		}
		all = append(all, strings.Join([]string{f.Fingerprint, spot, f.Rule, string(f.Severity)}, "|"))
	}
	slices.Sort(all)
	return all
}

// Shown is a result as a person compares it with the raw output.
func Shown(r *result.ToolResult) []string {
	all := []string{fmt.Sprintf("%s %s %s %v", r.Tool, r.Status, r.ParserConfidence, r.Counts)}
	for _, f := range r.Findings {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s", f.Location, f.Severity, f.Rule, f.Message)))
	}
	return all
}

// SameFindings compares the multisets of path, line, rule and fingerprint. Not
// every format knows the cell of a notebook, and lines in it.
func SameFindings(t *testing.T, a, b *result.ToolResult) {
	t.Helper()
	keys := func(r *result.ToolResult) (all []string) {
		for _, f := range r.Findings {
			if f.At == nil || strings.HasSuffix(f.At.Path, ".ipynb") {
				continue
			}
			all = append(all, fmt.Sprintf("%s:%d %s %s %s", f.At.Path, f.At.Line, f.Rule, f.Fingerprint, f.Message))
		}
		slices.Sort(all)
		return all
	}
	SameLines(t, keys(a), keys(b))
}

// Facts is a result, short enough to be compared by eye.
func Facts(r *result.ToolResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s", r.Tool, r.Status, r.ExitMeaning, r.ParserConfidence)
	keys := make([]string, 0, len(r.Counts))
	for k := range r.Counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(&b, " %s=%d", k, r.Counts[k])
	}
	fmt.Fprintf(&b, " %v\n", r.Extra)
	for _, f := range r.Findings {
		at := "-"
		if f.At != nil {
			at = f.At.String() + "(" + f.At.Function + ")"
		}
		fmt.Fprintf(&b, "  %s|%s|%s|%s|%s|%v\n", f.RawSeverity, f.ID, at, f.Rule, f.Message, f.MessageTruncated)
		if f.Operator+f.Expected+f.Actual != "" {
			fmt.Fprintf(&b, "      %q %q want %q\n", f.Actual, f.Operator, f.Expected)
		}
		for _, rel := range f.Related {
			fmt.Fprintf(&b, "      rel %s %v\n", rel.Message, rel.At)
		}
		fmt.Fprintf(&b, "      frames %v\n      detail %q\n", f.Frames, f.Detail)
	}
	return b.String()
}

// Shell is what a line gives whose output was stdout.
func Shell(line, stdout string, exit int) *result.ToolResult {
	in := tool.Input{Shell: line, Workspace: result.Workspace{Root: "/src", Dir: "/src"}, Source: term.Separate([]byte(stdout), nil)}
	return ParseKnown(in, result.Exit{Observed: true, Code: exit})
}

func Locations(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		all = append(all, f.Location)
	}
	return all
}
