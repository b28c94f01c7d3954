package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"cairn/bench/packages"
	"cairn/parsers"
	"cairn/result"
)

// row is the result for one output.
type row struct {
	suite, runner, mode string
	tests               int // in the runner's own report
	named               int // in cairn's list
	right, wrong        int
	phantom, falsePass  int  // listed names that are no tests; failed tests that the list calls passed
	unnamed             int  // tests that the output only counts
	complete            bool // the list claims to be complete
	harness             harness
}

// judge parses an output as cairn does, without a report, and compares the list with the truth.
func judge(name, runner, mode, dir string, o packages.Output, want map[string]string, verbose bool) row {
	s := parsers.New(parsers.Input{
		Argv: o.Argv, Workspace: result.Workspace{Root: dir, Dir: dir}, Source: parsers.Separate(o.Stdout, o.Stderr),
	})
	s.Scan()
	s.Result(result.Exit{Code: o.Code, Observed: true})
	list, said := s.Outcomes()
	r := row{suite: name, runner: runner, mode: mode, tests: len(want)}
	if said != nil {
		r.complete = said.Complete
		for _, n := range said.Unnamed {
			r.unnamed += n
		}
	}
	for _, t := range list {
		if t.Parent && want[t.ID] == "" {
			continue
		}
		r.named++
		came := strings.Replace(string(t.Outcome), "flaky", "passed", 1)
		truth, known := want[t.ID]
		if !known {
			truth, known = behind(want, t.ID)
		}
		switch bad := truth == "failed" || truth == "error"; {
		case !known:
			r.phantom++
			say(verbose, "  made up: %s %s\n", t.ID, came)
		case bad && came == "passed":
			r.falsePass++
			say(true, "  false pass: %s\n", t.ID)
		case came == truth, bad && t.Outcome.Bad(): // the two differ only in the phase that failed
			r.right++
		default:
			r.wrong++
			say(verbose, "  wrong: %s %s, and not %s\n", t.ID, truth, came)
		}
	}
	return r
}

func say(ask bool, format string, words ...any) {
	if ask {
		fmt.Fprintf(os.Stderr, format, words...)
	}
}

// behind finds the test for an id that begins with a binary or crate, which the report does not name.
func behind(want map[string]string, id string) (string, bool) {
	for rest := id; ; {
		_, after, more := strings.Cut(rest, "::")
		if !more {
			return "", false
		}
		if truth, known := want[after]; known {
			return truth, true
		}
		rest = after
	}
}

func printTable(w io.Writer, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(columns, "\t"))
	for _, r := range append(rows, total(rows)) {
		fmt.Fprintln(t, strings.Join(r.cells(), "\t"))
	}
	t.Flush()
}

// columns are the headers of the table.
var columns = []string{"suite", "runner", "output", "tests", "named", "right", "wrong", "made up", "false passes", "only counted", "complete", "harness: right", "wrong", "made up", "false passes"}

func (r *row) cells() []string {
	cells := []string{r.suite, r.runner, r.mode}
	for _, n := range []int{r.tests, r.named, r.right, r.wrong, r.phantom, r.falsePass, r.unnamed} {
		cells = append(cells, strconv.Itoa(n))
	}
	cells = append(cells, strconv.FormatBool(r.complete))
	for _, n := range []int{r.harness.right, r.harness.wrong, r.harness.phantom, r.harness.falsePass} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}

// rowOf parses the cells of a row.
func rowOf(cells []string) (r row, err error) {
	if len(cells) != len(columns) {
		return r, fmt.Errorf("a row of the table has %d columns, and not %d: %q", len(cells), len(columns), cells)
	}
	r.suite, r.runner, r.mode, r.complete = cells[0], cells[1], cells[2], cells[10] == "true"
	for i, to := range map[int]*int{3: &r.tests, 4: &r.named, 5: &r.right, 6: &r.wrong, 7: &r.phantom, 8: &r.falsePass, 9: &r.unnamed,
		11: &r.harness.right, 12: &r.harness.wrong, 13: &r.harness.phantom, 14: &r.harness.falsePass} {
		if *to, err = strconv.Atoi(cells[i]); err != nil {
			return r, fmt.Errorf("the table, column %s: %w", columns[i], err)
		}
	}
	return r, nil
}

func total(rows []row) row {
	t := row{suite: "all", complete: true}
	for _, r := range rows {
		t.tests, t.named, t.right, t.wrong = t.tests+r.tests, t.named+r.named, t.right+r.right, t.wrong+r.wrong
		t.phantom, t.falsePass, t.unnamed = t.phantom+r.phantom, t.falsePass+r.falsePass, t.unnamed+r.unnamed
		t.complete = t.complete && r.complete
		t.harness.add(r.harness)
	}
	return t
}

// distinct returns the number of different tests, each counted once however many outputs it is in.
func distinct(rows []row) (n int) {
	of := map[string]int{}
	for _, r := range rows {
		of[r.suite] = max(of[r.suite], r.tests)
	}
	for _, tests := range of {
		n += tests
	}
	return n
}

// writeTable writes rows into the table of a document, between two marking lines. Rows of suites that did not run now
// are kept.
func writeTable(path string, rows []row) error {
	const from, to = "<!-- suites -->\n", "<!-- end of suites -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(from))
	was, after, ended := bytes.Cut(rest, []byte(to))
	if !ok || !ended {
		return fmt.Errorf("%s has no place for the table: the lines %s and %s", path, strings.TrimSpace(from), strings.TrimSpace(to))
	}
	kept, err := readTable(string(was), rows)
	if err != nil {
		return err
	}
	rows = append(kept, rows...)
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.runner, b.runner), cmp.Compare(a.suite, b.suite)) })
	var b bytes.Buffer
	b.Write(before)
	fmt.Fprintf(&b, "%s| %s |\n|---|---|---|%s|\n", from, strings.Join(columns, " | "), strings.TrimSuffix(strings.Repeat("---:|", len(columns)-3), "|"))
	for _, r := range append(rows, total(rows)) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r.cells(), " | "))
	}
	suites := map[string]bool{}
	for _, r := range rows {
		suites[r.suite] = true
	}
	fmt.Fprintf(&b, "\n%d suites, %d distinct tests.\n%s", len(suites), distinct(rows), to)
	b.Write(after)
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// readTable reads the rows of a table, except those of suites in fresh.
func readTable(text string, fresh []row) (rows []row, err error) {
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) < 3 || cells[0] == "suite" || cells[0] == "all" || strings.HasPrefix(cells[0], "---") || slices.ContainsFunc(fresh, func(r row) bool { return r.suite == cells[0] }) {
			continue
		}
		r, err := rowOf(cells)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
