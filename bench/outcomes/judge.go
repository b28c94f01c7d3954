package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"cairn/parsers"
	"cairn/result"
)

// row is what came of one run.
type row struct {
	suite, runner, mode string
	tests               int // of the runner's own report
	named               int // of the list that cairn made
	right, wrong        int
	phantom, falsePass  int  // names that no test has; failures that the list calls passed
	unnamed             int  // tests that the output counts and does not name
	complete            bool // the list is called complete
}

// judge reads an output as cairn does, without any report, and holds the list against the truth.
func judge(name, runner, mode, dir string, o output, want map[string]string, verbose bool) row {
	s := parsers.New(parsers.Input{
		Argv: o.argv, Workspace: result.Workspace{Root: dir, Dir: dir}, Source: parsers.Separate(o.stdout, o.stderr),
	})
	s.Scan()
	s.Result(result.Exit{Code: o.code, Observed: true})
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
		case came == truth, bad && t.Outcome.Bad(): // the two differ by which phase it was
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

// behind finds a test whose report does not name the binary or crate that an id begins with.
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
	fmt.Fprintln(t, "suite\trunner\toutput\ttests\tnamed\tright\twrong\tmade up\tfalse passes\tonly counted\tcomplete")
	for _, r := range append(rows, total(rows)) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%v\n", r.suite, r.runner, r.mode, r.tests, r.named, r.right, r.wrong, r.phantom, r.falsePass, r.unnamed, r.complete)
	}
	t.Flush()
}

func total(rows []row) row {
	t := row{suite: "all", complete: true}
	for _, r := range rows {
		t.tests, t.named, t.right, t.wrong = t.tests+r.tests, t.named+r.named, t.right+r.right, t.wrong+r.wrong
		t.phantom, t.falsePass, t.unnamed = t.phantom+r.phantom, t.falsePass+r.falsePass, t.unnamed+r.unnamed
		t.complete = t.complete && r.complete
	}
	return t
}

// writeTable puts the table into a document, between the lines that mark its place.
func writeTable(path string, rows []row) error {
	const from, to = "<!-- suites -->\n", "<!-- end of suites -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(from))
	_, after, ended := bytes.Cut(rest, []byte(to))
	if !ok || !ended {
		return fmt.Errorf("%s has no place for the table: the lines %s and %s", path, strings.TrimSpace(from), strings.TrimSpace(to))
	}
	var b bytes.Buffer
	b.Write(before)
	b.WriteString(from + "| suite | runner | output | tests | named | right | wrong | made up | false passes | only counted | complete |\n|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, r := range append(rows, total(rows)) {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d | %v |\n", r.suite, r.runner, r.mode, r.tests, r.named, r.right, r.wrong, r.phantom, r.falsePass, r.unnamed, r.complete)
	}
	b.WriteString(to)
	b.Write(after)
	return os.WriteFile(path, b.Bytes(), 0o644)
}
