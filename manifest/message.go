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
	maxCommand = 50  // runes of a command in a subject, which git log --oneline shows
	maxSummary = 80  // runes of a summary
	maxLines   = 200 // lines of a commit message; the shards hold everything

	maxFindings  = 20  // lines of findings of a capture that is a commit of its own
	maxInBurst   = 5   // lines of findings of a capture that shares a commit
	maxFinding   = 200 // runes of such a line
	maxValue     = 50  // runes of an expected or actual value
	maxWholeLine = 300 // runes of a command in a body
)

// message is the subject and body of the commit that folds recs, written for readers of
// git log. The subject of one record is its verdict; its body has the findings, and
// trailers that say what ran where. The subject of several records is their number and
// kinds; the body has a line for each, and the findings of those that did not go well.
func message(recs []*Record) (subject, body string) {
	if len(recs) == 1 {
		return summarize(recs[0]), single(recs[0])
	}
	var lines []string
	for i, r := range recs {
		own := []string{r.ID + " " + summarize(r) + beside(r)}
		if r.Type == TypeCapture && !good(statusOf(r)) {
			for _, line := range findingLines(r, maxInBurst) {
				own = append(own, "    "+line)
			}
		}
		if len(lines)+len(own) >= maxLines {
			lines = append(lines, fmt.Sprintf("… and %d more", len(recs)-i))
			break
		}
		lines = append(lines, own...)
	}
	return tally(recs), strings.Join(lines, "\n")
}

// single is the body of the commit for a single record.
func single(r *Record) string {
	var paragraphs []string
	if r.Type == TypeCapture {
		if lines := findingLines(r, maxFindings); len(lines) > 0 {
			paragraphs = append(paragraphs, strings.Join(lines, "\n"))
		}
	}
	return strings.Join(append(paragraphs, trailers(r)), "\n\n")
}

// trailers say what ran, where and by whom, in the form of git interpret-trailers.
func trailers(r *Record) string {
	lines := []string{"Run: " + r.ID}
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, key+": "+printable(value, maxWholeLine))
		}
	}
	add("Command", wholeCommand(r))
	add("Directory", r.Dir)
	if g := r.Git; g != nil && g.Commit != "" {
		at := g.Commit
		if g.Branch != "" {
			at += " (" + g.Branch + ")"
		}
		if g.Dirty != nil && *g.Dirty {
			at += " with changes"
		}
		add("Commit", at)
	}
	if r.By != nil {
		add("Agent", r.By.Agent)
		add("Session", r.By.Session)
	}
	return strings.Join(lines, "\n")
}

// beside is what a line of a commit with several records has after the verdict: the
// command, if the verdict names only a tool, and the directory.
func beside(r *Record) string {
	if r.Type != TypeCapture {
		return ""
	}
	var parts []string
	if command := commandLine(r); !strings.HasPrefix(summarize(r), command) {
		parts = append(parts, command)
	}
	if r.Dir != "" && r.Dir != "." {
		parts = append(parts, "in "+printable(r.Dir, maxCommand))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, " ") + ")"
}

// findingLines are the findings of a capture, in at most most lines; the last line then
// counts the rest. If a run failed without findings, they are the end of its text.
func findingLines(r *Record, most int) (lines []string) {
	tr, err := r.Result()
	if tr == nil || err != nil {
		return nil
	}
	for i := range tr.Findings {
		lines = append(lines, findingLine(&tr.Findings[i]))
	}
	total := max(tr.Truncated.FindingsTotal, len(lines))
	if total > most || total > len(lines) {
		lines = lines[:min(len(lines), most-1)]
		return append(lines, "… "+result.Count(total-len(lines), "more finding"))
	}
	if len(lines) > 0 || good(tr.Status) {
		return lines
	}
	for line := range strings.Lines(tr.Body) {
		if line = printable(line, maxFinding); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(len(lines)-most, 0):]
}

// findingLine is a finding in one line: its place, its id or rule, and its message.
func findingLine(f *result.Finding) string {
	var parts []string
	for _, p := range []string{f.Location, f.ID, f.Rule} {
		if p != "" && !(p == f.Rule && strings.HasPrefix(f.Message, f.Rule)) {
			parts = append(parts, p)
		}
	}
	line := strings.Join(append(parts, f.Message), ": ")
	switch {
	case f.Expected != "" && f.Actual != "":
		line += " (expected " + printable(f.Expected, maxValue) + ", got " + printable(f.Actual, maxValue) + ")"
	case f.Expected != "":
		line += " (expected " + printable(f.Expected, maxValue) + ")"
	case f.Actual != "":
		line += " (got " + printable(f.Actual, maxValue) + ")"
	}
	if f.Severity == result.SevWarning || f.Severity == result.SevInfo {
		line = string(f.Severity) + ": " + line
	}
	return printable(line, maxFinding)
}

