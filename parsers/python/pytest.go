package python

import (
	"cairn/parsers/python/pytest"
	"cairn/parsers/tool"
)

var _ = Room.Add("pytest py.test pytest-3", pytest.Parser, tool.WritesFiles)
