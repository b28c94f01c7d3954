package lex

import "strings"

func CutLabel(s string, labels ...string) (value string, ok bool) {
	name, value, ok := strings.Cut(s, ":")
	if !ok {
		return "", false
	}
	name = strings.TrimSpace(name)
	for _, l := range labels {
		if strings.EqualFold(name, l) {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// CutCell takes ":cell 3" off the path of a notebook, or what nbQA makes of it,
// ":cell_3". Lines count within the cell then.
func CutCell(path string) (notebook, label string) {
	for _, sep := range [...]string{":cell ", ":cell_"} {
		if i := strings.LastIndex(path, sep); i > 0 {
			return path[:i], "cell " + path[i+len(sep):]
		}
	}
	return path, ""
}
