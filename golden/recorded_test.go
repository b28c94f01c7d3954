package golden

import (
	"flag"
	"os"
	"slices"
	"strings"
	"sync"

	"cairn/internal/racing"
	"cairn/parsers"
	"cairn/result"
)

var recorded sync.Map // case folder: func() *result.ToolResult

// asRecorded is the result of a case as it was recorded, parsed once for all
// tests. It is shared: not to be changed.
func asRecorded(c Case) *result.ToolResult {
	parse, _ := recorded.LoadOrStore(c.Dir, sync.OnceValue(func() *result.ToolResult {
		return parsers.Parse(c.Input(c.Output), c.Exit)
	}))
	return parse.(func() *result.ToolResult)()
}

// named says that the command line asks for some of the cases by name: one who adds a
// tool sees each of its cases in every shape.
func named() bool { return strings.Contains(flag.Lookup("test.run").Value.String(), "/") }

// everything says that CAIRN_TEST_THOROUGH asks for what is otherwise sampled, as .ci/thorough does.
var everything = os.Getenv("CAIRN_TEST_THOROUGH") != ""

// oneOf is of how many cases one is tried where each is replayed in many shapes. Under the race detector, which makes a
// case five times as long and looks for what has nothing to do with which tool wrote it, few are.
func oneOf() int {
	switch {
	case racing.Enabled && !named():
		return 60
	case everything || named():
		return 1
	}
	return 4
}

// filtered says that only some of the cases are tried.
func filtered() bool { return oneOf() > 1 || named() }

// rewritten is a case of which every text went through edit: what was printed
// and what was written to files.
func rewritten(c Case, edit func([]byte) []byte) Case {
	c.Output = edited(c.Output, edit)
	c.Files = slices.Clone(c.Files)
	for i := range c.Files {
		c.Files[i].Data = edit(c.Files[i].Data)
	}
	return c
}

// parsed is the result of a case that is not as it was recorded.
func parsed(c Case) *result.ToolResult { return parsers.Parse(c.Input(c.Output), c.Exit) }
