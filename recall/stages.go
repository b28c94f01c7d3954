package recall

import (
	"slices"

	"cairn/manifest"
	"cairn/result"
)

// resultOf is the result of a capture, with the results of those stages of its command
// line that have their own, so that a stage is found as a run of its own would be.
func resultOf(rec *manifest.Record) (*result.ToolResult, error) {
	r, err := rec.Result()
	if err != nil || r == nil {
		return r, err
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		if st.Status == "" {
			continue
		}
		of, err := st.Result()
		if err != nil {
			return nil, err
		}
		addStage(r, of)
	}
	return r, nil
}

// addStage adds the result of a stage to r. If r was recognised as no tool's output, as is usual for a line with
// stages, r takes the stage's tool.
func addStage(r, of *result.ToolResult) {
	if r.ParserConfidence == result.Untyped && of.ParserConfidence != result.Untyped {
		r.Tool, r.ToolFamily, r.Kind, r.Counts, r.ParserConfidence = of.Tool, of.ToolFamily, of.Kind, of.Counts, of.ParserConfidence
		r.Summary = of.Summary
		if r.Status == result.OK {
			r.Status = of.Status
		}
	} else if of.Tool != r.Tool {
		r.Parts = append(r.Parts, result.Part{Tool: of.Tool, Kind: of.Kind, Status: of.Status, Counts: of.Counts, ParserConfidence: of.ParserConfidence, Findings: len(of.Findings)})
	}
	for _, f := range of.Findings {
		if !slices.ContainsFunc(r.Findings, func(g result.Finding) bool { return g.Fingerprint == f.Fingerprint }) {
			r.Findings = append(r.Findings, f)
			r.Truncated.FindingsTotal++
			r.Truncated.FindingsShown++
		}
	}
}

// moreOf are the fingerprints of findings that only the full results hold, those of stages included.
func moreOf(rec *manifest.Record) []string {
	more := rec.More
	for n := 1; rec.Stage(n) != nil; n++ {
		more = slices.Concat(more, rec.Stage(n).More)
	}
	return more
}
