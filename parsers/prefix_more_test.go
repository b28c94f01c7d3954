package parsers

import (
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/result"
)

// TestJenkinsTimes: its times are followed by two blanks, which are none of the
// text's.
func TestJenkinsTimes(t *testing.T) {
	const out = "09:00:01  + make types\n09:00:01  tsc -p .\n09:00:02  a.ts:1:2 - error TS1005: ';' expected.\n09:00:02  \n09:00:02  1 let\n09:00:02       ~~~\n09:00:02  \n09:00:02  \n09:00:02  Found 1 error in a.ts:1\n09:00:02  \n09:00:03  make: *** [Makefile:4: types] Error 1\n"
	r := casetest.Shell("./ci", out, 2)
	if got := casetest.Locations(r); len(got) != 1 || got[0] != "a.ts:1:2" || r.Findings[0].Message != "';' expected." || r.ParserConfidence != result.Parsed {
		t.Errorf("%s: %+v", r.ParserConfidence, r.Findings)
	}
}

// TestBuildShowsAgain: a build of an image shows the last lines of a step that
// failed twice.
func TestBuildShowsAgain(t *testing.T) {
	const out = "#7 [4/4] RUN go test ./...\n#7 7.001 --- FAIL: TestA (0.00s)\n#7 7.002     --- FAIL: TestA/sub (0.00s)\n#7 7.003         a_test.go:9: broke\n#7 7.004 FAIL\n#7 7.005 FAIL\texample.com/a\t0.002s\n#7 7.006 FAIL\n#7 ERROR: process did not complete successfully: exit code: 1\n------\n > [4/4] RUN go test ./...:\n7.001 --- FAIL: TestA (0.00s)\n7.002     --- FAIL: TestA/sub (0.00s)\n7.003         a_test.go:9: broke\n7.004 FAIL\n7.006\n------\n"
	r := casetest.Shell("docker build .", out, 1)
	if len(r.Findings) != 2 || r.Findings[0].ID != "example.com/a.TestA/sub" || r.Findings[1].ID != "#7" {
		t.Errorf("%+v", r.Findings)
	}
}
