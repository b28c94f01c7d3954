package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mavenResults reads the lists at the end of a module's tests, which decide what failed. A failure above the lists
// may lack its text, be repeated for several runs, have passed in a later run, or be the output of another test.
//
//	[ERROR] Failures:
//	[ERROR]   AccountTest.adds:7 sum ==> expected: <1> but was: <2>
//	[WARNING] Flakes:
//	[WARNING] com.acme.AccountTest.open
//	[ERROR]   Run 1: AccountTest.open:9 » IllegalState first time
//	[INFO]   Run 2: PASS
type mavenResults struct {
	old   bool            // the lists are those of surefire before 2.20
	list  string          // head of the list that is being read: "Failures:", "Errors:" or "Flakes:"; "" outside
	test  string          // the test whose runs follow
	runs  map[string]int  // number of runs by test
	flaky map[string]bool // tests in the list "Flakes:"
	// hidden has flaky tests without the package, "AccountTest.open": with -q, only their rows "Run 1: …" are printed.
	hidden map[string]bool
	green  bool // no line says that the build failed
	rows   []resultRow
	ran    map[string]bool // classes in which tests failed
	rerun  bool            // one of these classes ran twice
}

type resultRow struct {
	tool.Line
	of       result.Finding // the finding of the row alone
	test     string         // "AccountTest.adds"
	said     []string
	answered bool // a failure above is this row's
}

func newMavenResults() mavenResults {
	return mavenResults{runs: map[string]int{}, flaky: map[string]bool{}, hidden: map[string]bool{}, ran: map[string]bool{}}
}

// begins takes the head of a list.
func (r *mavenResults) begins(l tool.Line, text string) bool {
	text = strings.TrimSpace(text)
	if old := map[string]string{"Failed tests": "Failures:", "Tests in error": "Errors:"}[strings.Split(text, ":")[0]]; old != "" {
		_, row, _ := strings.Cut(text, ":")
		r.list, r.test, r.old = old, "", true
		return r.row(l, strings.TrimSpace(row)) || true
	}
	if text != "Failures:" && text != "Errors:" && text != "Flakes:" {
		return false
	}
	r.list, r.test = text, ""
	return true
}

// see takes a line of a list. Any other line ends the list. headless is set if the output may be the tail of another,
// so that the head of a list may be cut off.
func (r *mavenResults) see(l tool.Line, rest string, headless bool) bool {
	text, row := strings.CutPrefix(rest, "  ")
	if row && r.list == "" && headless && r.row(l, text) {
		r.list = "Failures:"
		return true
	}
	row = row && r.list != ""
	if call, ok := strings.CutPrefix(text, "Run 1: "); ok && (r.list == "" && headless || r.runs[r.test] > 0) { // with -q, "Flakes:" and the names of tests are not printed
		r.list, row = "Flakes:", true
		r.test, _, _ = strings.Cut(strings.Clone(call), ":")
		r.hidden[r.test] = true
	}
	if run, said, ok := strings.Cut(text, ": "); row && r.test != "" && ok && strings.HasPrefix(run, "Run ") {
		if r.runs[r.test]++; r.runs[r.test] > 1 || said == "PASS" || r.list == "Flakes:" {
			return true
		}
		text = said
	}
	if row && r.list != "Flakes:" && r.row(l, text) {
		return true
	} else if row && strings.HasPrefix(text, "Architecture Violation ") { // ArchUnit's has no name of a test, and others follow
		r.rows = append(r.rows, resultRow{Line: l, answered: true, said: []string{""}})
		return true
	}
	if rest == "" {
		return false
	}
	if r.list == "" || row || strings.Contains(rest, ": ") || !strings.Contains(rest, ".") {
		r.list = ""
		return false
	}
	r.test = strings.Clone(strings.TrimSuffix(rest, ".<beforeAll>"))
	if name, class, ok := strings.Cut(strings.TrimSuffix(r.test, ")"), "("); ok && strings.HasPrefix(name, class+".") { // JUnit 4: "com.acme.T.adds(com.acme.T)"
		r.test = name
	}
	r.runs[r.test] = 0
	r.flaky[r.test] = r.list == "Flakes:"
	return true
}

