package pytest

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// progress reads what comes between the start of a run and its first section:
// the head, and the tests as they are run.
func (run *pytestRun) progress(l tool.Line, r *pytestReader) {
	line := l.Text
	switch {
	case strings.HasSuffix(line, "= test session starts "+strings.Repeat("=", startRuleLeft(run.width))): // behind the name of the file, with -s
		run.nest()
	case strings.HasPrefix(line, "platform "):
		run.version = pytestVersion(line)
	case strings.HasPrefix(line, "rootdir: "):
		dir, _, _ := strings.Cut(line[len("rootdir: "):], ", configfile: ") // one line before version 7.3
		r.files.Fallback(dir)
	case strings.Contains(line, "::"):
		run.verbose(l)
	default:
		run.fileProgress(line)
	}
}

// startRuleLeft is how many "=" end the rule of a new run.
func startRuleLeft(width int) int {
	return max((width-len(" test session starts ")+1)/2, 1)
}

// pytestVersion reads "platform linux -- Python 3.11.2, pytest-9.2.0, …".
func pytestVersion(line string) string {
	_, rest, ok := strings.Cut(line, ", pytest-")
	if !ok {
		return ""
	}
	v, _, _ := strings.Cut(rest, ",")
	return strings.TrimSpace(v)
}

// fileProgress reads "tests/test_a.py ..F   [ 30%]".
func (run *pytestRun) fileProgress(line string) {
	file, letters, ok := strings.Cut(line, " ")
	if !ok || !strings.Contains(file, ".") {
		return
	}
	letters, _ = cutPercent(letters)
	if strings.Trim(letters, pytestLetters+" ") != "" {
		return
	}
	if len(run.files) < tool.MaxFindings && len(file) < lex.MaxHeadline {
		run.files[file] = true
	}
	run.current, run.file = file, file
	run.letterOutcomes(letters, file)
}

// verbose reads "nodeid FAILED  [ 7%]", "nodeid " of a test that has begun,
// "nodeid SUBFAILED[row] (i=1)", and "[gw0] [ 33%] FAILED nodeid" of xdist.
func (run *pytestRun) verbose(l tool.Line) {
	line, _ := cutPercent(l.Text)
	line = strings.TrimRight(line, " ")
	if strings.HasPrefix(line, "[gw") {
		run.workerLine(line, l)
		return
	}
	path, _, _ := strings.Cut(line, "::")
	if !isNodePath(path) {
		return
	}
	run.current = line
	if o, ok := verboseOutcome(line); ok {
		run.current = ""
		o.start, o.end = l.Start, l.End
		run.fails(o)
		return
	}
	if at := strings.LastIndexByte(line, ' '); at > 0 && strings.ToUpper(line[at:]) == line[at:] {
		run.current = "" // it has its outcome
	}
}

// verboseOutcome reads a failure.
func verboseOutcome(line string) (o pytestOutcome, ok bool) {
	for _, word := range [...]string{" FAILED", " ERROR"} {
		if at := strings.LastIndex(line, word); at > 0 && (at+len(word) == len(line) || line[at+len(word)] == ' ') {
			return pytestOutcome{id: line[:at], error: word == " ERROR"}, true
		}
	}
	if at := strings.LastIndex(line, " SUBFAILED"); at > 0 {
		desc := strings.TrimLeft(line[at+len(" SUBFAILED"):], " ")
		return pytestOutcome{id: line[:at], desc: desc}, desc != ""
	}
	if rest, found := strings.CutSuffix(line, " SUBFAIL"); found { // the plugin, before pytest 9
		id, desc := cutOldSubtest(rest)
		return pytestOutcome{id: id, desc: desc}, desc != ""
	}
	return o, false
}

// cutOldSubtest divides "nodeid [row] (i=1)".
func cutOldSubtest(s string) (id, desc string) {
	at := -1
	for _, mark := range [...]string{" [", " ("} {
		if i := strings.Index(s, mark); i > 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return s, ""
	}
	return s[:at], s[at+1:]
}

func (run *pytestRun) workerLine(line string, l tool.Line) {
	for _, word := range [...]string{"] FAILED ", "] ERROR "} {
		if i := strings.Index(line, word); i > 0 {
			run.current = ""
			run.fails(pytestOutcome{id: line[i+len(word):], error: word == "] ERROR ", start: l.Start, end: l.End})
			return
		}
	}
}

// isNodePath says that s can be the file of a node id.
func isNodePath(s string) bool {
	return s != "" && s[0] > ' ' && !strings.ContainsAny(s, "\"'<>|*?") && strings.Contains(s, ".")
}

// unnest ends a run that a test made.
func (run *pytestRun) unnest(l tool.Line) {
	run.endBlock(l.Start)
	run.nested = false
	if run.live { // the tests go on
		run.section, run.tainted, run.entries, run.live = sectionStart, false, nil, false
	}
}

// interrupted reads the progress that a trouble cut short, in the same line.
func (r *pytestReader) interrupted(l tool.Line) {
	if run := r.cur; run != nil && run.section == sectionStart && isTimeoutRule(l.Text) && l.Text[0] != '+' {
		l.Text, _, _ = strings.Cut(l.Text, "+")
		run.text(l, r)
	}
}

// pytestStop is why a run ended early.
type pytestStop struct {
	title string // "KeyboardInterrupt"
	at    string // "path:line" below it
	start int64
	end   int64
}

// stop handles a rule of "!".
func (run *pytestRun) stop(l tool.Line) bool {
	title, ok := cutRule(l.Text, '!', run.width)
	if !ok {
		return false
	}
	run.endBlock(l.Start)
	run.captured = false
	run.section, run.end = sectionStop, max(run.end, l.End)
	if len(run.stopped) >= maxTroubles {
		return true
	}
	run.stopped = append(run.stopped, pytestStop{title: title, start: l.Start, end: l.End})
	return true
}

// stopLine reads the place of an interruption.
func (run *pytestRun) stopLine(l tool.Line) {
	s := &run.stopped[len(run.stopped)-1]
	if at, ok := strings.CutSuffix(l.Text, ": "+s.title); ok && s.at == "" {
		s.at, s.end = at, l.End
	}
}
