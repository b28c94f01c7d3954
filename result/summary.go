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

// Workspace is the directories that matter for paths in a command's output. All are
// absolute; an empty one is unknown. Nothing here is looked up: the caller sets it.
type Workspace struct {
	Root    string   // top of the repository; Dir outside of one
	Dir     string   // directory in which the command ran; Root if empty
	Home    string   // the user's home directory
	Tmp     string   // the directory for temporary files
	Aliases []string // other spellings of Root, such as the one before symbolic links are resolved
}

// Exit is the observed end of a command. Nothing in it is inferred.
type Exit struct {
	Observed bool   // the command ended and its exit code is known
	Code     int    // the exit code, if Observed
	Signal   string // "SIGKILL", if a signal ended the command
	TimedOut bool   // cairn ended the command because its time was up
	Retried  bool   // a command of the line was seen to fail, which the line then ran until it succeeded
	Unheard  bool   // the code is that of another command than the tool: a pipe, a list, "|| true"
}

// Derive is the only rule that turns facts into a status. The first row that
// matches decides:
//
//	the time was up                                           error    timeout
//	a signal ended it                                         error    signal
//	no exit was observed                                      unknown  none
//	126, 127                                                  error    exit_code
//	not 0, and the tool's table says usage, internal,
//	  interrupted, crashed, not_found or not_executable       error    exit_code
//	any other code but 0                                      failed   exit_code
//	0, and a finding says that something failed               failed   findings
//	0, of a recognised and complete test run                  passed   exit_code
//	0                                                         ok       exit_code
//
// A shell reports a child's signal as 128+n, but so does a tool that simply
// exits with 130 failures: such a code is an error only where the caller saw
// the text of a signal and says MeansCrashed.
//
// tested means that a parser recognised a complete run of at least one test. A
// run that selected no tests is ok, never passed, and so is a run whose output
// was not accounted for in full (conf is not Parsed).
func Derive(e Exit, kind Kind, meaning Meaning, conf Confidence, tested bool, findings []Finding) (Status, StatusSource) {
	switch {
	case e.TimedOut:
		return Error, FromTimeout
	case e.Signal != "":
		return Error, FromSignal
	case !e.Observed:
		return Unknown, FromNothing
	case e.Code == 126 || e.Code == 127:
		return Error, FromExit
	case e.Code != 0 && meaning.couldNotRun():
		return Error, FromExit
	case e.Code != 0:
		return Failed, FromExit
	case anyFailed(findings, conf, e.Unheard):
		return Failed, FromFindings
	case kind == Test && tested && conf == Parsed && meaning == "":
		return Passed, FromExit
	}
	return OK, FromExit
}

// couldNotRun says whether the tool never came to a verdict of its own.
func (m Meaning) couldNotRun() bool {
	switch m {
	case MeansUsage, MeansInternal, MeansInterrupted, MeansCrashed, MeansNotFound, MeansNotExec:
		return true
	}
	return false
}

// anyFailed says whether the findings contradict an exit code of 0: a pipe such as
// "pytest | tail" reports the code of tail.
//
// A finding of severity failure counts whatever the confidence, since a reader of "ok"
// looks no further. A build error or a panic counts by its kind only if the output was
// fully understood: a test may print the panic that it provoked. A test that could not
// be run, and a tool that could not run at all (a generic finding: usage,
// configuration), count as errors. Warnings never count, and neither do a linter's
// errors: the tool chose to exit 0 (--exit-zero, a SARIF mode). If the exit code is
// another command's (unheard), the tool did not choose it: every error counts.
func anyFailed(findings []Finding, conf Confidence, unheard bool) bool {
	for i := range findings {
		f := &findings[i]
		if f.Severity == SevFailure || unheard && f.Severity == SevError {
			return true
		}
		if f.Severity == SevError && (f.Kind == TestFailure || f.Kind == GenericFinding) {
			return true
		}
		fatal := f.Kind == BuildError || f.Kind == Panic
		mild := f.Severity == SevWarning || f.Severity == SevInfo
		if fatal && !mild && conf == Parsed {
			return true
		}
	}
	return false
}
