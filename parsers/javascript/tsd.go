package javascript

import (
	"cairn/parsers/javascript/eslint"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tsd", func() *tool.Parser {
	return &tool.Parser{
		Tool: "tsd", Kind: result.Typecheck, Version: 1, ColumnUnit: "utf16",
		About: "tsd 0.20 to 0.33: tests of type definitions",
		Formats: []tool.Format{
			{Name: "pretty", Parse: eslint.Pretty},
			{Name: "messages", Parse: jserror.Usage("Error running tsd:", "The type definition `", "Error: ")},
		},
	}
})
