package teamcity

import "testing"

func TestAttribute(t *testing.T) {
	const line = `  ##teamcity[testFailed name='a |'b|' |[1|]' message='first|nsecond ||' empty='' flowId='2']`
	if name, ok := Message(line); !ok || name != "testFailed" {
		t.Errorf("%q %v", name, ok)
	}
	for attribute, want := range map[string]string{
		"name": "a 'b' [1]", "message": "first\nsecond |", "empty": "", "flowId": "2", "details": "",
	} {
		if got := Attribute(line, attribute); got != want {
			t.Errorf("%s: %q, want %q", attribute, got, want)
		}
	}
	for _, other := range []string{"", "##team[x", "text ##teamcity[testFailed name='a']", "##teamcity[testFailed name='not closed"} {
		if got := Attribute(other, "name"); got != "" && other == "##teamcity[testFailed name='not closed" {
			t.Errorf("%q: %q", other, got)
		}
		if _, ok := Message(other); ok != (other == "##teamcity[testFailed name='not closed") {
			t.Errorf("%q: %v", other, ok)
		}
	}
}
