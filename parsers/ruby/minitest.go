package ruby

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("minitest rails", func(p *tool.Parser) {
	p.Is("minitest", result.Test, 2, "minitest 5 and 6: default, verbose, pride; Rails' runner")
	p.Filter = tool.Filter{Flag: "-n"}
	p.Matches = runsMinitest
	p.JUnit = minitestReports
	p.Files = []tool.Files{{Folders: []string{"MINITEST_REPORTERS_REPORTS_DIR"}, Shared: true, Programs: []string{"rails"}}}
	p.Reads(tool.Format{Name: "text", Prints: read.NoMarks(".FES"), Starts: minitestStarts, Sniff: func(line string) bool {
		return isMinitestTally(line) || strings.HasPrefix(line, "Finished in ") || strings.TrimSpace(line) == "# Running:"
	}, Parse: parseMinitest})
	p.Reads(tool.Format{Name: "rails", Starts: []string{"rails test ", "bin/rails test ", "Started with run options", "# Running tests with run options "}, Sniff: func(line string) bool { return isRailsRerun(line) || strings.Contains(line, " with run options") }, Parse: parseRails})
	p.Reads(tool.Format{Name: "unended", Starts: []string{"# Running:"}, Parse: read.Unended{
		Ends:   func(text string) bool { return isMinitestTally(text) || strings.HasPrefix(text, "Finished in ") },
		Failed: read.Marks(".FES", "FE"),
	}.Parse})
	p.Reads(tool.Format{Name: "usage", Starts: []string{"minitest options:"}, Parse: read.Text{Line: minitestUsage}.Parse})
}, tool.WritesFiles)

func parseMinitest(in *tool.Input) *tool.Report {
	rows := new(minitestRows)
	rep := read.Numbered{
		Indent: "  ", Take: minitestFailure, Ends: isMinitestTally, Other: rows.other, End: rows.end, Closes: true,
		Head: func(title string) bool { return title == "Failure:" || title == "Error:" || title == "Skipped:" },
	}.Parse(in)
	if rep != nil && rows.open != "" && rep.Complete && len(rep.Findings) == 0 {
		rep.Complete, rep.Doubt = false, "the tests are counted while "+rows.open+" runs"
	} else if rep != nil && rows.open != "" && !rep.Complete {
		rep.Doubt = cmp.Or(rep.Doubt, "the output ends while "+rows.open+" runs")
	}
	return rep
}

// minitestReports describes the JUnit reports of minitest-reporters.
var minitestReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		attrs := strings.Replace(strings.Join(tag.Attrs, " "), " filepath", "", 1) // since version 1.4
		return !tag.All && strings.HasPrefix(attrs, "name skipped failures errors tests assertions time")
	},
	ID: func(n *tool.CaseNames) (id string, suites []string) { return n.Class + "#" + n.Name, nil },
}

func runsMinitest(argv []string) bool {
	if argv[0] == "minitest" {
		return true
	}
	return argv[0] == "rails" && len(argv) > 1 && strings.HasPrefix(argv[1], "test")
}

// minitestFailure reads a failure: "Class#test [place]:" and the message, or
// "Class#test:", the exception and its frames.
func minitestFailure(s *read.Sink, b *read.Block) {
	if b.Title == "Skipped:" || len(b.Body) == 0 {
		return
	}
	f := minitestSaid(s.In, b.Body)
	if b.Title == "Error:" {
		f.Severity = result.SevError
	}
	s.FindBlock(b, f)
}

func minitestSaid(in *tool.Input, body []string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Detail: strings.Join(body[1:], "\n")}
	head := strings.TrimSuffix(body[0], ":")
	if i := strings.LastIndex(head, " ["); i > 0 && strings.HasSuffix(head, "]") {
		if at, _, ok := place.CutPlace(head[i+2 : len(head)-1]); ok {
			f.At = &at
		}
		head = head[:i]
	}
	f.ID = head
	var said []string
	var frames []result.Location
	for _, line := range body[1:] {
		if at, ok := frame.Ruby(strings.TrimSpace(line)); ok {
			frames = append(frames, at)
		} else if len(frames) == 0 {
			said = append(said, line)
		}
	}
	read.Locate(in, &f, frames)
	minitestValues(&f, lex.TrimBlankLines(said))
	return f
}

