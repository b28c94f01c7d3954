package ruff

import (
	"strings"

	"cairn/parsers/read/sarif"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

func parseRuffSARIF(toolName string) func(*tool.Input) *tool.Report {
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		named, version := false, ""
		d := readRuffItems(in, o, "/diagnostics", sarif.Paths, func(d *ruffDoc, item jsontext.Item) {
			switch {
			case item.Path == sarif.Name:
				named = item.Text == `"ruff"`
			case item.Path == sarif.Version:
				version = strings.Trim(item.Text, `"`)
			default:
				r, ok := sarif.Read(item.Text)
				if !ok {
					d.lost++
					return
				}
				d.add(ruffOfSARIF(&r), item.Start, item.End)
			}
		})
		d.seen, d.version = named, version
		return d
	})
}

func ruffOfSARIF(r *sarif.Record) result.Finding {
	f := ruffFinding(lex.Deref(r.RuleID), r.Message.Text, r.Locations[0].At())
	f.Severity, f.Fixes = r.Severity(), r.AllFixes()
	for _, p := range r.RelatedLocations {
		f.Locations = append(f.Locations, p.At())
	}
	return f
}
