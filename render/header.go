package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/result"
)

// shortID is how many hex digits of an object id are printed: 48 bits, as for fingerprints, enough to distinguish a
// million objects.
const shortID = 12

// Short is the part of an object id that is printed; recall accepts it as an id.
func Short(oid string) string { return oid[:min(len(oid), len("sha256:")+shortID)] }

// header is the verdict in one line, and the id of the output unless the lines below have it.
func header(r *result.ToolResult, below string) string {
	line := Verdict(r)
	switch {
	case r.Raw != nil && r.Raw.Bytes == 0:
		line += " [no output]"
	case r.RawOID != "" && !strings.Contains(below, Short(r.RawOID)):
		line += " " + Short(r.RawOID)
	}
	return result.CleanLine(line) + "\n"
}

// Verdict says in one line how a run ended and how far that can be trusted:
//
//	pytest failed: 1 failed, 3 passed (exit 1) [output cut short]
func Verdict(r *result.ToolResult) string {
	line := cmp.Or(r.Tool, "command") + " " + string(status(r.Status, r.ExitCode, r.Signal, r.TimedOut))
	how := ending(r)
	if r.Summary != "" && !slices.ContainsFunc(how, func(s string) bool { return strings.HasPrefix(s, r.Summary+", ") }) { // "exit 0, but pytest exited 1"
		line += ": " + r.Summary
	}
	if b := r.Baseline; b != nil && b.Tests != "" {
		line += "; " + b.Tests
	}
	if len(how) > 0 {
		line += " (" + strings.Join(how, ", ") + ")"
	}
	for _, note := range notes(r) {
		line += " [" + note + "]"
	}
	return result.CleanLine(line)
}

// status is s, unless it is a success that the facts contradict. result never derives such a status, but a record may
// come from anywhere.
func status(s result.Status, exit *int, signal string, timedOut bool) result.Status {
	switch {
	case s != result.Passed && s != result.OK:
		return cmp.Or(s, result.Unknown)
	case timedOut || signal != "":
		return result.Error
	case exit == nil:
		return result.Unknown
	case *exit != 0:
		return result.Failed
	}
	return s
}

// ending says how the command ended, unless the summary says it.
func ending(r *result.ToolResult) []string {
	var how []string
	if r.ExitCode != nil && *r.ExitCode != 0 {
		how = append(how, fmt.Sprintf("exit %d", *r.ExitCode))
	}
	if r.Signal != "" {
		how = append(how, r.Signal)
	}
	if r.TimedOut {
		how = append(how, "timed out")
	}
	switch r.ExitMeaning {
	case "", result.MeansFindings: // the findings show it
	case result.MeansNoTests:
		how = append(how, "no tests ran")
	case result.MeansNotFound:
		how = append(how, "command not found")
	default:
		how = append(how, strings.ReplaceAll(string(r.ExitMeaning), "_", " "))
	}
	if r.StatusSource == result.FromFindings {
		how = append(how, "exit 0, but findings say failed")
	}
	if why, ok := r.Extra["swallowed"].(string); ok && r.StatusSource == result.FromStage {
		how = append(how, "exit 0, but "+why)
	} else if ok {
		how = append(how, why)
	}
	if _, shown := r.Extra["shown"]; shown {
		how = append(how, "shown, not run")
	} else if r.Status == result.OK && slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Severity == result.SevError }) {
		how = append(how, "exit 0 despite errors"+exitOf(r))
	}
	return slices.DeleteFunc(how, func(s string) bool { return hasWord(r.Summary, s) })
}

// exitOf names the program whose exit code was seen, if it is not the tool.
func exitOf(r *result.ToolResult) string {
	if of, _ := r.Extra["exit_of"].(string); of != "" {
		return ": it is that of " + of
	}
	return ""
}

// notes are the reasons to doubt the verdict.
func notes(r *result.ToolResult) (notes []string) {
	doubt, _ := r.Extra["doubt"].(string)
	switch {
	case r.ParserConfidence == result.Heuristic && doubt != "":
		notes = append(notes, "not fully parsed: "+doubt)
	case r.ParserConfidence == result.Heuristic:
		notes = append(notes, "not fully parsed")
	case doubt != "":
		notes = append(notes, doubt)
	}
	if why, ok := r.Extra["broken"].(string); ok && why != "" {
		notes = append(notes, "not read in full: "+why)
	}
	if mark, ok := r.Extra["cut"].(string); ok {
		notes = append(notes, "output cut: "+mark)
	}
	if r.Truncated.Raw || r.Partial {
		notes = append(notes, "output cut short")
	}
	if open, _ := r.Extra["open_pipes"].(bool); open {
		notes = append(notes, "a process it started still held the output open")
	}
	return notes
}

// Marks are the notes of a verdict without their reasons, for a list with little room.
func Marks(r *result.ToolResult) []string {
	marks := notes(r)
	for i, note := range marks {
		marks[i], _, _ = strings.Cut(note, ":")
	}
	return marks
}

// parts prints a line for each tool in the output of several:
//
//	part pytest failed: 2 failed, 3 passed
func parts(r *result.ToolResult) string {
	var b strings.Builder
	for _, p := range r.Parts {
		b.WriteString(Part(p) + "\n")
	}
	return b.String()
}

// Part is the line about one part.
func Part(p result.Part) string {
	line := "part " + p.Tool
	if p.Name != "" {
		line += " " + p.Name
	}
	if s := partStatus(p); s != "" {
		line += " " + string(s)
	}
	line += ": " + partWords(p)
	if p.ExitCode != nil && *p.ExitCode != 0 {
		line += fmt.Sprintf(" (exit %d)", *p.ExitCode)
	}
	if p.ParserConfidence == result.Heuristic {
		line += " [not fully parsed]"
	}
	return result.CleanLine(line)
}

// partStatus is the status of a part. The exit code of a part is rarely known; without it, only failures are
// certain.
func partStatus(p result.Part) result.Status {
	if p.Status == "" || p.ExitCode == nil {
		return p.Status
	}
	return status(p.Status, p.ExitCode, "", false)
}

// partWords returns a part's counts or, if it has none, the number of its findings.
func partWords(p result.Part) string {
	for _, n := range p.Counts {
		if n > 0 {
			return result.Summarise(&result.ToolResult{Kind: p.Kind, Status: p.Status, StatusSource: result.FromFindings, Counts: p.Counts})
		}
	}
	if p.Findings == 0 && p.Kind == result.Test {
		return "no tests ran"
	}
	return fmt.Sprintf("%d %s", p.Findings, plural(p.Findings, "finding"))
}
