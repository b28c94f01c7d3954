package javascript

import (
	"cairn/parsers/javascript/eslint"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tsd", func(p *tool.Parser) {
	p.Is("tsd", result.Typecheck, 1, "tsd 0.20 to 0.33: tests of type definitions")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "pretty", Parse: eslint.Pretty})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error running tsd:", "The type definition `", "Error: ")})
})
