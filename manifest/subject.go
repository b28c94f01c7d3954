package manifest

import (
	"encoding/json"
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
	maxBody    = 200 // lines of a commit message; the shards hold the rest
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
		if i == maxBody {
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
			status[string(brief(r).status(r))]++
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

// summarize is one line: "pytest failed: 1 failed, 120 passed".
func summarize(r *Record) string {
	if r.Type != TypeCapture {
		return printable(strings.Join(strings.Fields(r.Type+" "+r.Target+" "+r.Reason), " "), maxSummary)
	}
	res := brief(r)
	name := res.Tool
	if name == "" || name == string(result.Untyped) {
		name = commandLine(r)
	}
	line := printable(name, maxCommand) + " " + string(res.status(r))
	if why := res.why(r); why != "" {
		line += ": " + why
	}
	return line
}

// briefly is the part of a ToolResult that a subject needs.
type briefly struct {
	Tool      string           `json:"tool"`
	Status    result.Status    `json:"status"`
	Summary   string           `json:"summary"`
	Counts    map[string]int   `json:"counts"`
	Truncated result.Truncated `json:"truncated"`
}

func brief(r *Record) briefly {
	var b briefly
	if len(r.RawResult) > 0 && json.Unmarshal(r.RawResult, &b) != nil {
		return briefly{} // the facts of the record speak
	}
	return b
}

// status is the result's, unless the facts of the run forbid it: what did
// not exit with 0 is never called passed or ok.
func (b briefly) status(r *Record) result.Status {
	good := b.Status == result.Passed || b.Status == result.OK
	switch {
	case r.clean() && b.Status == "":
		return result.OK
	case b.Status != "" && (!good || r.clean()):
		return b.Status
	case r.Signal != "" || r.TimedOut:
		return result.Error
	case r.Exit != nil:
		return result.Failed
	}
	return result.Unknown
}

// why is what to add to the status.
func (b briefly) why(r *Record) string {
	var parts []string
	switch {
	case r.TimedOut:
		parts = append(parts, "timed out")
	case r.Signal != "":
		parts = append(parts, "killed by "+printable(r.Signal, maxCommand))
	}
	if r.Partial {
		parts = append(parts, "cut short")
	}
	switch counts := counted(b.Counts); {
	case counts != "":
		parts = append(parts, counts)
	case b.Summary != "":
		parts = append(parts, printable(b.Summary, maxSummary))
	case b.Truncated.FindingsTotal > 0:
		parts = append(parts, plural(b.Truncated.FindingsTotal, "finding"))
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
