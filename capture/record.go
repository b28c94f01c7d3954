package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

const (
	// maxInlineArgv bounds the bytes of the command line in a record.
	maxInlineArgv = 8 << 10
	// maxInlineArg bounds the bytes of one argument, if the whole list is too long.
	maxInlineArg = 1 << 10
	// maxName bounds the bytes of names that come from elsewhere: a branch, a
	// directory, an agent, a session.
	maxName = 1 << 10
)

const (
	// maxInline bounds the ToolResult in a record, in bytes of JSON: a shard of 64 KiB
	// then holds at least seven of the longest.
	maxInline = 8 << 10
	// maxSummary bounds the bytes of the summary in a record that has to be shortened.
	maxSummary = 1 << 10
	// maxMore bounds the fingerprints of findings that did not fit, 15 bytes each, so
	// that they fit on a manifest line with the rest of the record.
	maxMore = 2000
)

// setArgv puts the command into the record. It is redacted first, because a cut secret
// can no longer be recognised, then cleaned of control characters, then shortened.
func setArgv(rec *manifest.Record, argv []string, shell string, red *redact.Redactor) {
	rec.Argv = boundArgv(red.Argv(argv))
	if shell != "" {
		rec.Shell = cut(result.Clean(red.Argv([]string{shell})[0]), maxInlineArgv)
	}
}

// boundArgv shortens long arguments. If that is not enough, it keeps the first
// arguments and adds how many it left out.
func boundArgv(argv []string) []string {
	kept, size := make([]string, 0, len(argv)), 0
	for _, a := range argv {
		a = result.Clean(a)
		size += len(a) + len(`"",`)
		kept = append(kept, a)
	}
	if size <= maxInlineArgv {
		return kept
	}
	size = 0
	for i := range kept {
		kept[i] = cut(kept[i], maxInlineArg)
		if size += len(kept[i]) + len(`"",`); size > maxInlineArgv {
			return append(kept[:i], fmt.Sprintf("[… %d more arguments]", len(kept)-i))
		}
	}
	return kept
}

// cut keeps at most n bytes of s, whole characters, and adds how much it left out.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s[… %d bytes]", s[:n], len(s)-n)
}

// boundBy is who ran the command: names that came from flags or the environment.
func boundBy(by *manifest.By, red *redact.Redactor) *manifest.By {
	if by == nil {
		return nil
	}
	return &manifest.By{Agent: boundName(by.Agent, red), Session: boundName(by.Session, red)}
}

// boundName is a name that came from a flag or the environment, as a record holds it.
func boundName(name string, red *redact.Redactor) string {
	return cut(result.CleanLine(red.String(name)), maxName/4)
}

// quoted is an argument as error texts quote it, without the quotes.
func quoted(arg string) string {
	q := strconv.Quote(arg)
	return q[1 : len(q)-1]
}

// addRedacted adds the rules of red that fired to those of the command line.
func addRedacted(list []manifest.Redaction, red *redact.Redactor) []manifest.Redaction {
	for _, fired := range red.Fired() {
		i := slices.IndexFunc(list, func(r manifest.Redaction) bool { return r.Rule == fired.Rule })
		if i < 0 {
			list = append(list, manifest.Redaction{Rule: fired.Rule, Count: fired.Count})
		} else {
			list[i].Count += fired.Count
		}
	}
	slices.SortFunc(list, func(a, b manifest.Redaction) int { return strings.Compare(a.Rule, b.Rule) })
	return list
}

// setResult puts the result into the record, shortened to the limit. If that leaves something
// out, the whole result becomes an object that the record names. lost is the error if this
// object could not be made; the record then holds only the shortened result.
func setResult(rec *manifest.Record, b *backend, full *result.ToolResult) (lost, err error) {
	if err := rec.SetResult(full); err != nil {
		return nil, fmt.Errorf("encoding the result: %w", err)
	}
	if inlineSize(rec) <= maxInline {
		return nil, fit(rec)
	}
	shown, err := bounded(rec, full)
	if err != nil {
		return nil, err
	}
	rec.More = moreOf(full, shown)
	whole, err := full.JSON()
	if err != nil {
		return nil, fmt.Errorf("encoding the result: %w", err)
	}
	info, lost := keepWhole(b.put, whole)
	if lost == nil {
		rec.ResultOID = info.ID.String()
	}
	return lost, fit(rec)
}

// inlineSize is how many bytes of a line the result takes, including the facts of the
// record that a tool chooses.
func inlineSize(rec *manifest.Record) int {
	size := len(rec.RawResult) + len(rec.Tool)
	for key := range rec.Counts {
		size += len(key) + len(`"":1234,`)
	}
	return size
}

func keepWhole(put func(io.Reader) (objects.Info, error), whole []byte) (objects.Info, error) {
	info, err := put(bytes.NewReader(whole))
	if err != nil {
		err = fmt.Errorf("keeping the full result: %w", err)
	}
	return info, err
}

