package golang

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/result"
)

// brief is a result as these tests spell it: status and confidence, then a
// line for each finding, sorted. A test goes by its name, a package by its
// last element.
func brief(r *result.ToolResult) []string {
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

// identities are what must be equal between two outputs of one run. What the
// fingerprint leaves out of a message, such as an address, may differ.
func identities(r *result.ToolResult) []string {
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

func asJSON(t *testing.T, r *result.ToolResult) []byte {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// paint colours every line.
func paint(p []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(p) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		b.WriteString("\x1b[31m")
		b.Write(text)
		b.WriteString("\x1b[0m")
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func chop(s term.Stream, at int64, p []byte) term.Bytes {
	var all term.Bytes
	for i := range p {
		all = append(all, term.Chunk{Stream: s, Offset: at + int64(i), Data: p[i : i+1]})
	}
	return all
}

// interleave alternates between pieces of both streams that end anywhere.
func interleave(stdout, stderr []byte) term.Bytes {
	var all term.Bytes
	var at int64
	for len(stdout)+len(stderr) > 0 {
		for i, p := range []*[]byte{&stdout, &stderr} {
			s := []term.Stream{term.Stdout, term.Stderr}[i]
			n := min(len(*p), 37)
			all = append(all, term.Chunk{Stream: s, Offset: at, Data: (*p)[:n]})
			*p = (*p)[n:]
			at += int64(n)
		}
	}
	return all
}

// shortCases leaves out the longest outputs, which say nothing new when cut at every byte.
func shortCases(cases []casetest.Case, limit int) []casetest.Case {
	return slices.DeleteFunc(cases, func(c casetest.Case) bool { return len(c.Stdout) > limit })
}
