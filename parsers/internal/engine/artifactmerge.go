package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mergeReports merges a file's report into the text's report of the same run. A failure that both have becomes one
// finding, with the fuller details; other findings stay. Counts are the text's; the file's are not added, as they
// count the same tests.
func mergeReports(r, file *tool.Report, of *tool.Parser, w result.Workspace) {
	if of.Supersede != nil {
		r.Findings = of.Supersede(r.Findings, file.Findings)
	}
	text, theirs := identified(r.Findings, of.Tool, w), identified(file.Findings, of.Tool, w)
	pairs := matched(text, theirs, of.TestOf)
	same, added := 0, 0
	for j, i := range pairs {
		if i >= 0 {
			if r.Tests.AreShort() {
				r.Findings[i].ID = file.Findings[j].ID
			}
			file.Tests.Also(file.Findings[j].ID, r.Findings[i].ID)
			fill(&r.Findings[i], &file.Findings[j], text[i], theirs[j])
			same++
			continue
		}
		if theirs[j].Kind == "" {
			continue // the file contains it twice
		}
		r.Add(file.Findings[j])
		added++
	}
	r.Tests = tool.MergeTests(r.Tests, file.Tests, r.Counts)
	reconcileCounts(r, file, same == len(text) && added == 0)
	r.Version = cmp.Or(r.Version, file.Version)
	r.Tested = r.Tested || file.Tested
	r.Doubt = cmp.Or(r.Doubt, file.Doubt)
	if r.NoTests && len(file.Findings) > 0 {
		r.NoTests = false
	}
}

// reconcileCounts keeps one count of failures, and notes a doubt if the two differ. If all failures of one are
// among those of the other (agreed), they only count by different rules.
func reconcileCounts(r, file *tool.Report, agreed bool) {
	if r.Dropped > 0 || file.Dropped > 0 {
		r.Dropped = max(r.Dropped, file.Dropped)
		return
	}
	mine, known := failedIn(r.Counts)
	theirs, said := failedIn(file.Counts)
	switch {
	case !said:
	case !known:
		for key, n := range file.Counts {
			r.Counts = addCount(r.Counts, key, n)
		}
		r.Claimed = max(r.Claimed, file.Claimed)
	case mine == theirs && file.Claimed >= 0:
		r.Claimed = min(r.Claimed, file.Claimed) // the file may know that some are no failures of their own
	case mine != theirs && !agreed:
		r.Doubt = cmp.Or(r.Doubt, doubtful(mine, theirs))
	}
}

// failedIn counts the tests that did not pass; known says whether any test was counted.
func failedIn(counts map[string]int) (n int, known bool) {
	for _, key := range []string{"passed", "failed", "error", "skipped", "xfailed", "xpassed"} {
		known = known || counts[key] > 0
	}
	return counts["failed"] + counts["error"], known
}

// identified returns copies of the findings as Seal leaves them: with fingerprints, and with paths relative to the
// workspace.
func identified(findings []result.Finding, toolName string, w result.Workspace) []result.Finding {
	all := make([]result.Finding, len(findings))
	for i, f := range findings {
		all[i] = result.Finding{
			Kind: f.Kind, Severity: f.Severity, Source: f.Source, ID: f.ID, Name: f.Name, Rule: f.Rule, Message: f.Message,
			MessageTruncated: f.MessageTruncated, Package: f.Package, Extra: map[string]any{"at": i},
		}
		if f.At != nil {
			at := *f.At
			all[i].At = &at
		}
	}
	sealed := result.ToolResult{Tool: toolName, Findings: all}
	result.Seal(&sealed, w)
	back := make([]result.Finding, len(findings)) // Seal drops duplicates
	for _, f := range sealed.Findings {
		if i, ok := f.Extra["at"].(int64); ok {
			back[i] = f
		}
	}
	return back
}

// samenesses are keys, the surest first: two findings with the same key are the same failure. An empty key matches
// nothing.
var samenesses = []func(f *result.Finding) string{
	func(f *result.Finding) string { return f.Fingerprint },
	func(f *result.Finding) string {
		if f.ID == "" || !ofTest(f) {
			return ""
		}
		return string(f.Severity) + " " + f.ID
	},
	func(f *result.Finding) string {
		if !ofTest(f) {
			return ""
		}
		return f.ID
	},
	func(f *result.Finding) string {
		if f.At == nil || f.At.Line == 0 {
			return ""
		}
		return placeKey(f) + " " + cmp.Or(f.Rule, squeezed(f.Message))
	},
	func(f *result.Finding) string {
		if f.At == nil || f.At.Line == 0 {
			return ""
		}
		return placeKey(f) + " " + squeezed(f.Message)
	},
}

// sameTest returns a key for reports that name only the test of a failed subtest.
func sameTest(testOf func(id string) string) func(f *result.Finding) string {
	return func(f *result.Finding) string {
		if f.Kind != result.TestFailure || testOf == nil {
			return ""
		}
		return testOf(f.ID)
	}
}

