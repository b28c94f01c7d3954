package parsers

import "strings"

// progress reads what comes between the start of a run and its first section:
// the head, and the tests as they are run.
func (run *pytestRun) progress(line string, r *pytestReader) {
	switch {
	case strings.HasSuffix(line, "= test session starts "+strings.Repeat("=", startRuleLeft(run.width))): // behind the name of the file, with -s
		run.nest()
	case strings.HasPrefix(line, "platform "):
		run.version = pytestVersion(line)
	case strings.HasPrefix(line, "rootdir: "):
		dir, _, _ := strings.Cut(line[len("rootdir: "):], ", configfile: ") // one line before version 7.3
		r.places.fallback(dir)
	case strings.Contains(line, "::"):
		run.verbose(line)
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
	if len(run.files) < MaxFindings && len(file) < maxHeadline {
		run.files[file] = true
	}
	run.current = file
}

// verbose reads "nodeid FAILED  [ 7%]", "nodeid " of a test that has begun, and
// "[gw0] [ 33%] FAILED nodeid" of xdist.
func (run *pytestRun) verbose(line string) {
	line, _ = cutPercent(line)
	if strings.HasPrefix(line, "[gw") {
		run.workerLine(line)
		return
	}
	path, _, _ := strings.Cut(line, "::")
	if !isNodePath(path) {
		return
	}
	id := strings.TrimRight(line, " ")
	run.current = id
	for _, word := range [...]string{" FAILED", " ERROR"} {
		if at := strings.LastIndex(id, word); at > 0 && (at+len(word) == len(id) || id[at+len(word)] == ' ') {
			run.fails(id[:at])
			return
		}
	}
	if at := strings.LastIndexAny(id, " "); at > 0 && strings.ToUpper(id[at:]) == id[at:] {
		run.current = "" // it has its outcome
	}
}

func (run *pytestRun) workerLine(line string) {
	if i := strings.Index(line, "] FAILED "); i > 0 {
		run.fails(strings.TrimRight(line[i+len("] FAILED "):], " "))
	} else if i := strings.Index(line, "] ERROR "); i > 0 {
		run.fails(strings.TrimRight(line[i+len("] ERROR "):], " "))
	}
}

func (run *pytestRun) fails(id string) {
	run.current = ""
	path, _, _ := strings.Cut(id, "::")
	if len(run.failing) < MaxFindings && len(id) < maxHeadline {
		id = strings.Clone(id)
		run.failing, run.failed[id] = append(run.failing, id), true
		run.files[path] = true
	}
}

// isNodePath says that s can be the file of a node id.
func isNodePath(s string) bool {
	return s != "" && s[0] > ' ' && !strings.ContainsAny(s, "\"'<>|*?") && strings.Contains(s, ".")
}

// pytestStop is why a run ended early.
type pytestStop struct {
	title string // "KeyboardInterrupt"
	at    string // "path:line" below it
	start int64
	end   int64
}

// stop handles a rule of "!".
func (run *pytestRun) stop(l Line) bool {
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
func (run *pytestRun) stopLine(l Line) {
	s := &run.stopped[len(run.stopped)-1]
	if at, ok := strings.CutSuffix(l.Text, ": "+s.title); ok && s.at == "" {
		s.at, s.end = at, l.End
	}
}
