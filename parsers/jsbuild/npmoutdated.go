package jsbuild

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// isOutdated: the head of the table that npm outdated prints.
func isOutdated(line string) bool {
	return slices.Equal(strings.Fields(line)[:min(5, len(strings.Fields(line)))], []string{"Package", "Current", "Wanted", "Latest", "Location"})
}

// outdatedLine reads a row: "left-pad  MISSING  1.3.0  1.3.0  -  store". That npm
// exits with 1 says only that there are some.
func outdatedLine(s *read.Sink, l tool.Line) bool {
	cells := strings.Fields(l.Text)
	switch {
	case isOutdated(l.Text):
		s.Path = "package.json"
		return s.Sign(l)
	case s.Path != "" && len(cells) >= 5 && !strings.HasSuffix(cells[0], ":"):
		return s.Find(l, result.Finding{
			Severity: result.SevWarning, Message: cells[0], At: &result.Location{Path: s.Path},
			Expected: cells[3], Actual: cells[1], Package: &result.PackageRef{Ecosystem: "npm", Name: cells[0], Version: cells[1], FixedVersion: cells[3]},
		})
	}
	return false
}
