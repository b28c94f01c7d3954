package manifest

import (
	"strconv"
	"strings"
	"time"

	"cairn/result"
)

// Lines of version 2 have the tool, the status, the summary and mostly the counts only
// in the sentence of "says", an exit of 0 only as a status of passed or ok, and the
// class of an exception only in the message of a finding. This file reads such lines;
// nothing writes them any more.

// readSays sets the facts from the sentence.
func (r *Record) readSays() {
	tool, status, summary := parseVerdict(r.Says)
	r.Tool, r.Status, r.Counts = tool, status, parseCounts(summary)
	if (status == result.Passed || status == result.OK) && r.Exit == nil && r.Signal == "" && !r.TimedOut {
		r.Exit = new(int)
	}
	if r.Git != nil {
		r.Git.Unknown = r.Git.Tree == "" && r.Git.Dirty == nil // only of a clean tree was the tree written
	}
	if _, after, ok := strings.Cut(summary, "timed out after "); ok && r.TimedOut {
		after, _, _ = strings.Cut(after, ",")
		if d, err := time.ParseDuration(after); err == nil {
			r.TimeoutMS = d.Milliseconds()
		}
	}
	how := strings.TrimPrefix(summary[strings.LastIndexByte(summary, ',')+1:], " ")
	if signal, ok := strings.CutPrefix(how, r.Signal+" on the second "); ok && r.Signal != "" {
		r.Interrupted, r.Forced = signal, true
	} else if signal, ok := strings.CutPrefix(how, "interrupted by "); ok {
		r.Interrupted = signal
	}
}

// summary2 is the summary in the sentence.
func (r *Record) summary2() string {
	_, status, summary := parseVerdict(r.Says)
	if summary == "" && status == result.OK {
		return "exit 0"
	}
	return summary
}

// parseVerdict splits a verdict ("pytest failed: 1 failed"). tool is "" if the verdict names a command instead.
func parseVerdict(says string) (tool string, status result.Status, summary string) {
	name, rest, _ := strings.Cut(says, " ")
	word, summary, _ := strings.Cut(rest, ": ")
	switch status := result.Status(word); status {
	case result.Passed, result.OK, result.Failed, result.Error, result.Unknown:
		return name, status, summary
	}
	return "", "", ""
}

// read2 adds the values that a finding implies: a rule at the beginning of its message,
// and a path at the beginning of its id.
func (l *leanFinding) read2(f *result.Finding) {
	if l.Rule == nil {
		f.Rule = impliedRule(f.Kind, f.Message)
	}
	if f.At != nil && f.At.Path == "" {
		f.At.Path = pathOfID(f.ID)
		f.Location = f.At.String()
	}
}

// pathOfID is the file at the beginning of a test's id, as pytest has it.
func pathOfID(id string) string {
	path, _, _ := strings.Cut(id, "::")
	return path
}

// impliedRule is the class of an exception at the beginning of a message.
func impliedRule(kind result.FindingKind, message string) string {
	name, _, ok := strings.Cut(message, ": ")
	if !ok || kind != result.TestFailure {
		return ""
	}
	for i := range len(name) {
		if c := name[i]; !wordByte(c) && c != '_' && c != '.' {
			return ""
		}
	}
	return name
}

// parseCounts reads "4 failed, 1 passed"; it returns nil for any other text.
func parseCounts(summary string) map[string]int {
	counts := make(map[string]int)
	for word := range strings.SplitSeq(summary, ", ") {
		number, key, _ := strings.Cut(word, " ")
		if key == "errors" || key == "warnings" {
			key = strings.TrimSuffix(key, "s")
		}
		n, err := strconv.Atoi(number)
		if err != nil || n <= 0 || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" || counts[key] > 0 {
			return nil
		}
		counts[key] = n
	}
	return counts
}
