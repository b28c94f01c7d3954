package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// A truth maps test ids, as the runner selects tests, to passed, failed, error, skipped, xfailed or xpassed.

// worse sets the outcome of an id, unless it has a worse one.
func worse(all map[string]string, id, came string) {
	rank := map[string]int{"": 0, "passed": 1, "skipped": 2, "xfailed": 2, "xpassed": 3, "failed": 4, "error": 5}
	if rank[came] > rank[all[id]] {
		all[id] = came
	}
}

// eachLine calls take with each value of reports that have one JSON value per line.
func eachLine[T any](reports [][]byte, take func(T)) error {
	for _, r := range reports {
		d := json.NewDecoder(bytes.NewReader(r))
		for {
			var v T
			err := d.Decode(&v)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			take(v)
		}
	}
	return nil
}

// pytestLog reads the report of pytest-reportlog.
func pytestLog(reports [][]byte) (map[string]string, error) {
	all := map[string]string{}
	err := eachLine(reports, func(v struct {
		Type    string `json:"$report_type"`
		NodeID  string
		When    string
		Outcome string
		XFail   *string `json:"wasxfail"`
	}) {
		if v.Type != "TestReport" {
			return
		}
		came := v.Outcome
		switch {
		case v.XFail != nil && came == "skipped":
			came = "xfailed"
		case v.XFail != nil && came == "passed":
			came = "xpassed"
		case came == "failed" && v.When != "call":
			came = "error"
		case came == "passed" && v.When != "call":
			return
		}
		worse(all, v.NodeID, came)
	})
	return all, err
}

// goJSON reads the events of go test -json.
func goJSON(reports [][]byte) (map[string]string, error) {
	all := map[string]string{}
	err := eachLine(reports, func(v struct{ Action, Package, Test string }) {
		came := map[string]string{"pass": "passed", "fail": "failed", "skip": "skipped"}[v.Action]
		if v.Test != "" && came != "" {
			worse(all, v.Package+"."+v.Test, came)
		}
	})
	return all, err
}

// libtest reads the JSON events of Rust's libtest, which do not name the binary.
func libtest(reports [][]byte) (map[string]string, error) {
	all := map[string]string{}
	var kept [][]byte
	for _, r := range reports {
		for line := range bytes.Lines(r) {
			if bytes.HasPrefix(line, []byte(`{ "type": "test"`)) {
				kept = append(kept, line)
			}
		}
	}
	err := eachLine(kept, func(v struct{ Event, Name string }) {
		came := map[string]string{"ok": "passed", "failed": "failed", "ignored": "skipped"}[v.Event]
		worse(all, v.Name, came)
	})
	return all, err
}

// came reads one JSON line for each verdict passed to a runner's reporter.
func came(reports [][]byte) (map[string]string, error) {
	all := map[string]string{}
	err := eachLine(reports, func(v struct{ ID, Came string }) { worse(all, v.ID, v.Came) })
	return all, err
}

type junitSuite struct {
	Suites []junitSuite `xml:"testsuite"`
	Cases  []junitCase  `xml:"testcase"`
}

type junitCase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Failure *struct{} `xml:"failure"`
	Error   *struct{} `xml:"error"`
	Skipped *struct{} `xml:"skipped"`
}

// junit reads JUnit XML; id makes the runner's id of a case.
func junit(id func(c junitCase) string) func(reports [][]byte) (map[string]string, error) {
	return func(reports [][]byte) (map[string]string, error) {
		all := map[string]string{}
		var walk func(s junitSuite)
		walk = func(s junitSuite) {
			for _, c := range s.Cases {
				came := "passed"
				switch {
				case c.Error != nil:
					came = "error"
				case c.Failure != nil:
					came = "failed"
				case c.Skipped != nil:
					came = "skipped"
				}
				worse(all, id(c), came)
			}
			for _, inner := range s.Suites {
				walk(inner)
			}
		}
		for _, r := range reports {
			var s junitSuite
			if err := xml.Unmarshal(r, &s); err != nil {
				return nil, err
			}
			walk(s)
		}
		return all, nil
	}
}

// dotted returns the id of a case in unittest: the class, then the method.
func dotted(c junitCase) string { return strings.TrimPrefix(c.Class+"."+c.Name, ".") }
