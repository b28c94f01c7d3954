package recall

import (
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// Whole is the result of a record with all that its line leaves out: the findings of
// the full result, and the texts around findings, which it gets by parsing the raw
// output again. If this version of the parser reads the output differently, the
// recorded findings stay, with the texts of equal findings. note says what is missing,
// and why.
func Whole(s *place.Site, rec *manifest.Record, r *result.ToolResult) (whole *result.ToolResult, note string) {
	if r == nil || rec.V < 2 || rec.ResultOID != "" {
		return Full(s, rec, r)
	}
	if s.Parse == nil {
		return r, ""
	}
	anew, err := s.Parse(rec)
	if err != nil {
		return r, "the details of findings are not here: " + err.Error()
	}
	if same(anew, r) {
		return anew, ""
	}
	return withTexts(r, anew), "this version reads the output in another way than was recorded: findings are as recorded, with the details of those that are the same"
}

// same says whether two results have the same verdict and the same findings.
func same(a, b *result.ToolResult) bool {
	return a.Status == b.Status && a.Tool == b.Tool && a.Summary == b.Summary &&
		slices.EqualFunc(a.Findings, b.Findings, func(x, y result.Finding) bool { return x.Fingerprint == y.Fingerprint })
}

// withTexts is the recorded result with the texts of those findings that anew has too.
func withTexts(recorded, anew *result.ToolResult) *result.ToolResult {
	type key struct {
		fingerprint string
		occurrence  int
	}
	found := make(map[key]result.Finding, len(anew.Findings))
	for _, f := range anew.Findings {
		found[key{f.Fingerprint, f.Occurrence}] = f
	}
	whole := *recorded
	whole.Findings = slices.Clone(recorded.Findings)
	for i, f := range whole.Findings {
		if g, ok := found[key{f.Fingerprint, f.Occurrence}]; ok {
			whole.Findings[i] = g
		}
	}
	return &whole
}
