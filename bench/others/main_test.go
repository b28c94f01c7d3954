package main

import (
	"testing"

	"cairn/result"
)

func TestAgree(t *testing.T) {
	found := []result.Finding{
		{Message: "unused variable `x`", At: &result.Location{Path: "src/a.c", Line: 3}},
		{Message: "something else", At: &result.Location{Path: "src/a.c", Line: 9}},
		{ID: "pkg.TestA/one", Message: "no"},
		{Message: "more", At: &result.Location{Path: "b.c", Line: 1}},
	}
	want := []expected{
		{path: "/home/x/a.c", line: 3, text: "warning: Unused variable 'x'"}, // both
		{path: "a.c", line: 9, text: "its own words"},                        // the place
		{text: "pkg.TestA/one"},                                              // a test has no place
		{path: "c.c", line: 1, text: "more"},                                 // another file
	}
	got, lost := agree(want, found)
	if got != (tally{theirs: 4, places: 3, messages: 2, more: 1}) || len(lost) != 2 {
		t.Errorf("%+v, lost %v", got, lost)
	}
}

// A finding serves once: two that are expected are not met by one that is found.
func TestAgreeOnce(t *testing.T) {
	at := &result.Location{Path: "a.c", Line: 3}
	e := expected{path: "a.c", line: 3, text: "twice"}
	if got, lost := agree([]expected{e, e}, []result.Finding{{Message: "twice", At: at}}); got.messages != 1 || got.more != 0 || len(lost) != 1 {
		t.Errorf("%+v, lost %v", got, lost)
	}
}

func TestCutQuickfix(t *testing.T) {
	for line, want := range map[string]expected{
		"a.py|3 col 7 error 12| text | more": {"a.py", 3, "text | more"},
		"a.py|9| text":                       {"a.py", 9, "text"},
		"a.py||  text":                       {"a.py", 0, " text"},
	} {
		if got, ok := cutQuickfix(line); !ok || got != want {
			t.Errorf("%q: %+v, %t", line, got, ok)
		}
	}
	if _, ok := cutQuickfix("Type 'x' is not assignable"); ok {
		t.Error("a line below a message is none")
	}
}

func TestFailedCases(t *testing.T) {
	got, err := failedCases([]byte(`<testsuites><testsuite><testcase classname="p" name="TestA"/><testcase classname="p" name="TestB"><failure/></testcase>` +
		`<testcase classname="q" name="[build failed]"><error/></testcase></testsuite></testsuites>`))
	if err != nil || len(got) != 2 || got[0].text != "p.TestB" || got[1].text != "q" {
		t.Errorf("%v, %v", got, err)
	}
}

// A test fails with what is below it: only the innermost is expected.
func TestFailedEvents(t *testing.T) {
	got := failedEvents([]byte("{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T/one\"}\n{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T\"}\n{\"Action\":\"fail\",\"Package\":\"p\"}\nno json\n"))
	if len(got) != 1 || got[0].text != "p.T/one" {
		t.Errorf("%v", got)
	}
}