// minitestValues reads the message: "Expected: 4", "  Actual: 3", a diff, or an
// exception.
func minitestValues(f *result.Finding, said []string) {
	var words []string
	for i, line := range said {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(line, "--- expected") {
			f.Diff = strings.Join(said[i:], "\n")
			break
		}
		if strings.HasPrefix(text, "---Backtrace") || i+2 < len(said) && line == "" && strings.Contains(said[i+2], "^") && strings.Trim(said[i+2], " ^") == "" {
			break // the source, which error_highlight shows, follows
		}
		if v, ok := strings.CutPrefix(text, "Expected: "); ok {
			f.Expected = v
		} else if v, ok := strings.CutPrefix(text, "Actual: "); ok {
			f.Actual = v
		}
		if len(words) < 4 && text != "" {
			words = append(words, text)
		}
	}
	f.Message = strings.Join(words, " ")
	if class, _, ok := strings.Cut(f.Message, ": "); ok && isClass(class) && class != "Expected" {
		f.Rule = class
	}
	if f.Message == "" && f.Diff != "" {
		f.Message = diffMessage(said)
	}
}

// diffMessage returns "expected …, got …" with the first lines that differ, for a failure that has only a diff.
func diffMessage(said []string) string {
	var minus, plus string
	for _, line := range said {
		switch {
		case lex.HasAnyPrefix(line, "---", "+++", "-#    valid: ", "+#    valid: "):
		case strings.HasPrefix(line, "-") && (minus == "" || strings.HasPrefix(minus, "# encoding: ")): // the text follows
			minus = line[1:]
		case strings.HasPrefix(line, "+") && (plus == "" || strings.HasPrefix(plus, "# encoding: ")):
			plus = line[1:]
		}
	}
	return "expected " + strings.TrimSpace(minus) + ", got " + strings.TrimSpace(plus)
}

// minitestStarts begin lines that only minitest prints. Those of the tally recognize an output cut by "| tail".
var minitestStarts = []string{
	"Finished in … runs/s, ", "# Running:", "0… runs, ", "1… runs, ", "2… runs, ", "3… runs, ", "4… runs, ", "5… runs, ", "6… runs, ", "7… runs, ", "8… runs, ", "9… runs, ",
}

// isMinitestTally recognizes "10 runs, 8 assertions, 6 failures, 1 errors, 1 skips"; minitest-reporters counts tests.
func isMinitestTally(t string) bool {
	n, rest, _ := strings.Cut(t, " ")
	return lex.IsDigits(n) && lex.HasAnyPrefix(rest, "runs, ", "tests, ") && strings.Contains(rest, " assertions, ") && strings.HasSuffix(t, " skips")
}

func minitestOther(s *read.Sink, l tool.Line) bool {
	switch {
	case isMinitestTally(l.Text):
		s.Close(l)
		c := read.Counts(l.Text)
		bad := c["failures"] + c["errors"]
		ran := c["runs"] + c["tests"]
		s.Total(bad, map[string]int{"passed": max(ran-bad-c["skips"], 0), "failed": c["failures"], "error": c["errors"], "skipped": c["skips"]})
		s.Tested = s.Tested || ran > 0
		s.NoTests = !s.Tested
	case strings.HasPrefix(l.Text, "Finished in ") && strings.Contains(l.Text, " runs/s, "), l.Text == "# Running:":
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Run options: "):
		s.Anew()
	case l.Text == "", strings.HasPrefix(l.Text, "You have skipped tests. "):
	default:
		return false
	}
	return true
}

func minitestUsage(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "invalid option: ") || strings.HasPrefix(l.Text, "missing argument: ") {
		return s.Misuse(l, l.Text)
	}
	return l.Text == "minitest options:" || strings.HasPrefix(l.Text, "    ") || l.Text == "" || strings.HasPrefix(l.Text, "Known extensions: ")
}

// isRailsRerun recognizes "bin/rails test test/models/book_test.rb:7".
func isRailsRerun(line string) bool {
	f := strings.Fields(line)
	return len(f) == 3 && f[1] == "test" && strings.Contains(f[2], ".rb:")
}

// parseRails reads the failures that Rails, and minitest-reporters, print as they happen:
//
//	Failure:
//	BookTest#test_adds [test/models/book_test.rb:7]:
//	Expected: 4
//	  Actual: 3
//
//	bin/rails test test/models/book_test.rb:5
//
// SpecReporter prints the class, and below it a row for each test with its failure: see cutSpecRow.
func parseRails(in *tool.Input) *tool.Report {
	r := new(reporters)
	return read.Text{Closes: true, End: func(s *read.Sink) { r.end(s); r.rows.end(s) }, Line: r.line}.Parse(in)
}

