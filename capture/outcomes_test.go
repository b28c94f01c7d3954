//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/objects"
)

// verbose is what pytest -v prints of two tests; the summary of -rA says otherwise of the
// first one, whose name holds a secret.
const verbose = `============================= test session starts ==============================
collected 2 items

test_a.py::test_login[ghp_16C7e42F292c6912E7710c838347Ae178B4a] FAILED        [ 50%]
test_a.py::test_out PASSED                                                    [100%]

=========================== short test summary info ============================
PASSED test_a.py::test_login[ghp_16C7e42F292c6912E7710c838347Ae178B4a]
FAILED test_a.py::test_login[ghp_16C7e42F292c6912E7710c838347Ae178B4a] - assert 0
========================= 1 failed, 1 passed in 0.01s ==========================
`

// TestOutcomesAreRedacted: the list of all tests has their names as they are, and is an object
// of this clone; what the record says of it has no secret. Without the object the list is
// read from the output.
func TestOutcomesAreRedacted(t *testing.T) {
	o := options(repository(t), "pytest", "-v")
	program(t, o.Command.Dir, "pytest", verbose, 1)
	o.Command.Env = append(o.Command.Env, "PATH="+o.Command.Dir+":"+os.Getenv("PATH"))
	t.Setenv("PATH", o.Command.Dir+":"+os.Getenv("PATH"))
	out, _ := captured(t, o)
	line, err := out.Record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	said := out.Record.Outcomes
	if said == nil || said.Complete || !strings.Contains(said.Reason, "two accounts of one test: test_a.py::test_login[") {
		t.Fatalf("the record says of its tests: %+v\n%s", said, line)
	}
	if strings.Contains(string(line), "ghp_16C7e42F") {
		t.Errorf("it leaks: %s", line)
	}
	id, err := objects.ParseID(said.OID)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []bool{true, false} {
		list, said, err := Tests(out.site, out.Record)
		if err != nil || len(list) != 2 || list[0].Outcome != "failed" || list[1].Outcome != "passed" || said.Counts["failed"] != 1 || !strings.Contains(list[0].ID, "ghp_16C7e42F") {
			t.Fatalf("kept %v: %+v, %+v, %v", kept, list, said, err)
		}
		if kept {
			must(t, os.Remove(filepath.Join(out.site.Dir, "objects", id.Hex()[:2], id.Hex()[2:])))
		}
	}
}
