package parsers_test

import (
	"testing"

	"cairn/parsers"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestOddOutputs: outputs that broke a reader once are read.
func TestOddOutputs(t *testing.T) {
	for _, c := range []struct{ line, stdout, stderr string }{
		{"apt-cache show x", "] No\n", ""},
		{"make", "", "] at x\n"},
		{"robot bad.robot", "====\nT3          0\n====\nT3.Bad                                                                        \n====\nBad                                                                  FAIL |\nNon-existing setting 'Nope'.\n----\nT3.Bad                                                                | FAIL |\n1 test, 0 passed, 1 failed\n\t====", "[ ERROR ] E\n"},
		{"robot bad.robot", "====\nT3                                                                            \n====\nT3.Bad                                                                        \n====\nBad                                                                   | FAIL |\nNon-existing setting 'Nope'.\n\nT3.Bad                                                                | FAIL |\n1 test, 0 passed, 1 failed\n====\nT3                                        \xc3\xa9                   | FAIL |\n1 test, 0 passed, 1 failed\nFAILED \nOutput:  /tmp/proj/robot/out/output.xml\nLog:     /tmp/proj/robot/out/log.html\nReport:  /tmp/proj/robot/out/report.html\n", "[ ERROR ] Error in file '/tmp/proj/robot/t3/bad.robot' on line 5: Unrecognized section \n"},
		{"pytest", "=========================== short test summary info ============================\nFAILED \xff\n" +
			"FAILED tests/test_cart.py::test_cases[prices0-0] - assert 1 == 0\nFAILED tests/test_cart.py::test_cases[prices1-5] - assert 6 == 5\n3 failed, 2 passed in 0.05s\n", ""},
	} {
		r := parsers.Parse(tool.Input{Shell: c.line, Source: parsers.Separate([]byte(c.stdout), []byte(c.stderr))}, result.Exit{Observed: true, Code: 1})
		if why, broken := r.Extra["broken"]; broken {
			t.Errorf("%s: %q%q: %v", c.line, c.stdout, c.stderr, why)
		}
	}
}
