package manifest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"cairn/result"
)

// leanPlace is a location as "path:line:column", or as an object where that could not
// be read back. In version 2 a path that the id of the finding begins with is left out.
type leanPlace struct{ result.Location }

func (p leanPlace) MarshalJSON() ([]byte, error) {
	at := result.Location{Path: p.Path, Line: p.Line, Column: p.Column, External: p.External}
	s := at.String()
	if at.Path == "" || parsePlace(s) != at {
		return marshal(at)
	}
	return marshal(s)
}

func (p *leanPlace) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		return json.Unmarshal(data, &p.Location)
	}
	var s string
	err := json.Unmarshal(data, &s)
	p.Location = parsePlace(s)
	return err
}

// parsePlace reads path:line:column, of which all but the path may be missing.
func parsePlace(s string) (l result.Location) {
	first, n := cutNumber(s)
	second, m := cutNumber(first)
	switch {
	case m > 0:
		return result.Location{Path: second, Line: m, Column: n}
	case n > 0:
		return result.Location{Path: first, Line: n}
	}
	return result.Location{Path: s}
}

func cutNumber(s string) (before string, n int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n <= 0 || strconv.Itoa(n) != s[i+1:] {
		return s, 0
	}
	return s[:i], n
}

// maxPlaces bounds the further places of a finding.
const maxPlaces = 5

// otherPlaces are the lines of the workspace that a finding leads to, beside its
// own: the test above a helper that failed, the declaration it speaks of.
func otherPlaces(f *result.Finding) (list []leanPlace) {
	add := func(l *result.Location) {
		if l == nil || l.External || l.Path == "" || f.At != nil && l.Path == f.At.Path && l.Line == f.At.Line || len(list) == maxPlaces {
			return
		}
		at := result.Location{Path: l.Path, Line: l.Line}
		if !slices.ContainsFunc(list, func(p leanPlace) bool { return p.Location == at }) {
			list = append(list, leanPlace{Location: at})
		}
	}
	for i := range f.Locations {
		add(&f.Locations[i])
	}
	for i := range f.Frames {
		add(&f.Frames[i])
	}
	for i := range f.Related {
		if f.At != nil { // else it is kept whole
			add(f.Related[i].At)
		}
	}
	return list
}
