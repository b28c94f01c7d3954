package place

import (
	"slices"
	"strings"

	"cairn/result"
)

// Within finds the place that a message tells of in the midst of its words:
//
//	unresolved name in a.py: line 1, column 16
//	could not parse conf/app.yaml:3:7: bad indent
//	invalid syntax ("a.py", line 3)
//	expected a value in /srv/a.json on line 3
//
// Only a path with an ending counts, and only with a line. Where two places are
// told there is none.
func Within(message string) *result.Location {
	var found *result.Location
	text := message[:min(len(message), MaxPlace)]
	for i := 0; i < len(text); {
		end := i + strings.IndexByte(text[i:]+" ", ' ')
		if at, ok := wordPlace(text[i:end], text[min(end, len(text)):]); ok {
			if found != nil && *found != at {
				return nil
			}
			found = &at
		}
		i = end + 1
	}
	return found
}

// wordPlace reads a word, and what follows it, as a place.
func wordPlace(word, behind string) (at result.Location, ok bool) {
	word = strings.TrimLeft(word, "\"'`([<")
	path := strings.TrimRight(word, "\"'`)]>,:")
	if at, _, ok = cutWord(path + ":"); ok {
		return at, true
	}
	for _, form := range [...]string{" line ", " on line ", " at line "} {
		rest, is := strings.CutPrefix(behind, form)
		line, after := number(rest)
		if !is || line == 0 || !hasEnding(path) || !isPath(path) {
			continue
		}
		at = result.Location{Path: path, Line: line}
		for _, column := range [...]string{", column ", ", col ", " column ", ":"} {
			if tail, is := strings.CutPrefix(after, column); is {
				at.Column, _ = number(tail)
			}
		}
		return at, true
	}
	return at, false
}

// cutWord reads "a.py:3:" and "a.py:3:7:".
func cutWord(word string) (at result.Location, rest string, ok bool) {
	if at, rest, ok = Cut(word); ok && rest == "" && hasEnding(at.Path) && !IsHost(at) {
		return at, "", true
	}
	return at, "", false
}

// hasEnding: the last part of a path ends as the names of files do, with letters.
func hasEnding(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	i := strings.LastIndexByte(base, '.')
	if i <= 0 || len(base)-i > 8 || len(base)-i < 2 {
		return false
	}
	first := base[i+1] | 0x20
	return first >= 'a' && first <= 'z' && strings.Trim(base[:i], "0123456789.") != ""
}

// domains end the names of hosts, and hardly any file that a program reads.
var domains = [...]string{"com", "org", "net", "io", "dev", "local", "internal", "lan", "localdomain", "test", "example", "cloud", "app", "svc", "edu", "gov"}

// IsHost: what looks like a file and a line is a host and its port, as in
// "db.example.com:5432".
func IsHost(at result.Location) bool {
	if at.Column > 0 || strings.ContainsAny(at.Path, `/\`) {
		return false
	}
	ending := at.Path[strings.LastIndexByte(at.Path, '.')+1:]
	return slices.Contains(domains[:], ending) || strings.Trim(at.Path, "0123456789.") == "" || strings.Count(at.Path, ".") > 2
}
