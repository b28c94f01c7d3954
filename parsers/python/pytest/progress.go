package pytest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The progress of a run has the outcome of each test: with -v after its node id, otherwise as a
// letter after the name of its file. The progress, the blocks of the failures and the summary list the failures in the
// same order, but each of them leaves some out.

// verdict is one test's outcome. In pytest's short form, a letter per test, it has no id.
type verdict struct {
	tool.Test
	desc       string // names the subtest: "[row] (i=1)"
	file       string // "" with -q
	start, end int64  // offsets of its line
}

func (v *verdict) fails() bool { return v.Outcome.Bad() }

// outcomeOf reads the word for an outcome; sub says whether the word is a subtest's.
func outcomeOf(word string) (o read.Outcome, sub bool) {
	word, sub = strings.CutPrefix(word, "SUB")
	return read.Outcome(lex.Means(word, "passed: PASSED, PASS; failed: FAILED, FAIL; error: ERROR; skipped: SKIPPED, SKIP; xfailed: XFAIL, xfail; xpassed: XPASS; rerun: RERUN")), sub
}

// letters are the outcomes in progress lines, with those of xdist, subtests and reruns.
const letters = ".FEsxXRu,-y"

// failingLetter is the outcome of a letter; fails is false if the letter means no failure.
func failingLetter(c byte) (o read.Outcome, fails bool) {
	switch c {
	case 'E':
		return read.Errored, true
	case 'F', 'u':
		return read.Failed, true
	}
	return "", false
}

// cutVerdict reads a line of -v whose percentage has been cut off:
//
//	tests/a.py::test_b FAILED
//	tests/a.py::test_b SKIPPED (needs the sandbox)
//	tests/a.py::test_b SUBFAILED[row] (i=1)
//	tests/a.py::test_b [row] (i=1) SUBFAIL        before pytest 9
//	[gw0] [ 33%] PASSED tests/a.py::test_b        by xdist
//
// Parameters may contain any text, so the id ends at the first outcome that is outside of brackets.
func cutVerdict(line string) (v verdict, ok bool) {
	if rest, worker := cutWorker(line); worker {
		return cutWord(rest)
	}
	for at := strings.Index(line, "::"); at >= 0; {
		i := strings.IndexByte(line[at:], ' ')
		if i < 0 {
			break
		}
		at += i + 1
		end := at + strings.IndexAny(line[at:]+" ", " ([<")
		outcome, sub := outcomeOf(line[at:end])
		if outcome == "" {
			continue
		}
		id, desc := line[:at-1], ""
		if !sub && !endsVerdict(strings.TrimLeft(line[end:], " ")) {
			continue // with -s, the test printed this after its id
		}
		if sub {
			if desc = cutProgress(line[end:]); desc == "" {
				id, desc = cutOldSubtest(id)
			}
			if desc == "" {
				continue
			}
		}
		v, ok = verdict{Test: tool.Test{ID: cutPrinted(id), Outcome: outcome}, desc: desc}, true
		if strings.Count(id, "[") == strings.Count(id, "]") {
			break
		}
	}
	return v, ok
}

// cutPrinted cuts output of the test (-s) off a node id: a function's name has no blank outside of its parameters, and
// these end the id.
func cutPrinted(id string) string {
	path, name, _ := strings.Cut(id, ".py::")
	end, params := len(name), strings.IndexByte(name, '[')
	if params >= 0 {
		end = params
	}
	if i := strings.IndexByte(name[:end], ' '); i >= 0 {
		return id[:len(path)+len(".py::")+i]
	}
	if params < 0 || strings.HasSuffix(id, "]") {
		return id
	}
	if i := strings.LastIndex(id, "] "); i >= 0 {
		return id[:i+1]
	}
	return id
}

// cutProgress cuts the progress ("[17/29]") or the duration off a subtest's description.
func cutProgress(desc string) string {
	for {
		rest, percent := cutPercent(strings.TrimSpace(desc))
		i := strings.LastIndexByte(rest, ' ')
		switch last := rest[i+1:]; {
		case percent:
		case i < 0 || last[0] != '[' && !lex.IsDigits(last[:1]) || !endsVerdict(last) || strings.Trim(last, "[]/.0123456789mus") != "":
			return rest
		default:
			rest = rest[:i]
		}
		desc = rest
	}
}