// tally is the subject for several records: "4 captures: 1 failed (pytest), 3 passed", followed by the other kinds.
func tally(recs []*Record) string {
	status, kinds := make(map[string]int), make(map[string]int)
	captures := 0
	var bad []string // tools of the captures that did not go well
	for _, r := range recs {
		if r.Type != TypeCapture {
			kinds[printable(r.Type, maxCommand)]++
			continue
		}
		captures++
		s := statusOf(r)
		status[string(s)]++
		name, _, _ := strings.Cut(summarize(r), " ")
		if !good(s) && !slices.Contains(bad, name) {
			bad = append(bad, name)
		}
	}
	var parts []string
	if captures > 0 {
		line := result.Count(captures, "capture") + ": " + counted(status)
		if n := len(bad) - maxNamed; n > 0 {
			bad = append(bad[:maxNamed], fmt.Sprintf("%d more", n))
		}
		if len(bad) > 0 {
			line += " [" + strings.Join(bad, ", ") + "]"
		}
		parts = append(parts, line)
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, result.Count(kinds[k], k))
	}
	return strings.Join(parts, "; ")
}

// maxNamed is how many tools the subject of a burst names.
const maxNamed = 3

func good(s result.Status) bool { return s == result.Passed || s == result.OK }

// statusOf is the status of a run: see honestStatus.
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
	if r.Says != "" {
		return printable(r.Says, maxCommand+maxSummary)
	}
	tr, err := r.Result()
	if tr == nil || err != nil {
		tr = &result.ToolResult{} // the record's own facts are used
	}
	return verdict(r, tr)
}

// verdict is the verdict in one line: the tool, or the command if no tool was
// recognised, the status, and the reason.
func verdict(r *Record, tr *result.ToolResult) string {
	name := tr.Tool
	if name == "" || name == string(result.Untyped) {
		name = commandLine(r)
	}
	status, reason := honestStatus(r, tr.Status), ""
	if why := why(r, tr); why != "" {
		reason = ": " + why
	}
	if name = printable(name, maxCommand); readsAsVerdict(name) {
		name = "command"
	}
	return name + " " + string(status) + reason
}

// plainVerdict is the verdict that the facts of a line imply: "pytest passed: 121 passed".
func (r *Record) plainVerdict() string {
	said := r.Tool + " " + string(r.Status)
	if counts := counted(r.Counts); counts != "" {
		said += ": " + counts
	}
	return said
}

// readsAsVerdict says whether a command line looks like a verdict, as "x ok: y" does.
func readsAsVerdict(name string) bool {
	for word := range strings.FieldsSeq(name) {
		switch result.Status(strings.TrimSuffix(word, ":")) {
		case result.Passed, result.OK, result.Failed, result.Error, result.Unknown:
			return strings.Contains(name, " ")
		}
	}
	return false
}

// honestStatus is the status of the result, unless the exit contradicts it: a run that
// did not exit with 0 is never called passed or ok.
func honestStatus(r *Record, s result.Status) result.Status {
	switch {
	case r.clean() && s == "":
		return result.OK
	case s != "" && (!good(s) || r.clean()):
		return s
	case r.Signal != "" || r.TimedOut:
		return result.Error
	case r.Exit != nil:
		return result.Failed
	}
	return result.Unknown
}

// why is the text after the status: the summary and how the run ended.
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
	case r.Signal != "" && !strings.Contains(summary, r.Signal):
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
		parts = append(parts, result.Count(tr.Truncated.FindingsTotal, "finding"))
	case len(parts) == 0 && r.Exit != nil && *r.Exit != 0:
		parts = append(parts, fmt.Sprintf("exit %d", *r.Exit))
	}
	return strings.Join(parts, ", ")
}

// worstFirst is the order of counts in a summary; other counts follow by name.
var worstFirst = []string{"failed", "error", "errors", "suites_failed", "warning", "passed", "ok", "unknown", "skipped"}

// counted is the counts as text: "1 failed, 120 passed". Zeros are left out.
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

// commandLine is the command as it was given, shortened to maxCommand runes.
func commandLine(r *Record) string {
	if r.Shell != "" {
		return printable(r.Shell, maxCommand)
	}
	return printable(strings.Join(r.Argv, " "), maxCommand)
}

// wholeCommand is the command quoted for a shell.
func wholeCommand(r *Record) string {
	if r.Shell != "" {
		return r.Shell
	}
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"
	words := make([]string, len(r.Argv))
	for i, arg := range r.Argv {
		if words[i] = arg; arg == "" || strings.Trim(arg, plain) != "" {
			words[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// printable is s on one line of at most limit runes, without control and format
// characters.
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
