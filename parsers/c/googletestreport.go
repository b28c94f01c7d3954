package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// googleTestTold is a test in the document that --gtest_output=json writes. A list of tests (--gtest_list_tests) has
// the same form, without a status.
type googleTestTold struct {
	Name, Classname, Status, Result, Time string
	ValueParam                            string `json:"value_param"`
	TypeParam                             string `json:"type_param"`
	Failures                              []struct{ Failure string }
}

func googleTestJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: read.Items(googleTestRan, "/testsuites/*/testsuite/*")}.Parse(in)
}

func googleTestRan(s *read.Sink, v *googleTestTold) {
	if v.Status == "" {
		s.Decline()
		return
	}
	name := v.Classname + "." + v.Name
	came := tool.Passed
	switch {
	case len(v.Failures) > 0:
		came = tool.Failed
	case v.Status != "RUN", v.Result != "" && v.Result != "COMPLETED": // "" before version 1.10
		came = tool.Skipped
	}
	ms, _ := lex.Millis(v.Time)
	s.Counted(tool.Test{ID: name, Outcome: came, DurationMS: ms})
	if came != tool.Failed {
		return
	}
	var text []string
	for _, f := range v.Failures {
		at, said, _ := strings.Cut(f.Failure, "\n")
		text = append(text, at+": Failure")
		text = append(text, read.TextLines(said)...)
	}
	var params string
	switch {
	case v.ValueParam != "":
		params = "GetParam() = " + v.ValueParam
	case v.TypeParam != "":
		params = "TypeParam = " + v.TypeParam
	}
	s.Claim(1)
	s.FindHere(googleTestFinding(s.In, name, params, text))
}

// googleTestOutput is the flag that requests a report.
const googleTestOutput = "--gtest_output="

// googleTestReport returns the file in "--gtest_output=xml:FILE" or "=json:FILE". It may be a directory, or left out.
func googleTestReport(arg, _ string) []string {
	value, ok := strings.CutPrefix(arg, googleTestOutput)
	kind, file, _ := strings.Cut(value, ":")
	if !ok || kind != "xml" && kind != "json" {
		return nil
	}
	return []string{cmp.Or(file, "test_detail."+kind)}
}
