package parsers

import (
	"encoding/json"
	"fmt"

	"cairn/result"
)

// Paths of what is read of a SARIF 2.1.0 log. The rest, most of all the texts
// of the rules, is passed over.
const (
	sarifResult  = "/runs/*/results/*"
	sarifName    = "/runs/*/tool/driver/name"
	sarifVersion = "/runs/*/tool/driver/version"
)

var sarifPaths = []string{sarifResult, sarifName, sarifVersion}

type sarifRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }

type sarifPlace struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           sarifRegion
	}
	Message struct{ Text string }
}

// sarifRecord is one result of a log.
type sarifRecord struct {
	RuleID           *string
	Level            string
	Message          struct{ Text string }
	Locations        []sarifPlace
	RelatedLocations []sarifPlace
	Fixes            []struct {
		Description     struct{ Text string }
		ArtifactChanges []struct {
			ArtifactLocation struct{ URI string }
			Replacements     []struct {
				DeletedRegion   sarifRegion
				InsertedContent struct{ Text string }
			}
		}
	}
}

// readSARIF reads one result; its paths are URIs, which the path rule of
// package result takes as they are.
func readSARIF(text string) (r sarifRecord, ok bool) {
	return r, json.Unmarshal([]byte(text), &r) == nil && len(r.Locations) > 0
}

func (p sarifPlace) at() result.Location {
	region := p.PhysicalLocation.Region
	return result.Location{
		Path: p.PhysicalLocation.ArtifactLocation.URI, Line: region.StartLine, Column: region.StartColumn,
		EndLine: region.EndLine, EndColumn: region.EndColumn, Label: p.Message.Text,
	}
}

// severity maps the level; the default of the format is warning.
func (r *sarifRecord) severity() result.Severity {
	switch r.Level {
	case "error":
		return result.SevError
	case "note", "none":
		return result.SevInfo
	}
	return result.SevWarning
}

func (r *sarifRecord) fixes() (all []result.Fix) {
	for _, f := range r.Fixes {
		fix := result.Fix{Description: f.Description.Text, Applicability: "unknown"}
		for _, change := range f.ArtifactChanges {
			for _, e := range change.Replacements {
				d := e.DeletedRegion
				fix.Edits = append(fix.Edits, result.Edit{
					Path: change.ArtifactLocation.URI, Text: e.InsertedContent.Text,
					Start: fmt.Sprintf("%d:%d", d.StartLine, d.StartColumn), End: fmt.Sprintf("%d:%d", d.EndLine, d.EndColumn),
				})
			}
		}
		all = append(all, fix)
	}
	return all
}
