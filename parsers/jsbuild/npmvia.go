package jsbuild

import (
	"cmp"
	"encoding/json"
	"slices"

	"cairn/parsers/read"
	"cairn/result"
)

// npmVia is why a package is vulnerable: an advisory, or the name of another.
type npmVia struct{ Title, URL, Severity string }

// UnmarshalJSON reads an object; a name has nothing to tell here.
func (v *npmVia) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return nil
	}
	type plain npmVia
	return json.Unmarshal(data, (*plain)(v))
}

// findSorted finds what came from an object without an order in one, so that the same
// are kept where not all are.
func findSorted(s *read.Sink, all []result.Finding) {
	slices.SortStableFunc(all, func(a, b result.Finding) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	for _, f := range all {
		s.FindHere(f)
	}
}
