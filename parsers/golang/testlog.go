package golang

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// logEntry is one call of t.Log, t.Error, t.Fatal or t.Skip, which all print
// alike: "    file_test.go:12: message", further lines indented by eight.
type logEntry struct {
	path string // a base name, or an absolute path under -fullpath
	line int
	text []string // at least one
}

// logEntries finds the entries in the lines of a test. Other lines, which the test itself printed, are skipped.
func logEntries(lines []string) []logEntry {
	var all []logEntry
	open := false
	for _, s := range lines {
		if e, ok := readLogEntry(s); ok {
			all, open = append(all, e), true
			continue
		}
		rest, ok := strings.CutPrefix(s, "        ")
		if open = open && (ok || strings.TrimSpace(s) == ""); open && ok {
			last := &all[len(all)-1]
			last.text = append(last.text, rest)
		}
	}
	for i := range all {
		all[i].text = lex.TrimBlankLines(all[i].text)
	}
	return all
}

// readLogEntry reads the first line of an entry. Output without a newline may precede it.
func readLogEntry(s string) (e logEntry, ok bool) {
	if rest, ok := strings.CutPrefix(s, "\t"); ok { // github.com/matryer/is prints entries of its own
		s = "    " + rest
	}
	if !strings.HasPrefix(s, "    ") {
		i := strings.Index(s, "    ")
		if i < 0 {
			return e, false
		}
		s = s[i:]
	}
	spot, text, found := strings.Cut(s[4:], ": ")
	if !found {
		spot, found = strings.CutSuffix(spot, ":")
	}
	path, n, numbered := place.CutLineNumber(spot)
	if !found || !numbered || !strings.HasSuffix(path, ".go") || path[0] == ' ' || path[0] == '\t' || strings.ContainsAny(path, " \t\"(") && !strings.ContainsAny(path, `/\`) {
		return e, false
	}
	return logEntry{path: path, line: n, text: []string{text}}, true
}

// ofTesting says whether package testing itself logged the entry, not the test.
func (e *logEntry) ofTesting() bool {
	return e.path == "testing.go" || strings.HasSuffix(e.path, "/src/testing/testing.go")
}

// place is where the entry was logged. An entry logged by a helper in another package has only the helper's base name,
// so if testify printed a trace, the place is where the test called the helper.
func (e *logEntry) place() *result.Location {
	for _, s := range testifySections(e.text)["Error Trace"] {
		if at, ok := frame.Go(s); ok && isGoTestFile(at.Path) && !isGoTestFile(e.path) {
			return &at
		}
	}
	return &result.Location{Path: e.path, Line: e.line}
}

// headline is the entry in one line.
func (e *logEntry) headline() string {
	var f result.Finding
	explain(&f, e.text)
	return f.Message
}

// logWords are words that mark an entry as a reason for failure.
var logWords = []string{
	"error", "fail", "fatal", "want", "expect", "unexpected", "mismatch", "not equal", "!=", "should", "must", "cannot", "can't",
	"invalid", "missing", "panic", "timeout", "timed out", "diff", "wrong", "does not", "did not", "do not", "didn't", "not found", "refused",
}

// pick chooses the entry that a reader should see first.
//
// t.Log and t.Error print alike, so which entry made the test fail cannot be known from the output; the rule has to be
// a fixed one. It is: the last entry that sounds like a failure (logWords), else the last entry; entries of package
// testing itself only where there is no other. The last, because logs precede what they explain and t.Fatal ends a
// test; sounding like one, because clean-up functions log after it. Every other entry stays with the finding as a
// related place, so no file:line is lost to the choice.
func pick(entries []logEntry) int {
	best, bestRank := -1, -1
	for i := range entries {
		if r := entries[i].rank(); r >= bestRank {
			best, bestRank = i, r
		}
	}
	return best
}

func (e *logEntry) rank() int {
	switch {
	case e.ofTesting():
		return 0
	case e.soundsLikeFailure():
		return 2
	}
	return 1
}

func (e *logEntry) soundsLikeFailure() bool {
	return slices.ContainsFunc(e.text[:min(len(e.text), 9)], func(s string) bool { return says(strings.ToLower(s), logWords...) })
}

// fillOthers keeps the other entries as related places: first those that sound like a failure,
// then the callers of the failed code, then logs.
func fillOthers(f *result.Finding, entries []logEntry, best int) {
	var failures, logs []result.Related
	for i := range entries {
		o := &entries[i]
		r := result.Related{Message: o.headline(), At: o.place()}
		switch {
		case i == best:
		case o.rank() > 1:
			failures = append(failures, r)
		default:
			logs = append(logs, r)
		}
	}
	f.Related = slices.Concat(failures, f.Related, logs)
	if beyond := len(f.Related) - maxGoRelated; beyond > 0 {
		f.Related = f.Related[:maxGoRelated]
		result.SetExtra(&f.Extra, "entries_omitted", beyond)
	}
}

// fillOpen extends a headline that ends in a colon by the next line, or by the first change of a diff.
func fillOpen(f *result.Finding, text []string) {
	i := slices.IndexFunc(text, func(s string) bool { return strings.TrimSpace(s) == f.Message })
	if i < 0 || !strings.HasSuffix(f.Message, ":") || f.Expected != "" || f.Actual != "" {
		return
	}
	if minus, plus := firstChange(text[i+1:]); minus != "" && plus != "" {
		f.Message += " -" + minus + " +" + plus
		return
	}
	for _, s := range text[i+1:] {
		if strings.HasSuffix(f.Message, ":") && strings.TrimSpace(s) != "" {
			f.Message += " " + strings.TrimSpace(s)
		}
	}
}

// convey reads what github.com/smartystreets/goconvey prints before the report of a test:
//
//	Failures:
//
//	  * /src/m/cart/cart_test.go
//	  Line 12:
//	  Expected: 2
//	  Actual:   1
//	  (Should equal)!
//
// and, below "Errors:", panics as "  Line 14: - …" with their stacks. Each failure becomes an entry of the log.
type convey struct {
	in      bool // a title such as "Failures:" was read
	path    string
	open    bool // the following lines belong to the last entry
	entries []logEntry
}

// maxConvey bounds the entries of one test.
const maxConvey = 200

func (c *convey) line(s string) {
	switch {
	case s == "Failures:" || s == "Errors:":
		c.in, c.open, c.path = true, false, ""
	case !c.in:
	case strings.HasSuffix(s, " total assertions") || strings.HasSuffix(s, " total assertion"):
		c.in = false
	case strings.HasPrefix(s, "  * "):
		c.path, c.open = strings.TrimSpace(s[len("  * "):]), false
	case c.path != "" && strings.HasPrefix(s, "  Line "):
		number, text, _ := strings.Cut(s[len("  Line "):], ":")
		if n, err := strconv.Atoi(number); err == nil && n > 0 && len(c.entries) < maxConvey {
			c.entries, c.open = append(c.entries, logEntry{path: c.path, line: n}), true
			c.add(strings.TrimPrefix(strings.TrimSpace(text), "- "))
		}
	case strings.TrimSpace(s) == "" || strings.HasPrefix(s, "  goroutine "):
		c.open = false
	case c.open && strings.HasPrefix(s, "  "):
		c.add(strings.TrimSpace(s))
	}
}

func (c *convey) add(text string) {
	if last := &c.entries[len(c.entries)-1]; text != "" && len(last.text) < maxGoBuildText {
		last.text = append(last.text, text)
	}
}

// take returns the entries, each once: an enclosing scope prints those of its inner scopes again.
func (c *convey) take() (all []logEntry) {
	for _, e := range c.entries {
		if len(e.text) > 0 && !slices.ContainsFunc(all, func(o logEntry) bool {
			return o.path == e.path && o.line == e.line && slices.Equal(o.text, e.text)
		}) {
			all = append(all, e)
		}
	}
	*c = convey{}
	return all
}

// godogSteps reads the failed steps that github.com/cucumber/godog lists before the report of a test, in which it logs
// them as lines of its own suite.go:
//
//	Then I have 5 pens # ../features/cart.feature:6
//	  Error: 3 pens, not 5
type godogSteps struct {
	in     bool
	at     *result.Location            // of the last step
	failed map[string]*result.Location // by the error
}

func (g *godogSteps) line(s string) {
	if text := strings.TrimSpace(s); text == s && s != "" {
		g.in = s == "--- Failed steps:"
	} else if why, ok := strings.CutPrefix(text, "Error: "); ok && g.at != nil && len(g.failed) < maxConvey {
		lex.Put(&g.failed, strings.Clone(why), g.at)
	} else if _, spot, ok := strings.Cut(text, " # "); ok && g.in {
		g.at = read.PlaceOf(strings.Clone(spot))
	}
}

// conveyLine joins "Expected: 2 / Actual: 1 / (Should equal)!" into one line.
func conveyLine(text []string) string {
	if len(text) < 2 || !strings.HasPrefix(text[0], "Expected: ") || !strings.HasPrefix(text[1], "Actual: ") {
		return ""
	}
	return joinWords(text)
}