// fit makes sure that the record fits on a line of the manifest, by dropping
// fingerprints. It returns an error if that is not enough.
func fit(rec *manifest.Record) error {
	for {
		line, err := rec.Encode()
		if err != nil || len(line) < manifest.MaxLine {
			return err
		}
		if len(rec.More) == 0 {
			return fmt.Errorf("the record of capture %s has %d bytes, more than a line of the manifest holds", rec.ID, len(line))
		}
		rec.More = rec.More[:len(rec.More)/2]
	}
}

// moreOf are the fingerprints of the findings that were left out, at most
// maxMore, for the history of each finding.
func moreOf(full *result.ToolResult, shown int) []string {
	var more []string
	for _, f := range full.Findings[shown:] {
		if more = append(more, f.Fingerprint); len(more) == maxMore {
			break
		}
	}
	return more
}

// bounded shortens the record's result until it fits: first by dropping findings from
// the end, then by cutting other long texts of the tool. It returns how many findings
// are left.
func bounded(rec *manifest.Record, full *result.ToolResult) (shown int, err error) {
	short := *full
	if err := shrink(rec, &short); err != nil || inlineSize(rec) <= maxInline {
		return len(short.Findings), err
	}
	short.Extra, short.Suppressed = nil, nil
	short.Parts, short.Counts = nil, few(short.Counts)
	short.Tool, short.Summary = cut(short.Tool, maxName), cut(short.Summary, maxSummary)
	short.ToolFamily = cut(short.ToolFamily, maxName)
	err = shrink(rec, &short)
	return len(short.Findings), err
}

// few returns the counts, or nil if they are unreasonably many.
func few(counts map[string]int) map[string]int {
	const most = 40
	size := 0
	for key := range counts {
		size += len(key)
	}
	if len(counts) > most || size > maxName {
		return nil
	}
	return counts
}

// shrink drops findings until the result fits, or none is left. It drops many at once,
// so that a thousand findings do not take a thousand encodings.
func shrink(rec *manifest.Record, short *result.ToolResult) error {
	for {
		if err := rec.SetResult(short); err != nil {
			return fmt.Errorf("encoding the result: %w", err)
		}
		if inlineSize(rec) <= maxInline || len(short.Findings) == 0 {
			return nil
		}
		keep := len(short.Findings) * maxInline / inlineSize(rec)
		short.Findings = short.Findings[:min(keep, len(short.Findings)-1)]
	}
}

// keyOf is the command key of a record. It depends on the command line, not on the tool
// that was recognised, so that a run that printed nothing has the same key.
func keyOf(w result.Workspace, rec *manifest.Record) string {
	argv := rec.Argv
	if rec.Shell != "" {
		argv = []string{"sh", "-c", rec.Shell}
	}
	return w.CommandKey(parsers.CommandTool(rec.ParseAs, rec.Argv, rec.Shell), argv, rec.Dir)
}

// exitOfRecord is the exit in a record in the form that the status rule takes. It is empty for a stage
// with an exit but unknown status: that stage's reader left early, so its exit says nothing.
func exitOfRecord(rec *manifest.Record) result.Exit {
	if rec.OfStage() && rec.Status == result.Unknown {
		return result.Exit{}
	}
	e := result.Exit{Observed: rec.Exit != nil, Signal: rec.Signal, TimedOut: rec.TimedOut}
	e.Retried = rec.Stages != nil && slices.ContainsFunc(rec.Stages.List, func(s manifest.Stage) bool { return retried(rec, s.Argv, s.Exit) })
	if e.Observed {
		e.Code = *rec.Exit
	}
	return e
}

// keepOutcomes makes an object of the list of all tests, if the output or a report
// names a passed test; failed tests are in the findings anyway. The list has unredacted
// names and stays in this clone, as the output does. It can be made from the output
// again, so there is no wait for the disk.
func keepOutcomes(b *backend, s *parsers.Session, red *redact.Redactor, r *result.ToolResult) error {
	list, said := s.Outcomes()
	if said == nil {
		return nil
	}
	said.Reason = red.String(said.Reason)
	if slices.ContainsFunc(list, func(t outcomes.Test) bool { return !t.Outcome.Bad() }) {
		info, err := b.again(list.Encode())
		if err != nil {
			return fmt.Errorf("keeping what each test came to: %w", err)
		}
		said.OID = info.ID.String()
	}
	r.Outcomes, r.CasesOID = said, said.OID
	return nil
}

// Tests is the list of a capture's tests: from its object, or else parsed again from
// the output.
func Tests(s *place.Site, rec *manifest.Record) (outcomes.List, *result.Outcomes, error) {
	if said := rec.Outcomes; said != nil {
		if list, err := s.Tests(rec); err == nil {
			whole := *said
			whole.Counts = list.Counts()
			return list, &whole, nil
		}
	}
	session, _, err := sessionAs(s, rec, func(parsers.Source) (*parsers.Parser, error) {
		return cmp.Or(toldBefore(s, rec), ownParser(s.Place, rec.Argv, rec.Shell, nil)), nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading the tests of capture %s: %w", rec.ID, err)
	}
	list, said := session.Outcomes()
	return list, said, nil
}
