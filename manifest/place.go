package manifest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"cairn/result"
)

// leanPlace is a location as "path:line:column", or as an object if that text could not
// be read back. In version 2 the path is left out if the finding's id begins with it.
type leanPlace struct{ result.Location }

func (p leanPlace) MarshalJSON() ([]byte, error) {
	at := result.Location{Path: p.Path, Line: p.Line, Column: p.Column, External: p.External}
	s := at.String()
	if at.Path == "" || parsePlace(s) != at {
		return result.Marshal(at)
	}
	return result.Marshal(s)
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

// parsePlace reads "path:line:column"; line and column may be missing.
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

// maxPlaces is how many further places of a finding are kept.
const maxPlaces = 5

// otherPlaces are the other lines of the workspace that a finding names: the test that
// called a helper which failed, the declaration that a message mentions.
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
		if f.At != nil { // otherwise it is kept in full
			add(f.Related[i].At)
		}
	}
	return list
}
