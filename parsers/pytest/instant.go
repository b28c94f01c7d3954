package pytest

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/tool"
)

// Plugins print a failure at once, among the progress: pytest-instafail between
// rules of "_" as in FAILURES, which it leaves out, pytest-sugar between rules
// of "―". sugar has a first line and closing counts of its own, and its summary
// calls errors failures.

const (
	sugarStart = "Test session starts (platform: "
	sugarRule  = "―"
)

// sugarLine handles the lines that pytest-sugar and pytest-pretty put in the
// place of pytest's rules.
func (r *pytestReader) sugarLine(l tool.Line) bool {
	switch run := r.cur; {
	case strings.HasPrefix(l.Text, sugarStart):
		if run == nil || run.closed {
			run = r.open(l)
			run.header, run.sugar, run.section = true, true, sectionStart
			if _, rest, ok := strings.Cut(l.Text, ", pytest "); ok {
				run.version, _, _ = strings.Cut(strings.TrimSuffix(rest, ")"), ",")
			}
		}
		return true
	case run == nil || run.closed:
		return false
	case run.sugar && strings.HasPrefix(l.Text, sugarRule) && strings.HasSuffix(l.Text, sugarRule):
		run.width = utf8.RuneCountInString(l.Text)
		run.instant(strings.TrimSpace(strings.Trim(l.Text, sugarRule)), l, r)
		return true
	case strings.HasPrefix(l.Text, "Results (") && strings.HasSuffix(l.Text, "s):") && !run.captured && !run.nested:
		run.enter(sectionResults, l)
		run.counts, run.closed = &pytestCounts{by: map[string]int{}}, true
		return true
	}
	return false
}

// isPrettySummary: the title, in the middle of its line, of the table with which
// pytest-pretty ends the failures.
func isPrettySummary(line string) bool {
	return strings.HasPrefix(line, "        ") && strings.TrimSpace(line) == "Summary of Failures"
}

// result reads a line below "Results (0.25s):".
func (run *pytestRun) result(line string) {
	if word := strings.TrimSpace(line); word != "" && word[0] >= '0' && word[0] <= '9' {
		run.counts.add(word)
	}
}

// instantHead opens a block among the progress, behind the failure that it is
// about.
func (run *pytestRun) instantHead(title string, l tool.Line, r *pytestReader) bool {
	if !run.header || run.nested || len(run.outcomes) == 0 {
		return false
	}
	_, name := cutErrorTitle(title)
	last := run.outcomes[len(run.outcomes)-1]
	if last.id != "" && titleOf(last.id, last.desc) != name || last.id == "" && strings.Contains(beforeParams(name), " ") {
		return false
	}
	run.instant(title, l, r)
	return true
}

func beforeParams(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

func (run *pytestRun) instant(title string, l tool.Line, r *pytestReader) {
	run.endBlock(l.Start)
	section := sectionFailures
	if strings.HasPrefix(title, "ERROR ") {
		section = sectionErrors
	}
	run.captured, run.end = false, max(run.end, l.End)
	run.block = newPytestBlock(title, section, l.Start, r.files)
}

// instantLine reads a line of a block among the progress, up to the next
// progress.
func (run *pytestRun) instantLine(l tool.Line, r *pytestReader) bool {
	if run.block == nil {
		return false
	}
	if isLiveProgress(l.Text) {
		run.endBlock(l.Start)
		run.captured = false
		return false
	}
	run.body(l, r)
	return true
}

// isLiveProgress: a line that says how a test ended, of a file or with its id.
func isLiveProgress(line string) bool {
	if strings.HasPrefix(line, " ") && strings.Contains(line, "% ") && strings.ContainsAny(line, "✓⨯") {
		return true // sugar's
	}
	rest, percent := cutPercent(line)
	path, after, ok := strings.Cut(rest, "::")
	if ok && isNodePath(path) {
		_, failed := verboseOutcome(strings.TrimRight(rest, " "))
		return failed || percent || strings.HasSuffix(after, " PASSED")
	}
	file, letters, ok := strings.Cut(strings.TrimRight(rest, " "), " ")
	return strings.HasPrefix(line, "[gw") && strings.Contains(line, "%] ") || ok && strings.Contains(file, ".") && strings.Trim(letters, pytestLetters) == ""
}