// row reads "AccountTest.adds:7->check:12 sum ==> …" and "AccountTest>BaseTest.adds:7 » IO …".
func (r *mavenResults) row(l tool.Line, text string) bool {
	if head, said, ok := strings.Cut(text, "): "); r.old && ok { // surefire 2.12: "adds[1](com.acme.AccountTest): sum …"
		method, class, _ := strings.Cut(head, "(")
		method, _, _ = strings.Cut(method, "[")
		text = class + "." + method + " " + said
	}
	name, message, _ := strings.Cut(text, " ")
	if r.old { // "com.acme.AccountTest: no file", a class that could not be set up
		name = strings.TrimSuffix(name, ":")
	}
	name, _, _ = strings.Cut(name, "->")
	name, line, placed := strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "(")
	class, method, dotted := strings.Cut(name, ".")
	message, thrown := strings.CutPrefix(message, "» ")
	if !dotted || method == "" || placed != lex.IsDigits(line) {
		return false
	}
	file := class
	if heir, base, ok := strings.Cut(class, ">"); ok {
		class, file = heir, base
	}
	if names := strings.Split(method, "$"); names[0] == "lambda" && len(names) > 1 {
		method = names[1]
	}
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(thrown || r.list == "Errors:"), ID: class + "." + method}
	if placed {
		file, _, _ = strings.Cut(file, "$")
		f.At = &result.Location{Path: file + ".java", Line: lex.Atoi(line)}
	}
	r.rows = append(r.rows, resultRow{Line: l, of: f, test: f.ID, said: []string{strings.TrimSpace(message)}})
	return true
}

// below takes a further line of the last row's message.
func (r *mavenResults) below(l tool.Line) bool {
	if r.list == "" || len(r.rows) == 0 {
		return false
	}
	if last := &r.rows[len(r.rows)-1]; len(last.said) < 200 {
		last.said = append(last.said, strings.Clone(l.Text))
	}
	return true
}

// settle makes the failed tests, from the finding first on, agree with the lists. counted is the number of failed
// tests by the totals, or -1 without totals. whole is set if no tests follow the last total.
func (r *mavenResults) settle(s *read.Sink, in *tool.Input, first, counted int, whole bool) {
	first = min(first, len(s.Findings)) // findings beyond the limit are not kept
	if r.green && len(r.hidden) > 0 {
		s.EndHere() // with -q, no closing line follows
	}
	r.again(s, first, counted >= 0 && len(s.Findings)-first > counted)
	told := slices.Repeat([]bool{false}, len(s.Findings))
	found, seen := 0, map[string]bool{}
	for i := first; i < len(s.Findings); i++ {
		if f := &s.Findings[i]; f.Kind != result.TestFailure || f.Severity == result.SevWarning {
			told[i] = true
		} else if r.runs[f.ID] < 2 || !seen[f.ID] { // JUnit 4's ErrorCollector fails a test several times
			found, seen[f.ID] = found+1, true
		}
	}
	for _, whole := range [...]bool{true, false} {
		for i := range r.rows {
			r.rows[i].answer(s.Findings[first:], told[first:], whole)
		}
	}
	for i := range r.rows {
		if row := &r.rows[i]; !row.answered && (counted < 0 || found < counted) {
			f, at := row.of, row.of.At
			junit.Explain(in, &f, row.said, "", "")
			f.At = at
			if len(row.said) == 1 {
				f.Detail = ""
			}
			s.Find(row.Line, f)
			s.Break()
			found++
		}
	}
	if whole && counted > 0 && len(r.rows) == counted {
		r.withoutPrinted(s, first, found-counted)
	}
}

