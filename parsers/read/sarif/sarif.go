package sarif

import (
	"cmp"
	"encoding/json"
	"fmt"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Paths of the values that are read from a SARIF 2.1.0 log. The rest, above all the texts of the rules, is skipped.
const (
	Result  = "/runs/*/results/*"
	Name    = "/runs/*/tool/driver/name"
	Version = "/runs/*/tool/driver/version"
	Rule    = "/runs/*/tool/driver/rules/*"
)

var Paths = []string{Result, Name, Version}

type sarifRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }

type place struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           sarifRegion
	}
	Message struct{ Text string }
}

// RuleRecord is a rule as a log describes it.
type RuleRecord struct {
	ID                   string
	DefaultConfiguration struct{ Level string }
}

// Record is one result of a log.
type Record struct {
	RuleID           *string
	Level            string
	Message          struct{ Text, Markdown, ID string }
	Locations        []place
	RelatedLocations []place
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

// Read reads one result. Its paths are URIs, which package result accepts.
func Read(text string) (r Record, ok bool) {
	ok = json.Unmarshal([]byte(text), &r) == nil && len(r.Locations) > 0
	return r, ok
}

func (p place) At() result.Location {
	region := p.PhysicalLocation.Region
	return result.Location{
		Path: p.PhysicalLocation.ArtifactLocation.URI, Line: region.StartLine, Column: region.StartColumn,
		EndLine: region.EndLine, EndColumn: region.EndColumn, Label: p.Message.Text,
	}
}

// Severity maps the level; the format's default is warning.
func (r *Record) Severity() result.Severity {
	return cmp.Or(result.Severity(lex.Means(r.Level, "error: error; info: note, none")), result.SevWarning)
}

func (r *Record) AllFixes() (all []result.Fix) {
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
