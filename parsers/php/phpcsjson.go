package php

import (
	"encoding/json"
	"maps"
	"slices"

	"cairn/parsers/read"
	"cairn/result"
)

// phpcsFiles reads the member "files" of the json report: an object whose keys
// are paths, or an empty list.
func phpcsFiles(s *read.Sink, item []byte) error {
	var files map[string]struct {
		Messages []struct {
			Message, Source, Type string
			Line, Column          int
			Fixable               bool
		}
	}
	if string(item) == "[]" {
		return nil
	}
	if err := json.Unmarshal(item, &files); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for _, m := range files[path].Messages {
			s.FindHere(result.Finding{
				Severity: read.SeverityOf(m.Type), RawSeverity: m.Type, Rule: m.Source, Message: m.Message, Fixable: m.Fixable,
				At: &result.Location{Path: path, Line: m.Line, Column: m.Column},
			})
		}
	}
	return nil
}
