// Command others runs cairn on output that other people recorded, and says how far its findings agree with theirs. The
// recordings are the test data of three Go modules.
//
//	go -C bench run ./others         how many findings agree, per file
//	go -C bench run ./others -v      and each finding that does not agree
//
// The modules are fetched by "go mod download" into the module cache and read there; nothing is copied. Their messages
// differ from cairn's, so two messages agree if one contains the other.
//
// It makes no claim about the tools: a file may expect only what its module wants to show. Exit status: 0, or 2 if it
// could not run.
//
// What may go in: where such data is found, and how its expectations are read.
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

// expected is a finding as the other program reports it. A field that it does not report is empty.
type expected struct {
	path string
	line int
	text string // text of the message, or the name of the test
}

// sample is a recorded output and the findings expected in it.
type sample struct {
	name, command string
	output        []byte
	want          []expected
}

// sources are the modules, each with the function that reads its data.
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

// download fetches a module and returns its directory.
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

// compare prints one line per file, and the sum.
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

// parse parses an output as that of the command, with exit status 1.
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

// agree pairs expected findings with actual ones, each at most once: first by place and message, then by place alone.
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

// samePlace compares line and base name; directories are ignored, since the paths are relative to different ones.
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

// sameText says whether one text contains the other, ignoring blanks.
func sameText(e expected, f *result.Finding) bool {
	theirs := squeeze(e.text)
	for _, ours := range []string{squeeze(f.Message), squeeze(f.ID)} {
		if ours != "" && (strings.Contains(theirs, ours) || strings.Contains(ours, theirs)) {
			return true
		}
	}
	return false
}

// squeeze returns a text without blanks, quotes and capitals.
func squeeze(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n`'\"‘’", r) {
			return -1
		}
		return r
	}, s))
}
