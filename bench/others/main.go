// Command others runs cairn over output that other people recorded, and says how
// far its findings agree with theirs: the test data that three Go modules carry.
//
//	go -C bench run ./others         how many findings agree, per file
//	go -C bench run ./others -v      and each that does not
//
// The modules are fetched by "go mod download" into the module cache and read
// there; nothing of them is copied. Their words for a finding differ from cairn's,
// so that two messages agree where one holds the other.
//
// It promises nothing of the tools: what a file expects may be what its module
// wants to see. Exit status: 0, or 2 where it could not run.
//
// What may go in: where such data is, and how its expectations are read.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"cairn/bench/tree"
	"cairn/parsers"
	"cairn/result"
)

// expected is a finding as another program tells it. A field that it does not tell
// is empty.
type expected struct {
	path string
	line int
	text string // of the message, or the name of the test
}

// sample is a recorded output and what is expected of it.
type sample struct {
	name, command string
	output        []byte
	want          []expected
}

// sources are the modules, and how the data of each is read.
var sources = []struct {
	module string
	read   func(dir string) ([]sample, error)
}{
	{"github.com/reviewdog/errorformat@v0.0.0-20260721110140-13bff69235f3", errorformats},
	{"github.com/jstemmer/go-junit-report/v2@v2.1.0", junitReports},
	{"gotest.tools/gotestsum@v1.13.0", gotestsums},
}

func main() {
	verbose := flag.Bool("v", false, "each finding that does not agree")
	flag.Parse()
	tree.Enter()
	for _, source := range sources {
		dir, err := download(source.module)
		if err == nil {
			err = compare(source.module, dir, source.read, *verbose)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "others: %s: %v\n", source.module, err)
			os.Exit(2)
		}
	}
}

// download fetches a module and says where it is.
func download(module string) (dir string, err error) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	var found struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &found); jsonErr == nil && found.Error != "" {
		return "", fmt.Errorf("fetching it: %s", found.Error)
	}
	if err != nil {
		return "", fmt.Errorf("fetching it with go mod download: %w", err)
	}
	return found.Dir, nil
}

// compare prints a line a file and the sum.
func compare(module, dir string, read func(dir string) ([]sample, error), verbose bool) error {
	samples, err := read(dir)
	if err != nil {
		return fmt.Errorf("reading its data: %w", err)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n  file\ttheirs\tplace agrees\tand message\tcairn more\tread by\n", module)
	var sum tally
	var missing []string
	for _, s := range samples {
		r := parse(s)
		t, lost := agree(s.want, r.Findings)
		sum.add(t)
		fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%d\t%s\n", s.name, t.theirs, t.places, t.messages, t.more, reader(r))
		for _, e := range lost {
			missing = append(missing, fmt.Sprintf("    %s: %s:%d: %s\n", s.name, e.path, e.line, e.text))
		}
	}
	fmt.Fprintf(w, "  all\t%d\t%d\t%d\t%d\n\n", sum.theirs, sum.places, sum.messages, sum.more)
	if err := w.Flush(); err != nil || !verbose {
		return err
	}
	for _, line := range missing {
		fmt.Print(line)
	}
	return nil
}

// parse reads an output as that of the command, which failed.
func parse(s sample) *result.ToolResult {
	in := parsers.Input{
		Shell: s.command, Source: parsers.Bytes{{Stream: parsers.Stdout, Data: s.output}},
		Workspace: result.Workspace{Root: "/srv/project", Dir: "/srv/project"},
	}
	return parsers.Parse(in, result.Exit{Observed: true, Code: 1})
}

func reader(r *result.ToolResult) string {
	if r.Parser == nil {
		return string(r.ParserConfidence)
	}
	return r.Parser.Name + " " + r.Parser.Format + ", " + string(r.ParserConfidence)
}

// tally counts findings.
type tally struct{ theirs, places, messages, more int }

func (t *tally) add(o tally) {
	t.theirs += o.theirs
	t.places += o.places
	t.messages += o.messages
	t.more += o.more
}

// agree pairs what is expected with findings, each of which serves once: first by
// place and message, then by place.
func agree(want []expected, found []result.Finding) (t tally, lost []expected) {
	free := slices.Clone(found)
	take := func(e expected, same func(e expected, f *result.Finding) bool) bool {
		i := slices.IndexFunc(free, func(f result.Finding) bool { return same(e, &f) })
		if i >= 0 {
			free = slices.Delete(free, i, i+1)
		}
		return i >= 0
	}
	t.theirs = len(want)
	var rest []expected
	for _, e := range want {
		if take(e, func(e expected, f *result.Finding) bool { return samePlace(e, f) && sameText(e, f) }) {
			t.places++
			t.messages++
		} else {
			rest = append(rest, e)
		}
	}
	for _, e := range rest {
		if take(e, samePlace) {
			t.places++
		}
		lost = append(lost, e)
	}
	t.more = len(free)
	return t, lost
}

// samePlace: the same line of a file of the same name; directories are written
// relative to different ones.
func samePlace(e expected, f *result.Finding) bool {
	if e.path == "" && e.line == 0 {
		return true
	}
	if f.At == nil {
		return false
	}
	base := func(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }
	return f.At.Line == e.line && (e.path == "" || base(f.At.Path) == base(e.path))
}

// sameText: one text holds the other, blanks aside.
func sameText(e expected, f *result.Finding) bool {
	theirs := squeeze(e.text)
	for _, ours := range []string{squeeze(f.Message), squeeze(f.ID)} {
		if ours != "" && (strings.Contains(theirs, ours) || strings.Contains(ours, theirs)) {
			return true
		}
	}
	return false
}

// squeeze is a text without blanks, quotes and capitals.
func squeeze(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n`'\"‘’", r) {
			return -1
		}
		return r
	}, s))
}
