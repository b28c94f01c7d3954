package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("proselint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "proselint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "proselint 0.10 to 0.16",
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: func(d *read.Diagnostic) bool {
			rule, message, ok := strings.Cut(d.Message, " ")
			if ok = ok && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789_.:") == ""; ok {
				d.Rule, d.Message = strings.TrimSuffix(rule, ":"), message
			}
			return ok
		}}.Parse}, read.PythonTrouble("proselint")},
	}
})
