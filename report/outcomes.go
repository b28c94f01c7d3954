package report

import (
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/redact"
	"cairn/result"
)

// casesOf are the tests of a run, as its record names them; nil if they were not stored, or are in another clone. Then
// only the findings are known. A test with subtests is left out. Names are redacted like those of findings, since the
// stored list never leaves this clone, but a report may.
func casesOf(s *place.Site, rec *manifest.Record) (cases []Case) {
	list, err := s.Tests(rec)
	if err != nil {
		return nil
	}
	for _, t := range list {
		if t.Parent {
			continue
		}
		one := Case{ID: result.CleanLine(redact.Text(t.ID)), Outcome: string(t.Outcome), Duration: -1}
		if t.DurationMS > 0 {
			one.Duration = t.DurationMS
		}
		cases = append(cases, one)
	}
	return cases
}

// letterOf is the letter of an outcome in a strip.
func letterOf(outcome string) byte {
	switch outcome {
	case "passed":
		return 'p'
	case "failed":
		return letterFailed
	case "error":
		return 'e'
	case "skipped":
		return 's'
	case "xfailed", "xpassed":
		return 'x'
	case "flaky":
		return 'k'
	}
	return letterUnknown
}
