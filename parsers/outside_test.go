package parsers

import (
	"testing"

	"cairn/result"
)

// TestOutside: a test that lies outside of the workspace is reported with its line; what is
// installed, and Python's own, is not its place.
func TestOutside(t *testing.T) {
	const out = `F                                                                        [100%]
=================================== FAILURES ===================================
___________________________________ test_old ___________________________________

    def test_old():
>       json.loads("{")

/srv/shared/test_w8.py:5: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 
/usr/lib/python3.11/json/__init__.py:346: in loads
    return _default_decoder.decode(s)
E       json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes

/usr/lib/python3.11/json/decoder.py:353: JSONDecodeError
=========================== short test summary info ============================
FAILED ../../srv/shared/test_w8.py::test_old - json.decoder.JSONDecodeError: E...
1 failed in 0.26s
`
	in := Input{Shell: "pytest -q /srv/shared/test_w8.py", Source: Separate([]byte(out), nil), Workspace: result.Workspace{Root: "/home/dev/gauge", Dir: "/home/dev/gauge"}}
	r := Parse(in, result.Exit{Observed: true, Code: 1})
	if len(r.Findings) != 1 || r.Findings[0].At == nil || r.Findings[0].At.String() != "/srv/shared/test_w8.py:5" {
		t.Errorf("the test's place is not told: %+v", r.Findings)
	}
}
