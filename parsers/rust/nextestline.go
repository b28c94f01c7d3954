package rust

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
)

// nextestStatus is a line "  TRY 2 FAIL [   1.000s] (15/100) binary test".
type nextestStatus struct {
	word, binary, test string
	attempt            int
	took               int64 // in milliseconds
}

// readNextestStatus reads a status: the word in twelve columns, right-aligned, then the duration and perhaps a counter.
// A word may be wider than its columns: "TRY 1 TRMNTG".
func readNextestStatus(s string) (n nextestStatus, ok bool) {
	if len(s) < 15 || s[12] != ' ' || s[13] != '[' {
		return n, false
	}
	n.word = strings.TrimLeft(s[:12], " ")
	took, rest, ok := strings.Cut(s[14:], "] ")
	if !ok || strings.Trim(took, " >0123456789./s") != "" || n.word == "" || n.word == "Summary" {
		return n, false
	}
	rest = cutNextestCounter(cutNextestCounter(rest))
	n.took, _ = lex.Millis(strings.TrimLeft(took, " >")) // "   0.005s" or ">  60.000s"
	if try, after, found := strings.Cut(strings.TrimPrefix(n.word, "TRY "), " "); found && strings.HasPrefix(n.word, "TRY ") {
		_, n.attempt, _ = place.CutLineNumber("x:" + try)
		n.word = after
	}
	n.binary, n.test, ok = strings.Cut(strings.TrimLeft(rest, " "), " ")
	n.test = strings.TrimSpace(n.test)
	return n, ok && n.test != "" && !strings.Contains(n.binary, "(") && nextestCame(n.word) != "" // karva, for Python, names parameters: "test_a::test_sum(a=2, b=3)"
}

// cutNextestCounter cuts off "(15/100) ", "(─────) " or "[1/2] ".
func cutNextestCounter(s string) string {
	s = strings.TrimLeft(s, " ")
	for _, bracket := range []string{"()", "[]"} {
		if s != "" && s[0] == bracket[0] {
			if counter, after, found := strings.Cut(s, bracket[1:]+" "); found && strings.Trim(counter[1:], " /─0123456789") == "" {
				return after
			}
		}
	}
	return s
}

// nextestCame is what a word of a status means: passed, failed or another; "" if nextest has no such word.
func nextestCame(w string) string {
	switch {
	case strings.HasPrefix(w, "FLAKY "):
		return "passed"
	case strings.HasPrefix(w, "FLKY-FL "), nextestSignal(w) != "":
		return "failed"
	}
	return lex.Means(w, "passed: PASS, LEAK, SLOW, SLOW + LEAK, TIMEOUT-PASS, TMPASS, SLOW+TMPASS; "+
		"failed: FAIL, FAIL + LEAK, FL+LK, XFAIL, LEAK-FAIL, LKFAIL, TIMEOUT, TMT, SETUP FAIL; "+
		"another: SKIP, START, TERMINATING, TRMNTG, RETRY, DELAY, SETUP, SETUP PASS")
}

// nextestSignals are the signals by the names that nextest prints, with "SIG" before them except after "TRY n".
const nextestSignals = "6: ABRT; 11: SEGV; 9: KILL; 15: TERM; 2: INT; 4: ILL; 5: TRAP; 8: FPE; 3: QUIT; 13: PIPE; 1: HUP; 14: ALRM; " +
	"varies: BUS, USR1, USR2, STKFLT, SYS, XCPU, XFSZ"

// nextestSignal says which signal ended a process, in nextest's words "(test aborted with signal 6: SIGABRT)", or
// returns "" if none did. Signals whose numbers differ between systems have no number.
func nextestSignal(w string) string {
	if strings.HasPrefix(w, "ABORT") || strings.HasPrefix(w, "SIG ") {
		return "test aborted (" + w + ")"
	}
	name := strings.TrimPrefix(w, "SIG")
	switch number := lex.Means(name, nextestSignals); number {
	case "":
		return ""
	case "varies":
		return "test aborted with signal SIG" + name
	default:
		return "test aborted with signal " + number + ": SIG" + name
	}
}

// readNextestSummary reads "     Summary [   2.000s] 8/10 tests run: 5 passed (1 slow, 1 flaky), 2 failed, 1 timed out,
// 2 skipped". For a stress run, which counts iterations, the counts are empty.
func readNextestSummary(s string) (counts map[string]int, ok bool) {
	rest, ok := strings.CutPrefix(s, "     Summary [")
	if !ok {
		return nil, false
	}
	if strings.Contains(rest, " stress run iteration") {
		return map[string]int{}, true
	}
	head, list, ok := strings.Cut(rest, " run: ")
	if !ok || strings.Contains(list, " error") || strings.HasSuffix(s, " 0 tests run: 0 passed, 0 skipped") { // karva's
		return nil, false
	}
	counts = map[string]int{}
	_, head, _ = strings.Cut(head, "] ")
	head, _, _ = strings.Cut(head, " ")
	if ran, all, some := strings.Cut(head, "/"); some && lex.Atoi(all) > lex.Atoi(ran) { // the run stopped at a failure
		counts["did_not_run"] = lex.Atoi(all) - lex.Atoi(ran)
	}
	n := read.Counts(list)
	counts["passed"], counts["failed"], counts["skipped"], counts["flaky"] = n["passed"], n["failed"]+n["exec"]+n["timed"], n["skipped"], n["flaky"]
	return counts, true
}

// readNextestSection reads the heading above the output of a test:
//
//	  stdout ───                                     since 0.9.86, the output indented
//	── stdout ──                                     with --no-output-indent
//	--- TRY 1 STDERR:        pricing tests::eq ---   before
//
// who is the binary and the test, if the heading names them.
func readNextestSection(s string) (who string, indented, ok bool) {
	if indent, ok := strings.CutPrefix(s, "  "); ok {
		const stream = len("stdout")
		ok = len(indent) > stream && isNextestStream(indent[:stream]) && strings.HasPrefix(indent[stream:], " ─")
		return "", ok, ok
	}
	if s == "" || s[0] != '-' && s[0] != "─"[0] {
		return "", false, false
	}
	if stream, ok := strings.CutSuffix(strings.TrimPrefix(s, "── "), " ──"); ok && isNextestStream(stream) {
		return "", false, true
	}
	rest := strings.TrimLeft(s, "-─")
	if len(rest) == len(s) || !strings.HasPrefix(rest, " ") {
		return "", false, false
	}
	if try, after, found := strings.Cut(strings.TrimPrefix(rest, " TRY "), " "); found && strings.HasPrefix(rest, " TRY ") && strings.Trim(try, "0123456789") == "" {
		rest = " " + after
	}
	if who, found := lex.CutAnyPrefix(rest, " STDOUT: ", " STDERR: ", " OUTPUT: "); found {
		return strings.TrimSpace(strings.TrimRight(who, "-─")), false, true
	}
	return "", false, false
}

func isNextestStream(s string) bool { return s == "stdout" || s == "stderr" || s == "output" }

// isLibtestFraming says whether libtest printed the line around the only test of a process.
func isLibtestFraming(s string) bool {
	s = strings.TrimLeft(s, " ")
	_, isResult := readLibtestResult(s)
	_, isStart := readLibtestStart(s)
	_, isHeader := readLibtestHeader(s)
	return isResult || isStart || isHeader || s == "failures:" || strings.HasPrefix(s, "test ") && strings.HasSuffix(s, " ... FAILED")
}
