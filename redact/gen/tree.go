package main

import "regexp/syntax"

// Limits of the sets below: enough for the largest vendor name with its spellings (snyk, 72).
const (
	maxPrefixes = 128
	minPrefix   = 3
	maxBranch   = 8 // further alternatives would only lengthen the table
)

// prefixes returns a set of texts, one of which begins every match; exact says whether a match is exactly one of them.
// A class is expanded only if that completes a prefix that is too short to search for.
func prefixes(re *syntax.Regexp) (set []string, exact bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpBeginLine:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, true
	case syntax.OpCapture:
		return prefixes(re.Sub[0])
	case syntax.OpCharClass:
		return classPrefixes(re)
	case syntax.OpQuest:
		sub, exact := prefixes(re.Sub[0])
		return append([]string{""}, sub...), exact
	case syntax.OpRepeat, syntax.OpPlus:
		if re.Op == syntax.OpRepeat && re.Min == 0 {
			return []string{""}, false
		}
		sub, _ := prefixes(re.Sub[0])
		return sub, false
	case syntax.OpAlternate:
		exact = true
		for _, s := range re.Sub {
			sub, e := prefixes(s)
			set, exact = append(set, sub...), exact && e
		}
		return set, exact
	case syntax.OpConcat:
		return concatPrefixes(re.Sub)
	}
	return []string{""}, false
}

func classPrefixes(re *syntax.Regexp) ([]string, bool) {
	var set []string
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1] && len(set) <= maxPrefixes; r++ {
			if r < 0x80 { // the long s and the Kelvin sign match ASCII letters, but no secret contains them
				set = append(set, string(r))
			}
		}
	}
	if len(set) > maxPrefixes {
		return []string{""}, false
	}
	return set, true
}

func concatPrefixes(subs []*syntax.Regexp) ([]string, bool) {
	set, exact := []string{""}, true
	for _, sub := range subs {
		next, e := prefixes(sub)
		if len(next) > maxBranch && shortest(set) >= minPrefix || len(next)*len(set) > maxPrefixes {
			return set, false
		}
		set = cross(set, next)
		if !e {
			return set, false
		}
	}
	return set, exact
}

func cross(heads, tails []string) []string {
	var out []string
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return out
}

func shortest(set []string) int {
	n := len(set[0])
	for _, s := range set {
		n = min(n, len(s))
	}
	return n
}

// maxReach is how many bytes an unbounded pattern is tried on; the engine adds the rest of the secret.
const maxReach = 2048

// reach is the length in bytes of the longest match, and some more to see where it ends, at most maxReach.
func reach(re *syntax.Regexp) int { return min(longest(re)+4, maxReach) }

func longest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(string(re.Rune))
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpQuest:
		return longest(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return maxReach
	case syntax.OpRepeat:
		if re.Max < 0 {
			return maxReach
		}
		return min(maxReach, re.Max*longest(re.Sub[0]))
	case syntax.OpAlternate:
		n := 0
		for _, s := range re.Sub {
			n = max(n, longest(s))
		}
		return n
	case syntax.OpConcat:
		n := 0
		for _, s := range re.Sub {
			n += longest(s)
		}
		return min(n, maxReach)
	}
	return 0
}
