package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/golden"
	"cairn/parsers"
	"cairn/result"
)

// sources are modules whose test data is output that other people recorded, with what other programs find in it: their
// expectations are the truth.
var sources = []struct {
	module string
	read   func(dir string) ([]golden.Case, error)
}{
	{"github.com/reviewdog/errorformat@v0.0.0-20260721110140-13bff69235f3", errorformats},
	{"github.com/jstemmer/go-junit-report/v2@v2.1.0", junitReports},
	{"gotest.tools/gotestsum@v1.13.0", gotestsums},
}

// others reads the cases of the modules, which "go mod download" fetches into the module cache.
func others() (all []golden.Case, err error) {
	for _, source := range sources {
		out, err := exec.Command("go", "mod", "download", "-json", source.module).Output()
		var found struct{ Dir, Error string }
		if json.Unmarshal(out, &found) == nil && found.Error != "" {
			err = errors.New(found.Error)
		}
		if err != nil {
			return nil, fmt.Errorf("fetching %s with go mod download: %w", source.module, err)
		}
		some, err := source.read(found.Dir)
		if err != nil {
			return nil, fmt.Errorf("reading the data of %s: %w", source.module, err)
		}
		all = append(all, slices.DeleteFunc(some, func(c golden.Case) bool { return len(c.Truth) == 0 })...)
	}
	return all, nil
}

// theirs is a case with the output in a file, of a command that exits with 1.
func theirs(name, command, file string) (golden.Case, error) {
	const dir = "/srv/project"
	data, err := os.ReadFile(file)
	return golden.Case{Name: name, Cmd: command, Cwd: dir, Root: dir, Exit: result.Exit{Observed: true, Code: 1}, Output: parsers.Bytes{{Stream: parsers.Stdout, Data: data}}}, err
}

// commands are the commands for files that are not named after their command.
var commands = map[string]string{
	"cargo-check": "cargo check", "clippy": "cargo clippy", "dotnet": "dotnet build", "govet": "go vet ./...", "pep8": "pycodestyle .",
	"remark-lint": "remark .", "eslint-compact": "eslint -f compact .", "golangci-lint": "golangci-lint run", "sbt": "sbt compile", "sbt-scalastyle": "sbt scalastyle",
	"standardjs": "standard", "ansible-lint": "ansible-lint -p",
}

// errorformats reads NAME.in and NAME.ok: "path|3 col 7 error 12| message".
func errorformats(dir string) (all []golden.Case, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "fmts", "testdata", "*.in"))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".in")
		ok, readErr := os.ReadFile(strings.TrimSuffix(file, ".in") + ".ok")
		if readErr != nil {
			continue // the module expects nothing of this file
		}
		c, err := theirs("errorformat/"+name, cmp.Or(commands[name], name), file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(ok)) {
			if f, found := cutQuickfix(strings.TrimSpace(line)); found {
				c.Truth = append(c.Truth, f)
			}
		}
		all = append(all, c)
	}
	return all, err
}

// cutQuickfix reads the place in a line of vim's error list. Of the path it keeps the last name, since the paths are
// relative to different directories.
func cutQuickfix(line string) (f fact, ok bool) {
	file, rest, ok := strings.Cut(line, "|")
	where, _, closed := strings.Cut(rest, "| ")
	number, _, _ := strings.Cut(where, " ")
	if n, err := strconv.Atoi(number); !ok || !closed || err != nil || n == 0 || file == "" {
		return f, false
	}
	return fact{Kind: "at", Text: path.Base(strings.ReplaceAll(file, `\`, "/")) + ":" + number}, true
}

// junitReports reads NNN-name.txt, the output of go test, and NNN-report.xml.
func junitReports(dir string) (all []golden.Case, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "*.txt"))
	for _, file := range files {
		base := filepath.Base(file)
		number, _, _ := strings.Cut(base, "-")
		report, readErr := os.ReadFile(filepath.Join(dir, "testdata", number+"-report.xml"))
		if readErr != nil {
			continue
		}
		command := "go test -v ./..."
		if strings.Contains(base, ".gojson") {
			command = "go test -json ./..."
		}
		c, err := theirs("go-junit-report/"+strings.TrimSuffix(base, ".txt"), command, file)
		if err == nil {
			c.Truth, err = failedCases(report)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, err
}

// failedCases returns the failed tests of a JUnit report.
func failedCases(report []byte) (want []fact, err error) {
	var doc struct {
		Suites []struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Class   string    `xml:"classname,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(report, &doc); err != nil {
		return nil, err
	}
	for _, suite := range doc.Suites {
		for _, c := range suite.Cases {
			if c.Failure == nil && c.Error == nil {
				continue
			}
			failed := fact{Kind: "test", Text: c.Name}
			if strings.HasPrefix(c.Name, "[") || c.Name == "" { // a package, such as "[build failed]"
				failed = fact{Kind: "package", Text: c.Class}
			}
			want = append(want, failed)
		}
	}
	return want, nil
}

// gotestsums reads the events of go test -json. A test that ends with "fail" and has no failed subtest is expected.
func gotestsums(dir string) (all []golden.Case, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "testjson", "testdata", "input", "*.out"))
	more, _ := filepath.Glob(filepath.Join(dir, "cmd", "testdata", "input", "*.out"))
	for _, file := range append(files, more...) {
		c, err := theirs("gotestsum/"+strings.TrimSuffix(filepath.Base(file), ".out"), "go test -json ./...", file)
		if err != nil {
			return nil, err
		}
		c.Truth = failedEvents(c.Raw())
		all = append(all, c)
	}
	return all, err
}

func failedEvents(events []byte) (want []fact) {
	var failed []string
	for line := range bytes.Lines(events) {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal(line, &e) == nil && e.Action == "fail" && e.Test != "" {
			failed = append(failed, e.Test)
		}
	}
	for _, id := range failed {
		leaf := true
		for _, other := range failed {
			leaf = leaf && !strings.HasPrefix(other, id+"/")
		}
		if leaf {
			want = append(want, fact{Kind: "test", Text: id})
		}
	}
	return want
}
