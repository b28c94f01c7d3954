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

// CutCell cuts the cell off the path of a notebook: "a.ipynb:cell 3", or in nbQA's form "a.ipynb:cell_3", gives
// "a.ipynb" and "cell 3". Line numbers of such a place count within the cell.
func CutCell(path string) (notebook, label string) {
	for _, sep := range [...]string{":cell ", ":cell_"} {
		if i := strings.LastIndex(path, sep); i > 0 {
			return path[:i], "cell " + path[i+len(sep):]
		}
	}
	return path, ""
}
