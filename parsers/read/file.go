package read

import (
	"slices"
	"strings"

	"cairn/parsers/tool"
)

// OnlyFile is the one argument of the command that ends so, for tools that do not name the file that they
// read; "" where there are several, as a pattern may stand for.
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