// nameAlone is the key for reports that give a test's suite or file another name than the text does.
func nameAlone(f *result.Finding) string {
	if !ofTest(f) {
		return ""
	}
	return f.Name
}

// ofTest reports whether a finding is about a test. A crash counts too: a report may only say that the test failed
// whose process, by the output, crashed.
func ofTest(f *result.Finding) bool { return f.Kind == result.TestFailure || f.Kind == result.Panic }

func placeKey(f *result.Finding) string { return f.At.Path + ":" + strconv.Itoa(f.At.Line) }

// squeezed is the beginning of a message, without the case and white space that formats change.
func squeezed(message string) string {
	s := strings.ToLower(strings.Join(strings.Fields(message), " "))
	return s[:lex.RuneCut(s, 60)]
}

// matched returns, for each finding of the file, the index of the same finding in text, or -1. No index occurs
// twice.
func matched(text, file []result.Finding, testOf func(id string) string) []int {
	of, taken := make([]int, len(file)), make([]bool, len(text))
	for j := range of {
		of[j] = -1
	}
	unique := len(samenesses) + 1 // last, the name alone, if no other failure has it
	for way, same := range append(slices.Clone(samenesses), sameTest(testOf), nameAlone) {
		open, theirs := map[string][]int{}, map[string]int{}
		for i := range text {
			if key := same(&text[i]); !taken[i] && key != "" {
				open[key] = append(open[key], i)
			}
		}
		for j := range file {
			theirs[same(&file[j])]++
		}
		for j := range file {
			key := same(&file[j])
			if way == unique && (theirs[key] > 1 || len(open[key]) > 1) {
				continue
			}
			if list := open[key]; of[j] < 0 && key != "" && len(list) > 0 {
				own := max(0, slices.IndexFunc(list, func(i int) bool { return strings.HasSuffix(file[j].ID, text[i].ID) })) // of several tests that failed alike
				of[j], taken[list[own]] = list[own], true
				open[key] = slices.Delete(list, own, own+1)
			}
		}
	}
	return of
}

// fill completes a finding of the text with details from the file's. at and other are the same two findings as
// identified returns them.
func fill(f, file *result.Finding, at, other result.Finding) {
	defer func(message string, at *result.Location, expected, actual string) {
		if f.Message != message || f.At != at || f.Expected != expected || f.Actual != actual {
			result.SetExtra(&f.Extra, "artifact", file.Extra["artifact"]) // a detail comes from the file only
		}
	}(f.Message, f.At, f.Expected, f.Actual)
	if other.At != nil && other.At.Line > 0 && !other.At.External {
		if at.At == nil || at.At.Line == 0 || at.At.External || endsIn(other.At, f.At) { // f has the path as it was printed
			f.At = file.At
		}
	}
	if file.Message != "" && (saysNothing(f) || f.MessageTruncated && !file.MessageTruncated) {
		f.Message, f.MessageTruncated = file.Message, file.MessageTruncated
	}
	if f.Expected == "" && f.Actual == "" {
		f.Expected, f.Actual, f.Operator = file.Expected, file.Actual, cmp.Or(f.Operator, file.Operator)
	}
	for to, from := range map[*string]string{
		&f.ID: file.ID, &f.Name: file.Name, &f.Params: file.Params, &f.Rule: file.Rule, &f.RuleName: file.RuleName, &f.RuleURL: file.RuleURL,
		&f.RawSeverity: file.RawSeverity, &f.Diff: file.Diff, &f.Detail: file.Detail,
	} {
		*to = cmp.Or(*to, from)
	}
	fillList(&f.Suite, file.Suite)
	fillList(&f.Locations, file.Locations)
	fillList(&f.Related, file.Related)
	fillList(&f.Frames, file.Frames)
	fillList(&f.Tags, file.Tags)
	fillList(&f.Suggestions, file.Suggestions)
	fillList(&f.Fixes, file.Fixes)
	f.Fixable = f.Fixable || file.Fixable
	f.Attempts = max(f.Attempts, file.Attempts)
}

// endsIn reports whether both are the same line and column, and b's path is the end of a's, as a path within a
// package is.
func endsIn(a, b *result.Location) bool {
	return b != nil && a.Line == b.Line && a.Column == b.Column && !result.IsAbsolute(a.Path) && strings.HasSuffix(a.Path, "/"+b.Path)
}

// saysNothing reports whether a message is one that readers give to a failure without a reason, or only the
// exception's name.
func saysNothing(f *result.Finding) bool {
	switch f.Message {
	case "", f.Rule, tool.Untold, "failed", "not ok", "scenario failed":
		return true
	}
	return false
}

func fillList[T any](to *[]T, from []T) {
	if len(*to) == 0 {
		*to = from
	}
}
