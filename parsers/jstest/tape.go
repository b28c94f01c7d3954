package jstest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/tap"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tape", func(p *tool.Parser) {
	p.Is("tape", result.Test, 1, "tape 4 and 5, tap-spec 5")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "tap", Starts: []string{"at Test.assert [as _assert] (", "# fail  "}, Named: true, Parse: parseTape})
	p.Reads(tool.Format{Name: "spec", Starts: []string{"total:     "}, Parse: read.Fresh(newTapSpec)})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ")})
})

// parseTape reads the protocol, and the uncaught error that ended the run in the middle of a test.
func parseTape(in *tool.Input) *tool.Report {
	rep := tap.Parse(in)
	closedBy(in, rep, "# ok", "# fail ")
	nameTape(in, rep)
	return endedBy(nodeCrash(in), rep)
}

// endedBy adds the error that ended the process, if any, to the report of the tests until then.
func endedBy(died, rep *tool.Report) *tool.Report {
	if died == nil || rep == nil {
		return cmp.Or(rep, died)
	}
	for _, f := range died.Findings {
		rep.Add(f)
	}
	rep.Meaning, rep.Complete = result.MeansCrashed, true
	for _, c := range died.Covered {
		rep.CoverSpan(c.Start, c.End)
	}
	return rep
}

// nameTape gives each failed assertion the name of its test, which tape prints as a comment above it: "# totals".
func nameTape(in *tool.Input, rep *tool.Report) {
	if rep == nil {
		return
	}
	test, tests := "", map[int64]string{}
	for l := range in.LinesOf(tool.Stdout) {
		if name, ok := strings.CutPrefix(l.Text, "# "); ok {
			test = strings.Clone(name)
		} else if strings.HasPrefix(l.Text, "not ok ") && test != "" && len(tests) < rep.Most() {
			tests[l.Start] = test
		}
	}
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if f.RawSpan != nil && tests[f.RawSpan.Start] != "" && !strings.HasPrefix(f.ID, "test exited without ending: ") { // tape prints it at the end, below the name of the last test that began
			f.Suite, f.Name = []string{tests[f.RawSpan.Start]}, f.ID
			f.ID = f.Suite[0] + " › " + f.Name
		}
	}
}
