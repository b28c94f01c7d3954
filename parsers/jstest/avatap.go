package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/tap"
	"cairn/parsers/tool"
	"cairn/result"
)

// avaTAP reads --tap. What the default reporter prints in the block of a test is the
// value of "details" there:
//
//	not ok 2 - totals
//	  ---
//	    name: AssertionError
//	    assertion: t.is()
//	    details:
//	      'Difference (- actual, + expected):': |-
//	        - 3
//	        + 4
//	    message: ''
func avaTAP(in *tool.Input) *tool.Report {
	rep := tap.Tests(in)
	if rep == nil {
		return nil
	}
	byTitle := map[string]*result.Finding{}
	for i := range rep.Findings {
		byTitle[rep.Findings[i].ID] = &rep.Findings[i]
	}
	d := avaDetails{}
	for l := range in.LinesOf(tool.Stdout) {
		if d.line(l.Text) {
			d.fill(byTitle[d.title])
		}
	}
	return rep
}

// avaDetails collects the details of one test.
type avaDetails struct {
	title string
	open  bool // within the details
	text  jserror.Text
}

// line takes a line, and says whether the details of a test end with it.
func (d *avaDetails) line(line string) (ended bool) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if rest, ok := strings.CutPrefix(line, "not ok "); ok {
		_, d.title, _ = strings.Cut(rest, " - ")
		d.title, d.open, d.text = strings.Clone(d.title), false, jserror.Text{}
		return false
	}
	switch {
	case d.open && indent <= len("    ") && text != "":
		d.open = false
		return true
	case !d.open:
		d.open = line == "    details:"
	case indent == len("      ") && strings.HasPrefix(text, "'"): // a label of the default reporter's, and its value
		label, value, _ := strings.Cut(text[1:], "': ")
		d.text.Add(label)
		if value = strings.TrimSpace(value); value != "" && value[0] != '|' {
			d.text.Add(strings.Trim(value, "'"))
		}
	default:
		d.text.Add(line)
	}
	return false
}

// fill explains a finding as the default reporter's text does. The class of the
// assertion is not in that text.
func (d *avaDetails) fill(f *result.Finding) {
	if f == nil || len(d.text.Lines) == 0 {
		return
	}
	at := f.At
	f.Rule, f.Detail = "", strings.Join(read.Dedent(d.text.Lines), "\n")
	own := f.Message
	if strings.HasPrefix(own, "t.") || own == "not ok" {
		f.Message, own = "assertion failed", ""
	}
	avaExplain(f, d.text.Lines)
	if _, _, thrown := avaThrown(d.text.Lines); own != "" && thrown == "" {
		f.Message = own // the message that the test gave the assertion
	}
	if f.At == nil {
		f.At = at
	}
}
