package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// maxSeen bounds how many diagnostics are told from their repetitions. Runs with
// more of them keep MaxFindings of a count that may be too high.
const maxSeen = 4 * tool.MaxFindings

// addDiag keeps a diagnostic once: the library and its tests say the same. It
// returns its index, from 1; 0 for one that is not kept.
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

// overflows counts a diagnostic of one line where there is no room for it.
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

// repeated says that a diagnostic with a place was there before.
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
