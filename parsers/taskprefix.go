package parsers

import "strings"

// taskPrefix is what a runner of tasks puts before each line of a task, for
// lines of which it is not yet known: "[name] " (concurrently), "pkg:task: "
// (turbo, wireit), "dir/package task: " (pnpm --recursive). The last names the
// directory that the task's paths count from. Only what stands behind it can tell whether
// it is one.
func taskPrefix(s string) (prefix, dir string) {
	if strings.HasPrefix(s, "[") {
		if i := strings.Index(s, "] "); i > 0 {
			return s[:i+2], ""
		}
		return "", ""
	}
	i := strings.Index(s, ": ")
	if i <= 0 || strings.ContainsAny(s[:i], "()") {
		return "", ""
	}
	name := s[:i]
	dir, task, spaced := strings.Cut(name, " ")
	switch {
	case spaced && strings.Contains(task, " "):
		return "", ""
	case spaced && strings.Contains(dir, "/"):
		return s[:i+2], dir
	case spaced:
		return s[:i+2], "" // a word may be the runner's own
	case !spaced && strings.Contains(name, ":"):
		return s[:i+2], ""
	}
	return "", ""
}

// cutTask takes a known prefix off a line; an empty line has lost the blank at
// the prefix's end.
func cutTask(s, prefix string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, prefix); ok {
		return rest, true
	}
	return "", s != "" && s == strings.TrimRight(prefix, " ")
}