// endsVerdict says whether rest may follow an outcome: a reason "(needs the sandbox)", the progress "[17/29]", or a
// duration "659.0us".
func endsVerdict(rest string) bool {
	return rest == "" || rest[0] == '(' || rest[0] == '[' || rest[0] >= '0' && rest[0] <= '9' && !strings.Contains(rest, " ")
}

// cutWorker cuts "[gw0] [ 33%] " off a line of xdist.
func cutWorker(line string) (rest string, ok bool) {
	if !strings.HasPrefix(line, "[gw") {
		return line, false
	}
	_, rest, ok = strings.Cut(line, "] ")
	if strings.HasPrefix(rest, "[") {
		_, rest, ok = strings.Cut(rest, "] ")
	}
	return rest, ok
}

// cutWord reads a line that begins with the outcome, as xdist and the short summary print it; in the summary, a message
// may follow the id.
func cutWord(line string) (v verdict, ok bool) {
	if strings.HasPrefix(line, "SUB") {
		end := strings.IndexAny(line+" ", " ([<")
		v.Outcome, _ = outcomeOf(line[:end])
		v.desc, v.ID = cutSubtest(line[end:])
		return v, v.Outcome != "" && v.ID != ""
	}
	word, id, _ := strings.Cut(line, " ")
	v.Outcome, _ = outcomeOf(word)
	v.ID = id
	return v, v.Outcome != "" && id != ""
}

// cutSubtest cuts the description off "[row] (i=1) tests/a.py::test - x". It ends before the path of the node id.
func cutSubtest(s string) (desc, rest string) {
	s = strings.TrimLeft(s, " ")
	end := max(strings.Index(s, "::"), 0)
	last := strings.LastIndexByte(s[:end], ' ')
	for at := last; at > 0; at = strings.LastIndexByte(s[:at], ' ') {
		if c := s[at-1]; c == ']' || c == ')' || c == '>' {
			return s[:at], s[at+1:]
		}
	}
	return s[:max(last, 0)], s[last+1:]
}

// cutOldSubtest splits "nodeid [row] (i=1)".
func cutOldSubtest(s string) (id, desc string) {
	at := len(s)
	for _, mark := range [...]string{" [", " ("} {
		if i := strings.Index(s, mark); i > 0 {
			at = min(at, i)
		}
	}
	return s[:at], s[min(at+1, len(s)):]
}

// told adds the verdict of a test, from any line. Failures are remembered. Ids beyond the limit are
// dropped, not shortened.
func (run *run) told(v verdict) {
	switch {
	case v.ID == "":
	case v.desc != "": // a subtest has no id; its failure counts for its test
		run.tests.Part(v.ID, v.ID+" "+v.desc, v.Outcome)
	case run.section == inSummary:
		run.tests.Retold(v.Test)
	default:
		run.tests.Ran(v.Test)
	}
	if !v.fails() || len(run.verdicts) >= run.most || len(v.ID)+len(v.desc) >= lex.MaxHeadline {
		return
	}
	if v.ID != "" {
		v.ID, v.desc = strings.Clone(v.ID), strings.Clone(v.desc)
		v.file, _, _ = strings.Cut(v.ID, "::")
		run.files[v.file], run.failed[v.ID] = true, true
	}
	run.verdicts = append(run.verdicts, v)
}

// toldLetters adds the outcomes in a line such as "test_a.py .F.E", which has one file.
func (run *run) toldLetters(some, file string) {
	some, _ = cutPercent(some)
	for i := range len(some) {
		if o, fails := failingLetter(some[i]); fails {
			run.told(verdict{Test: tool.Test{Outcome: o}, file: file})
		}
	}
}

// progress takes a line between the start of a run and its first section: the header, or the progress.
func (run *run) progress(l tool.Line, r *reader) {
	line := l.Text
	switch {
	case line[len(line)-1] == '=' && strings.HasSuffix(line, "= test session starts "+strings.Repeat("=", max((run.width-len(" test session starts ")+1)/2, 1))):
		run.nest() // after the name of the file, with -s
	case strings.HasPrefix(line, "platform "): // "platform linux -- Python 3.11.2, pytest-9.2.0, …"
		_, rest, _ := strings.Cut(line, ", pytest-")
		rest, _, _ = strings.Cut(rest, ",")
		run.version = strings.TrimSpace(rest)
	case strings.HasPrefix(line, "rootdir: "):
		dir, _, _ := strings.Cut(line[len("rootdir: "):], ", configfile: ") // one line before version 7.3
		r.files.Fallback(dir)
	case strings.Contains(line, "::"):
		run.verbose(l)
	case strings.Contains(run.current, "::") && line != "" && line[0] >= 'A' && line[0] <= 'Z':
		run.alone(l)
	default:
		run.fileProgress(line)
	}
}

