package read

import (
	"slices"
	"strings"

	"cairn/parsers/tool"
)

// OnlyFile is the one argument of the command that ends with one of ends, for tools that do not print the name of
// the file that they read; "" if there are several, or a pattern that may stand for several.
func OnlyFile(in *tool.Input, ends ...string) (file string) {
	for _, arg := range in.Command().Argv {
		if arg == "" || arg[0] == '-' || !slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(arg, end) }) {
			continue
		}
		if file != "" || strings.ContainsAny(arg, "*?[") {
			return ""
		}
		file = arg
	}
	return file
}
