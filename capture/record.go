package capture

import (
	"fmt"
	"slices"

	"cairn/internal/redact"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

const (
	// maxInline bounds the ToolResult in a record, in bytes of JSON: a shard of
	// 64 KiB then holds at least seven of the worst.
	maxInline = 8 << 10
	// maxInlineBody bounds the reduced text in a record that has to shrink.
	maxInlineBody = 1 << 10
	// maxInlineArgv bounds the command line in a record.
	maxInlineArgv = 8 << 10
	// maxMore bounds the fingerprints of findings that did not fit, 15 bytes
	// each: with the rest of the record they stay within a manifest line.
	maxMore = 2000
	// maxInlineOrder is the longest stream order that a record holds itself:
	// with it, the many runs that print on one stream need no second object.
	maxInlineOrder = 64
)

// setResult puts the result into the record, bounded; what does not fit is
// kept whole as an object that the record names.
func setResult(rec *manifest.Record, store *objects.Store, full *result.ToolResult) error {
	whole, err := full.JSON()
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	if len(whole) <= maxInline {
		rec.RawResult = whole
		return nil
	}
	short, shown, err := bounded(full)
	if err != nil {
		return err
	}
	rec.RawResult, rec.More = short, moreOf(full, shown)
	info, err := store.PutBytes(whole)
	if err != nil {
		return fmt.Errorf("keeping the full result: %w", err)
	}
	rec.ResultOID = info.ID.String()
	return nil
}

// moreOf are the fingerprints of the findings that were left out, so that the
// history of a finding misses none.
func moreOf(full *result.ToolResult, shown int) []string {
	var more []string
	for _, f := range full.Findings[shown:] {
		if more = append(more, f.Fingerprint); len(more) == maxMore {
			break
		}
	}
	return more
}

// bounded leaves out, until it fits: details, then most of the body, then
// findings from the end. Truncated says how many are shown.
func bounded(full *result.ToolResult) (line []byte, shown int, err error) {
	short := *full
	short.Findings = slices.Clone(full.Findings)
	for i := range short.Findings {
		f := &short.Findings[i]
		short.Truncated.DetailBytesOmitted += len(f.Detail) + len(f.Diff)
		f.Detail, f.Diff, f.Frames, f.Extra = "", "", nil, nil
	}
	if len(short.Body) > maxInlineBody {
		short.Truncated.BodyBytesOmitted += len(short.Body)
		short.Body = ""
	}
	for {
		short.Truncated.FindingsShown = len(short.Findings)
		line, err := short.JSON()
		if err != nil {
			return nil, 0, fmt.Errorf("encoding the result: %w", err)
		}
		if len(line) <= maxInline || len(short.Findings) == 0 {
			return line, len(short.Findings), nil
		}
		// Drop in proportion, so that a thousand findings do not cost a
		// thousand encodings.
		keep := len(short.Findings) * maxInline / len(line)
		short.Findings = short.Findings[:min(keep, len(short.Findings)-1)]
	}
}

// setArgv puts the command into the record, redacted and bounded.
func setArgv(rec *manifest.Record, argv []string, shell string, red *redact.Redactor) {
	rec.Argv, rec.Shell = boundArgv(red.Argv(argv)), red.String(shell)
	if len(rec.Shell) > maxInlineArgv {
		rec.Shell = fmt.Sprintf("%s[… %d bytes]", result.Clean(rec.Shell[:maxInlineArgv]), len(rec.Shell)-maxInlineArgv)
	}
}

// boundArgv keeps the beginning of a very long argument list and says how much
// is left out.
func boundArgv(argv []string) []string {
	var kept []string
	size := 0
	for i, a := range argv {
		if size += len(a); size > maxInlineArgv {
			return append(kept, fmt.Sprintf("[… %d more arguments]", len(argv)-i))
		}
		kept = append(kept, result.Clean(a))
	}
	return kept
}

// setRedacted lists the rules that fired.
func setRedacted(rec *manifest.Record, red *redact.Redactor) {
	rec.Redacted = nil
	for _, f := range red.Fired() {
		rec.Redacted = append(rec.Redacted, manifest.Redaction{Rule: f.Rule, Count: f.Count})
	}
}

// keyOf is the command key of a record: of what argv names, not of what was
// recognised, so that a run that printed nothing has the same.
func keyOf(w result.Workspace, rec *manifest.Record, tool string) string {
	argv := rec.Argv
	if rec.Shell != "" {
		argv = []string{"sh", "-c", rec.Shell}
	}
	return w.CommandKey(parsers.CommandTool(tool, rec.Argv, rec.Shell), argv, rec.Dir)
}