// verbose takes a line of -v: the verdict of a test, or the id of one that has begun.
func (run *run) verbose(l tool.Line) {
	line, _ := cutPercent(l.Text)
	line = strings.TrimRight(line, " ")
	_, worker := cutWorker(line)
	path, _, _ := strings.Cut(line, "::")
	if !worker && !isNodePath(path) {
		return
	}
	v, ok := cutVerdict(line)
	switch last := line[strings.LastIndexByte(line, ' ')+1:]; {
	case ok && (!worker || v.fails() || run.current == v.ID), !worker && len(last) < len(line) && last[0] >= 'A' && strings.ToUpper(last) == last:
		run.current = ""
	case !worker:
		run.current, run.begun = line, l.Start
	}
	if ok {
		v.start, v.end = l.Start, l.End
		run.told(v)
	}
}

// alone takes the verdict of the test that has begun, on a line of its own after output of the test (-s).
func (run *run) alone(l tool.Line) {
	word, _ := cutPercent(l.Text)
	id := run.current // output of the test may follow the id
	for at := strings.Index(id, "::"); at < len(id); at++ {
		if id[at] == ' ' && strings.Count(id[:at], "[") == strings.Count(id[:at], "]") {
			id = id[:at]
		}
	}
	if v, ok := cutVerdict(id + " " + strings.TrimRight(word, " ")); ok && v.ID == id {
		v.start, v.end = run.begun, l.End
		run.current = ""
		run.told(v)
	}
}

// fileProgress reads "tests/test_a.py ..F   [ 30%]".
func (run *run) fileProgress(line string) {
	file, some, ok := strings.Cut(line, " ")
	some, _ = cutPercent(some)
	if !ok || !strings.Contains(file, ".") || strings.Trim(some, letters+" ") != "" {
		return
	}
	if len(run.files) < run.most && len(file) < lex.MaxHeadline {
		run.files[file] = true
	}
	run.current, run.file = file, file
	run.toldLetters(some, file)
}

// isNodePath says whether s can be the file of a node id.
func isNodePath(s string) bool {
	return s != "" && s[0] > ' ' && !strings.ContainsAny(s, "\"'<>|*?") && strings.Contains(s, ".")
}

// isProgress accepts a line of outcomes as -q prints it, with or without the percentage, and the end of a longer one.
func isProgress(line string) bool {
	some, percent := cutPercent(line)
	some = strings.TrimRight(some, " ")
	return (some != "" || percent) && strings.Trim(some, letters) == ""
}

// cutPercent cuts " [ 42%]" off the end of a progress line.
func cutPercent(line string) (rest string, ok bool) {
	if !strings.HasSuffix(line, "%]") {
		return line, false
	}
	i := strings.LastIndexByte(line, '[')
	if i < 0 || !lex.IsDigits(strings.TrimLeft(line[i+1:len(line)-2], " ")) {
		return line, false
	}
	return line[:i], true
}

// letterCount adds up the letters of all progress lines.
type letterCount struct {
	by   [128]int
	full bool            // [100%] was read
	bad  *result.Finding // the first row of letters with a failure
}

func (n *letterCount) add(l tool.Line) {
	some, percent := cutPercent(l.Text)
	for i := range len(some) {
		n.by[some[i]&127]++
		if _, fails := failingLetter(some[i]); fails && n.bad == nil {
			n.bad = &result.Finding{
				Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: "F", MessageTruncated: true,
				Message: strings.Clone(strings.TrimSpace(some)), RawSpan: &result.Span{Start: l.Start, End: l.End},
			}
		}
	}
	n.full = n.full || percent && strings.HasSuffix(l.Text, "[100%]")
}

func (n *letterCount) any() bool { return n.full || n.by['.']+n.by['F']+n.by['E'] > 0 }
