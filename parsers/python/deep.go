package python

import (
	"cairn/parsers/python/mypy"
	"cairn/parsers/python/pytest"
	"cairn/parsers/python/ruff"
	"cairn/parsers/tool"
)

// The parsers of tools that print in many formats are in folders of their own.
var (
	_ = Room.Add("mypy dmypy", mypy.Declare, tool.WritesFiles)
	_ = Room.Add("pytest py.test pytest-3", pytest.Declare, tool.WritesFiles)
	_ = Room.Add("ruff", ruff.Check, tool.WritesFiles)
	_ = Room.Add("ruff", ruff.Format)
)
