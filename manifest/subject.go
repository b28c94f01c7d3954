package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/result"
)

const (
	maxCommand = 50  // runes of a command in a subject: the line is read in git log --oneline
	maxSummary = 80  // runes of a summary
	maxLines   = 200 // of a commit message; the shards hold the rest
)

// message is subject and body of the commit that folds recs. The subject of
// one record is its summary, of several their number and kinds; the body has
// a line each, with its id.
func message(recs []*Record) (subject, body string) {
	if len(recs) == 1 {
		r := recs[0]
		return summarize(r), strings.TrimSpace(r.ID + " " + commandLine(r))
	}
	var b strings.Builder
	for i, r := range recs {
		if i == maxLines {
			fmt.Fprintf(&b, "… and %d more", len(recs)-i)
			break
		}
		fmt.Fprintf(&b, "%s %s\n", r.ID, summarize(r))
	}
	return tally(recs), strings.TrimSuffix(b.String(), "\n")
}

// tally is "4 captures: 1 failed, 3 passed", and the other kinds after it.
func tally(recs []*Record) string {
	status, kinds := make(map[string]int), make(map[string]int)
	captures := 0
	for _, r := range recs {
		if r.Type == TypeCapture {
			captures++
			status[string(statusOf(r))]++
		} else {
			kinds[printable(r.Type, maxCommand)]++
		}
	}
	var parts []string
	if captures > 0 {
		parts = append(parts, plural(captures, "capture")+": "+counted(status))
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, plural(kinds[k], k))
	}
	return strings.Join(parts, "; ")
}

// statusOf is what the record calls the run.
func statusOf(r *Record) result.Status {
	tr, err := r.Result()
	if tr == nil || err != nil {
		return honestStatus(r, "")
	}
	return honestStatus(r, tr.Status)
}

// summarize is a record in one line: "pytest failed: 1 failed, 120 passed".
func summarize(r *Record) string {
	if r.Type != TypeCapture {
		return printable(strings.Join(strings.Fields(r.Type+" "+r.Target+" "+r.Reason), " "), maxSummary)
	}
	if r.Says != "" && (r.clean() || !impliesZero(r.Says)) {
		return printable(r.Says, maxCommand+maxSummary)
	}
	tr, err := r.Result()
	if tr == nil || err != nil {
		tr = &result.ToolResult{} // the facts of the record speak
	}
	return verdict(r, tr)
}

// verdict says what came of a run: the tool, or the command where none was
// recognised, the status, and why.
func verdict(r *Record, tr *result.ToolResult) string {
	name := tr.Tool
	if name == "" || name == string(result.Untyped) {
		name = commandLine(r)
	}
	status, tail := honestStatus(r, tr.Status), ""
	if why := why(r, tr); why != "" {
		tail = ": " + why
	}
	line := printable(name, maxCommand) + " " + string(status) + tail
	if _, said, _ := parseVerdict(line); said != status && said != "" {
		return "command " + string(status) + tail // it reads like another verdict
	}
	return line
}

// parseVerdict takes a verdict apart, as far as it can be: tool is "" where the
// verdict names a command.
func parseVerdict(says string) (tool string, status result.Status, summary string) {
	name, rest, _ := strings.Cut(says, " ")
	word, summary, _ := strings.Cut(rest, ": ")
	switch status := result.Status(word); status {
	case result.Passed, result.OK, result.Failed, result.Error, result.Unknown:
		return name, status, summary
	}
	return "", "", ""
}

// honestStatus is the result's, unless the facts of the run forbid it: what did
// not exit with 0 is never called passed or ok.
func honestStatus(r *Record, s result.Status) result.Status {
	good := s == result.Passed || s == result.OK
	switch {
	case r.clean() && s == "":
		return result.OK
	case s != "" && (!good || r.clean()):
		return s
	case r.Signal != "" || r.TimedOut:
		return result.Error
	case r.Exit != nil:
		return result.Failed
	}
	return result.Unknown
}

// why is what to add to the status.
func why(r *Record, tr *result.ToolResult) string {
	summary := tr.Summary
	if summary == "exit 0" && r.clean() && tr.Status == result.OK {
		summary = ""
	}
	var parts []string
	add := func(text string) {
		if !strings.Contains(summary, text) {
			parts = append(parts, text)
		}
	}
	switch {
	case r.TimedOut:
		add("timed out")
	case r.Signal != "":
		add("killed by " + printable(r.Signal, maxCommand))
	}
	if r.Partial && !strings.Contains(summary, "partial") {
		add("cut short")
	}
	switch counts := counted(tr.Counts); {
	case summary != "":
		parts = append(parts, printable(summary, maxSummary))
	case counts != "":
		parts = append(parts, counts)
	case tr.Truncated.FindingsTotal > 0:
		parts = append(parts, plural(tr.Truncated.FindingsTotal, "finding"))
	case len(parts) == 0 && r.Exit != nil && *r.Exit != 0:
		parts = append(parts, fmt.Sprintf("exit %d", *r.Exit))
	}
	return strings.Join(parts, ", ")
}

// worstFirst is the order of counts in a summary; others follow by name.
var worstFirst = []string{"failed", "error", "errors", "suites_failed", "warning", "passed", "ok", "unknown", "skipped"}

// counted is "1 failed, 120 passed"; zeros are left out.
func counted(counts map[string]int) string {
	rank := func(name string) int {
		if i := slices.Index(worstFirst, name); i >= 0 {
			return i
		}
		return len(worstFirst)
	}
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	var parts []string
	for _, n := range names {
		if counts[n] != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[n], printable(n, maxCommand)))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func commandLine(r *Record) string {
	if r.Shell != "" {
		return printable(r.Shell, maxCommand)
	}
	return printable(strings.Join(r.Argv, " "), maxCommand)
}

// printable is s on one line, without control and format characters, of at
// most limit runes.
func printable(s string, limit int) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == utf8.RuneError:
			return -1
		}
		return c
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-1]) + "…"
	}
	return s
}
