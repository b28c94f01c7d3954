package report

import (
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/redact"
	"cairn/result"
)

// casesOf are the tests of a run, as its record names them; none where they were not kept, or are in another clone.
// Findings are then all that is known of its tests. A test with subtests is not one beside them. The names are redacted as
// those of findings are: the list itself is of this clone alone.
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

// letterOf is an outcome in a strip.
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
