package result

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// countOrder is the order of counts in a summary, the worst first. Counts that are not
// listed follow by name.
var countOrder = []string{
	"failed", "error", "suites_failed", "critical", "high", "moderate", "medium", "low", "unformatted",
	"warning", "info", "flaky", "passed", "skipped", "xfailed", "xpassed", "todo", "cancelled", "deselected",
	"add", "change", "destroy",
}

// badCounts are the counts that by themselves explain a status of failed.
var badCounts = []string{"failed", "error", "suites_failed", "critical", "high", "moderate", "medium", "low", "unformatted"}

// Summarise says in one line how a run ended, from typed data alone: "13 failed, 4
// passed, 1 skipped". It never reads better than the status: if the counts do not
// explain a failure, it adds the exit.
func Summarise(r *ToolResult) string {
	var words []string
	add := func(s string) {
		if s != "" {
			words = append(words, s)
		}
	}
	counts := r.Counts
	if len(counts) == 0 {
		counts = tally(r.Findings)
	}
	cause := exitWords(r)
	if r.Status == Error || r.Status == Unknown {
		add(cause)
		cause = ""
	}
	told := countWords(counts)
	words = append(words, told...)
	if r.ExitMeaning == MeansNoTests || r.Kind == Test && len(told) == 0 && len(counts) > 0 {
		add("no tests ran")
	}
	switch {
	case r.Status == Failed && !explains(counts):
		if r.StatusSource == FromFindings {
			words = append(words, countWords(failures(r.Findings))...)
		} else {
			add(cause)
		}
	case len(words) == 0:
		add(cause)
	}
	if r.Partial {
		add("partial")
	}
	return strings.Join(words, ", ")
}

// exitWords says how the command ended.
func exitWords(r *ToolResult) string {
	switch {
	case r.TimedOut:
		return "timed out"
	case r.Signal != "":
		return "killed by " + r.Signal
	case r.ExitCode == nil:
		return "exit not observed"
	case *r.ExitCode == 126 && r.ExitMeaning == MeansNotExec:
		return "exit 126 (not executable)"
	case *r.ExitCode == 127 && r.ExitMeaning == MeansNotFound:
		return "exit 127 (command not found)"
	case r.ExitMeaning != "" && r.ExitMeaning != MeansFindings && r.ExitMeaning != MeansNoTests:
		return "exit " + strconv.Itoa(*r.ExitCode) + " (" + string(r.ExitMeaning) + ")"
	}
	return "exit " + strconv.Itoa(*r.ExitCode)
}

// countWords lists the counts that are not zero: "2 failed".
func countWords(counts map[string]int) []string {
	var words []string
	tell := func(key string) {
		if n := counts[key]; n > 0 {
			words = append(words, CleanLine(strconv.Itoa(n)+" "+plural(key, n))) // a key may be only control characters
		}
	}
	for _, key := range countOrder {
		tell(key)
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		if !slices.Contains(countOrder, key) {
			tell(key)
		}
	}
	return words
}

// Count is a number with its noun: "1 line", "2 lines".
func Count[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.FormatInt(int64(n), 10) + " " + thing + "s"
}

// plural is the word for n of what key counts; only nouns change with n.
func plural(key string, n int) string {
	switch {
	case key == "suites_failed" && n == 1:
		return "suite failed"
	case key == "suites_failed":
		return "suites failed"
	case n == 1 && strings.HasPrefix(key, "packages_"):
		return "package " + strings.ReplaceAll(strings.TrimPrefix(key, "packages_"), "_", " ")
	case n == 1 && key == "warnings":
		return "warning"
	case n != 1 && (key == "error" || key == "warning"):
		return key + "s"
	}
	return strings.ReplaceAll(key, "_", " ")
}

// explains says whether the counts explain a failure.
func explains(counts map[string]int) bool {
	return slices.ContainsFunc(badCounts, func(key string) bool { return counts[key] > 0 })
}

// tally counts findings by severity, for a tool that prints no counts.
func tally(findings []Finding) map[string]int {
	counts := map[string]int{}
	for i := range findings {
		switch findings[i].Severity {
		case SevFailure:
			counts["failed"]++
		default:
			counts[string(findings[i].Severity)]++
		}
	}
	return counts
}

// failures counts the findings that turned an exit code of 0 into a failure.
func failures(findings []Finding) map[string]int {
	all := tally(findings)
	return map[string]int{"failed": all["failed"], "error": all["error"]}
}
