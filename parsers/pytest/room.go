// Package pytest understands what pytest prints on a terminal, in every style of
// traceback and with its common plugins, and its JUnit XML.
package pytest

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