// reporters has the failure that is being read, and the last line that may name the class of the rows below it.
type reporters struct {
	open  *read.Block
	below string // the blanks before its lines, if it stands below a row
	class string
	rows  minitestRows
}

func (r *reporters) end(s *read.Sink) {
	if r.open != nil {
		minitestFailure(s, r.open)
	}
	r.open, r.below = nil, ""
}

func (r *reporters) line(s *read.Sink, l tool.Line) bool {
	title, reported := cutReported(l.Text)
	test, isRow := cutSpecRow(l.Text)
	if r.below != "" && l.Text != "" && l.Text[0] != ' ' && !strings.HasPrefix(l.Text, "Minitest::") {
		r.end(s)
	}
	switch {
	case isRow:
		if r.end(s); l.Text[0] == ' ' {
			test.ID = r.class + "#" + test.ID
		}
		if s.Ran(test); test.Outcome.Bad() {
			r.open, r.below = &read.Block{Head: l, Title: lex.Means(string(test.Outcome), "Failure:: failed; Error:: error"), Body: []string{test.ID + ":"}, End: l.End}, "        "
		}
	case reported:
		if r.end(s); strings.HasSuffix(l.Text, "]") {
			r.below = "        "
		}
		r.open = &read.Block{Head: l, Title: title, End: l.End}
	case r.open != nil && isRailsRerun(l.Text):
		s.Sign(l)
		r.end(s)
	case isMinitestTally(l.Text), strings.HasPrefix(l.Text, "Finished in "):
		r.end(s)
		return r.rows.other(s, l)
	case r.open != nil && len(r.open.Body) < 400:
		r.open.Body, r.open.End = append(r.open.Body, cutTestClass(strings.TrimPrefix(l.Text, r.below), len(r.open.Body) == 0)), l.End
	case strings.Contains(l.Text, " with run options"):
		return s.Sign(l)
	case l.Text != "" && l.Text[0] != ' ':
		r.class = strings.Clone(l.Text)
		return r.rows.other(s, l)
	default:
		return r.rows.other(s, l)
	}
	return true
}

// cutSpecRow reads "  test_0001_adds        PASS (0.02s)", and RubyMateReporter's "FAIL CartTest#test_0001_adds (0.02s)".
func cutSpecRow(text string) (t tool.Test, ok bool) {
	row, took, ok := lex.CutLast(strings.TrimPrefix(text, "  "), " (")
	name, word, _ := lex.CutLast(row, " ")
	if first, rest, _ := strings.Cut(row, " "); row == text[:len(row)] && strings.Contains(rest, "#") {
		name, word = rest, first
	}
	t = tool.Test{ID: strings.TrimSpace(name), Outcome: read.Outcome(lex.Means(word, "passed: PASS; failed: FAIL; error: ERROR; skipped: SKIP"))}
	t.DurationMS, _ = lex.Millis(strings.TrimSuffix(took, ")"))
	return t, ok && t.ID != "" && t.Outcome != "" && (strings.HasPrefix(text, "  ") || strings.Contains(t.ID, "#")) && strings.HasSuffix(took, "s)")
}

// cutReported reads "Failure:", and what a reporter with a bar prints behind it: `==== FAIL["test_adds", BookTest, 0.01]`.
func cutReported(text string) (title string, ok bool) {
	head, _, barred := strings.Cut(text, `["`)
	word := strings.TrimSuffix(text, ":")
	if barred = barred && strings.HasSuffix(text, "]"); barred {
		word = head[strings.LastIndexAny(head, " =|")+1:]
	}
	title = lex.Means(word, "Failure:: FAIL, Failure; Error:: ERROR, Error; Skipped:: SKIP, Skipped")
	return title, title != "" && (barred || title == text)
}

// cutTestClass reads "test_adds#BookTest (0.01s)", which is BookTest#test_adds, and removes minitest's own classes.
func cutTestClass(text string, first bool) string {
	name, took, ok := strings.Cut(strings.TrimSpace(text), " (")
	if test, class, has := lex.CutLast(name, "#"); first && ok && has && strings.HasSuffix(took, "s)") {
		return class + "#" + test + ":"
	}
	for _, class := range []string{"Minitest::UnexpectedError:", "Minitest::Assertion:"} {
		if rest, ok := strings.CutPrefix(text, class); ok {
			return strings.TrimSpace(rest)
		}
	}
	return text
}
