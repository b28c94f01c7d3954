package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// maxSeen bounds the diagnostics whose repetitions are recognized. In a run with more, the count may be too high.
const maxSeen = 4 * tool.MaxFindings

// addDiag adds a diagnostic, unless it repeats one: a library and its tests print the same ones. It
// returns the index from 1, or 0 if the diagnostic was not added.
func (run *cargoRun) addDiag(f result.Finding) int {
	if f.At != nil && run.repeated(f.Message, f.Severity, *f.At) {
		run.duplicates++
		return 0
	}
	if strings.HasPrefix(f.Rule, "clippy::") {
		run.clippy = true
	}
	if len(run.diags) >= run.report.Most() {
		run.dropped++
		return 0
	}
	run.diags = append(run.diags, f)
	return len(run.diags)
}

// overflows counts a one-line diagnostic if there is no room for it, and says whether it did.
func (run *cargoRun) overflows(d *rustcDiag, at result.Location) bool {
	if len(run.diags) < run.report.Most() {
		return false
	}
	if severity, _ := rustcSeverity(d.level); run.repeated(d.message, severity, at) {
		run.duplicates++
	} else {
		run.dropped++
	}
	return true
}

// repeated says whether a diagnostic with a place has been read before.
func (run *cargoRun) repeated(message string, severity result.Severity, at result.Location) bool {
	key := lex.NewHash().Text(message).Text(string(severity)).Text(at.Path).Number(at.Line).Number(at.Column)
	if run.seen[key] {
		return true
	}
	if len(run.seen) < maxSeen {
		run.seen[key] = true
	}
	return false
}
