package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// commands are the commands for files that are not named after their command.
var commands = map[string]string{
	"cargo-check": "cargo check", "clippy": "cargo clippy", "dotnet": "dotnet build", "govet": "go vet ./...", "pep8": "pycodestyle .",
	"remark-lint": "remark .", "eslint-compact": "eslint -f compact .", "golangci-lint": "golangci-lint run", "sbt": "sbt compile", "sbt-scalastyle": "sbt scalastyle",
	"standardjs": "standard", "ansible-lint": "ansible-lint -p",
}

// errorformats reads NAME.in and NAME.ok: "path|3 col 7 error 12| message".
func errorformats(dir string) (all []sample, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "fmts", "testdata", "*.in"))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".in")
		s := sample{name: name, command: commands[name]}
		if s.command == "" {
			s.command = name
		}
		ok, readErr := os.ReadFile(strings.TrimSuffix(file, ".in") + ".ok")
		if readErr != nil {
			continue // the module expects nothing of this file
		}
		if s.output, err = os.ReadFile(file); err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(ok)) {
			if e, found := cutQuickfix(strings.TrimSpace(line)); found {
				s.want = append(s.want, e)
			}
		}
		all = append(all, s)
	}
	return all, err
}

// cutQuickfix reads a line of vim's error list.
func cutQuickfix(line string) (e expected, ok bool) {
	path, rest, ok := strings.Cut(line, "|")
	where, message, closed := strings.Cut(rest, "| ")
	if !ok || !closed {
		return e, false
	}
	number, _, _ := strings.Cut(where, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		n = 0
	}
	return expected{path: path, line: n, text: message}, true
}

// junitReports reads NNN-name.txt, the output of go test, and NNN-report.xml.
func junitReports(dir string) (all []sample, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "*.txt"))
	for _, file := range files {
		base := filepath.Base(file)
		number, _, _ := strings.Cut(base, "-")
		report, readErr := os.ReadFile(filepath.Join(dir, "testdata", number+"-report.xml"))
		if readErr != nil {
			continue
		}
		s := sample{name: strings.TrimSuffix(base, ".txt"), command: "go test -v ./..."}
		if strings.Contains(base, ".gojson") {
			s.command = "go test -json ./..."
		}
		if s.output, err = os.ReadFile(file); err == nil {
			s.want, err = failedCases(report)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, err
}

// failedCases returns the failed tests of a JUnit report.
func failedCases(report []byte) (want []expected, err error) {
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
			text := c.Class + "." + c.Name
			if strings.HasPrefix(c.Name, "[") || c.Name == "" { // a package, such as "[build failed]"
				text = c.Class
			}
			want = append(want, expected{text: text})
		}
	}
	return want, nil
}

// gotestsums reads the events of go test -json. A test that ends with "fail" and has no failed subtest is expected.
func gotestsums(dir string) (all []sample, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "testjson", "testdata", "input", "*.out"))
	more, _ := filepath.Glob(filepath.Join(dir, "cmd", "testdata", "input", "*.out"))
	for _, file := range append(files, more...) {
		s := sample{name: strings.TrimSuffix(filepath.Base(file), ".out"), command: "go test -json ./..."}
		if s.output, err = os.ReadFile(file); err != nil {
			return nil, err
		}
		s.want = failedEvents(s.output)
		all = append(all, s)
	}
	return all, err
}

func failedEvents(events []byte) (want []expected) {
	var failed []string
	for line := range bytes.Lines(events) {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal(line, &e) == nil && e.Action == "fail" && e.Test != "" {
			failed = append(failed, e.Package+"."+e.Test)
		}
	}
	for _, id := range failed {
		leaf := true
		for _, other := range failed {
			leaf = leaf && !strings.HasPrefix(other, id+"/")
		}
		if leaf {
			want = append(want, expected{text: id})
		}
	}
	return want
}
