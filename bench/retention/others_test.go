package main

import (
	"testing"
)

func TestCutQuickfix(t *testing.T) {
	for line, want := range map[string]string{"src/a.py|3 col 7 error 12| text | more": "a.py:3", `C:\b\a.py|9| text`: "a.py:9"} {
		if got, ok := cutQuickfix(line); !ok || got.Text != want {
			t.Errorf("%q: %+v, %t", line, got, ok)
		}
	}
	for _, line := range []string{"Type 'x' is not assignable", "a.py||  text"} {
		if _, ok := cutQuickfix(line); ok {
			t.Errorf("%q has no place", line)
		}
	}
}

func TestFailedCases(t *testing.T) {
	got, err := failedCases([]byte(`<testsuites><testsuite><testcase classname="p" name="TestA"/><testcase classname="p" name="TestB"><failure/></testcase>` +
		`<testcase classname="q" name="[build failed]"><error/></testcase></testsuite></testsuites>`))
	if err != nil || len(got) != 2 || got[0].Text != "TestB" || got[1] != (fact{Kind: "package", Text: "q"}) {
		t.Errorf("%v, %v", got, err)
	}
}

// A test fails with what is below it: only the innermost is expected.
func TestFailedEvents(t *testing.T) {
	got := failedEvents([]byte("{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T/one\"}\n{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T\"}\n{\"Action\":\"fail\",\"Package\":\"p\"}\nno json\n"))
	if len(got) != 1 || got[0].Text != "T/one" {
		t.Errorf("%v", got)
	}
}
