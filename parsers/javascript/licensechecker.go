package javascript

import (
	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("license-checker license-checker-rseidelsohn", func(p *tool.Parser) {
	p.Is("license-checker", result.Lint, 1, "license-checker 25: why it ended, and errors after which it exits 0")
	p.Reads(tool.Format{Name: "text", Parse: licenseChecker.Parse})
})

// licenseChecker reads the error that ended a run. license-checker stops at the first package whose license is not
// allowed. Its table of packages has no findings.
var licenseChecker = read.Rows{
	Rows: []read.Row{
		{Form: "Found error", As: read.Skip},
		{Form: "Error: {message}", As: read.Error},
		{Form: `Package "{id}" is {message}. Exiting.`, As: read.Error},
		{Form: "Found license {message}. Exiting.", As: read.Error},
		{Form: "--failOn and --onlyAllow can not be used {}", As: read.Misuse},
	},
	Below: func(s *read.Sink, l tool.Line) bool {
		_, framed := jserror.Frame(l.Text)
		return framed && s.More(l)
	},
}
