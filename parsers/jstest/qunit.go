package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// qunit prints only the Test Anything Protocol, so the command alone shows that an output is qunit's. The same holds
// for tape.
var _ = Room.Add("qunit", func(p *tool.Parser) {
	p.Is("qunit", result.Test, 1, "qunit 2 and 3 on the command line")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "tap", Parse: parseQunit})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"No files were found matching: ", "error: "}, End: read.Misused}.Parse})
})

// parseQunit reads the protocol. If a file did not load or no test was selected, the test "global failure" has the
// reason, and "Bail out!" repeats it.
func parseQunit(in *tool.Input) *tool.Report {
	rep := tap.Tests(in)
	closedBy(in, rep, "# fail ")
	if rep == nil || !slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.ID == "global failure" }) {
		return rep
	}
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "Bail out!") })
	rep.Claimed, rep.Complete = len(rep.Findings), true
	return rep
}

// closedBy marks a report as incomplete, unless the last line of stdout that is not blank begins with one of starts.
func closedBy(in *tool.Input, rep *tool.Report, starts ...string) {
	last := ""
	for l := range in.LinesOf(tool.Stdout) {
		if strings.TrimSpace(l.Text) != "" {
			last = strings.Clone(l.Text)
		}
	}
	if rep != nil && !lex.HasAnyPrefix(last, starts...) {
		rep.Complete = false
	}
}
