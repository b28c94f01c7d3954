package parsers

import (
	"strings"
	"testing"

	"cairn/result"
)

// TestAlarmsAreTold: beside a report, a line that reports something wrong is
// left out only if a finding says it; that it has a test's name in it is not
// enough.
func TestAlarmsAreTold(t *testing.T) {
	const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="com.example.CartTest" time="0.05" tests="1" errors="0" skipped="0" failures="1">
  <testcase name="save" classname="com.example.CartTest" time="0.01">
    <failure message="expected: &lt;3&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: expected: &lt;3&gt; but was: &lt;2&gt;
	at com.example.CartTest.save(CartTest.java:12)
</failure>
  </testcase>
</testsuite>
`
	for out, shown := range map[string]bool{
		"FATAL: the database could not save its snapshot": true,
		"ERROR save: disk quota exceeded":                 true,
		"CartTest.save: cannot reach the registry":        true,
		"CartTest.save:12 expected: <3> but was: <2>":     false,
		"CartTest > save FAILED":                          false,
	} {
		in := Input{
			Shell: "mvn test", Source: Separate([]byte(out+"\n"), nil), Workspace: result.Workspace{Root: "/src"},
			Artifacts: []Artifact{{Path: "target/surefire-reports/TEST-com.example.CartTest.xml", Role: RoleReport, Named: true, Data: strings.NewReader(report), Size: int64(len(report))}},
		}
		r := Parse(in, result.Exit{Observed: true, Code: 1})
		if len(r.Findings) == 0 {
			t.Fatalf("no finding: %s %s %s", r.Tool, r.Status, r.Body)
		}
		if got := strings.Contains(r.Body, out); got != shown {
			t.Errorf("%s: shown %v, want %v (%s)\n%s", out, got, shown, r.ParserConfidence, r.Body)
		}
	}
}
