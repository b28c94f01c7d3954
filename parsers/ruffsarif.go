package parsers

import (
	"strings"

	"cairn/result"
)

func parseRuffSARIF(tool string) func(*Input) *Report {
	return parseRuffDoc(tool, func(in *Input, o *ruffOutput) *ruffDoc {
		named, version := false, ""
		d := readRuffItems(in, o, "/diagnostics", sarifPaths, func(d *ruffDoc, item jsonItem) {
			switch {
			case item.path == sarifName:
				named = item.text == `"ruff"`
			case item.path == sarifVersion:
				version = strings.Trim(item.text, `"`)
			default:
				r, ok := readSARIF(item.text)
				if !ok {
					d.lost++
					return
				}
				d.add(ruffOfSARIF(&r), item.start, item.end)
			}
		})
		d.seen, d.version = named, version
		return d
	})
}

func ruffOfSARIF(r *sarifRecord) result.Finding {
	f := ruffFinding(deref(r.RuleID), r.Message.Text, r.Locations[0].at())
	f.Severity, f.Fixes = r.severity(), r.fixes()
	for _, p := range r.RelatedLocations {
		f.Locations = append(f.Locations, p.at())
	}
	return f
}