// withoutPrinted removes failures of classes that no row names, if there are at most beyond of them. beyond is how many
// failures there are more than complete lists have. Such a failure is the output of a test.
func (r *mavenResults) withoutPrinted(s *read.Sink, first, beyond int) {
	classes := map[string]bool{}
	for _, row := range r.rows {
		class, _, _ := strings.Cut(row.test, ".")
		class, _, _ = strings.Cut(class, "$")
		classes[class] = true
	}
	printed := func(f result.Finding) bool {
		class := classOf(f.ID)
		class, _, _ = strings.Cut(class[strings.LastIndexByte(class, '.')+1:], "$")
		return f.Kind == result.TestFailure && f.Severity != result.SevWarning && !classes[class]
	}
	n := 0
	for _, f := range s.Findings[first:] {
		if printed(f) {
			n++
		}
	}
	if n <= beyond {
		s.Findings = append(s.Findings[:first], slices.DeleteFunc(s.Findings[first:], printed)...)
	}
}

// again joins the findings for several runs of a test to one, a warning if the test passed in the end. beyond is set if
// there are more findings than failed tests, since surefire 2 prints all runs of a class together.
func (r *mavenResults) again(s *read.Sink, first int, beyond bool) {
	if len(r.runs)+len(r.hidden) == 0 {
		return
	}
	seen := map[string]bool{}
	kept := s.Findings[:first]
	for _, f := range s.Findings[first:] {
		if short := lastNames(f.ID); r.hidden[short] && (r.green || beyond) {
			r.runs[f.ID], r.flaky[f.ID] = r.runs[short], true
		}
		if n := r.runs[f.ID]; f.Kind == result.TestFailure && n > 0 && (r.flaky[f.ID] || r.rerun || n > 1 && beyond) { // otherwise several tests have the same id
			if seen[f.ID] {
				continue
			}
			seen[f.ID], f.Attempts = true, n
			if r.flaky[f.ID] {
				f.Severity, f.Tags = result.SevWarning, []string{"flaky"}
			}
			if r.flaky[f.ID] && r.green && r.hidden[lastNames(f.ID)] { // with -q, the totals are not printed
				s.Count("flaky", 1)
			}
		}
		kept = append(kept, f)
	}
	s.Findings = kept
}

// classOf returns the class in the id of a test. The id may be a class itself.
func classOf(id string) string {
	id, _, _ = strings.Cut(id, "(")
	id, _, titled := strings.Cut(id, " ")
	i := strings.LastIndexByte(id, '.')
	if i < 0 || !titled && i+1 < len(id) && id[i+1] >= 'A' && id[i+1] <= 'Z' {
		return id
	}
	return id[:i]
}

// lastNames returns the id of a test without the package.
func lastNames(id string) string {
	class := classOf(id)
	return id[strings.LastIndexByte(class, '.')+1:]
}

// answer finds the failure that the row names: "AccountTest.adds" is com.acme.AccountTest.adds and, unless whole is
// set, com.acme.AccountTest, a class whose set-up failed.
func (row *resultRow) answer(findings []result.Finding, told []bool, whole bool) {
	class, _, _ := strings.Cut(row.test, ".")
	for i := range findings {
		if row.answered || told[i] {
			continue
		}
		f := &findings[i]
		id, _, _ := strings.Cut(f.ID, "(")
		id, _, _ = strings.Cut(id, "[")
		if id = "." + id; !strings.HasSuffix(id, "."+row.test) && (whole || !strings.HasSuffix(id, "."+class)) {
			continue
		}
		told[i], row.answered = true, true
		if (f.Message == tool.Untold || strings.HasPrefix(f.Message, "Caused by: ")) && row.said[0] != "" { // a search may have left only the cause
			f.Message = row.said[0]
		}
		if f.At == nil && row.of.At != nil { // an inherited test, whose frames surefire trims
			f.At = row.of.At
			placeTest(f)
		}
		return
	}
}
