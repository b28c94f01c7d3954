package parsers

import (
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

func pytestIDs(t *testing.T, text string) (ids []string) {
	t.Helper()
	r := Parse(Input{Shell: "pytest", Source: Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	for _, f := range r.Findings {
		ids = append(ids, f.ID+" "+f.Message)
	}
	slices.Sort(ids)
	return ids
}

const pytestFails = "=================================== FAILURES ===================================\n"

// A test without a frame of its own lies in the file of those around it.
func TestPytestFileByNeighbours(t *testing.T) {
	block := func(title, rest string) string {
		fill := strings.Repeat("_", (80-len(title)-2)/2)
		return fill + " " + title + " " + fill + "\n" + rest
	}
	traced := func(title, file string) string {
		return block(title, "\n    def "+lastPart(title)+"():\n>       assert 1 == 2\nE       assert 1 == 2\n\n"+file+":2: AssertionError\n")
	}
	first, last, other := traced("test_a", "t/test_x.py"), traced("test_c", "t/test_x.py"), traced("test_c", "t/test_y.py")
	plain, class, member := block("test_b", "no more\n"), block("Tests.test_b", "no more\n"), traced("Tests.test_a", "t/test_x.py")
	worker := strings.ReplaceAll(last, "\n\n    def", "\n[gw0] linux -- Python 3.12.1 /usr/bin/python\n\n    def")
	for name, c := range map[string]struct{ blocks, want string }{
		"between":     {first + plain + last, "t/test_x.py::test_b Failed: no more"},
		"at a border": {first + plain + other, "test_b Failed: no more"},
		"behind":      {first + plain, "test_b Failed: no more"},
		"of xdist":    {first + plain + worker, "test_b Failed: no more"},
		"of classes":  {member + class + other, "Tests::test_b Failed: no more"}, // either file may have it
	} {
		t.Run(name, func(t *testing.T) {
			count := strings.Count(c.blocks, "____ ")
			ids := pytestIDs(t, "FFF                                                                      [100%]\n"+pytestFails+c.blocks+string(rune('0'+count))+" failed in 0.01s\n")
			if len(ids) != count || !slices.Contains(ids, c.want) {
				t.Errorf("%q, want %q among %d", ids, c.want, count)
			}
		})
	}
}

// Reports of --tb=line whose messages are cut lie between those that are known,
// where what a test printed has swallowed another one.
func TestPytestLineBetween(t *testing.T) {
	ids := pytestIDs(t, "FFFF                                                                     [100%]\n"+pytestFails+
		"E   AssertionError: assert 'a' == 1\n/home/x/t.py:1: AssertionError: assert 'a' == 1\n"+
		"E   ValueError: the first that is known\n/home/x/t.py:2: ValueError: the first that is known\n"+
		"E   AssertionError: assert 'b' == 1\n/home/x/t.py:3: AssertionError: assert 'b' == 1\n"+
		"contains 1 failed subtest\ncontains 1 failed subtest\n"+
		"E   ValueError: the last that is known\n/home/x/t.py:4: ValueError: the last that is known\n"+
		"=========================== short test summary info ============================\n"+
		"FAILED t.py::test_lost - Asse...\nFAILED t.py::test_a - Asse...\nFAILED t.py::test_first - ValueError: the first that is known\n"+
		"SUBFAILED(i=1) t.py::test_b - Asser...\nFAILED t.py::test_b - contains 1 failed subtest\nFAILED t.py::test_last - ValueError: the last that is known\n6 failed in 0.01s\n")
	for _, want := range []string{"t.py::test_b (i=1) assert 'b' == 1", "t.py::test_first ValueError: the first that is known", "t.py::test_last ValueError: the last that is known"} {
		if !slices.Contains(ids, want) {
			t.Errorf("%q, want %q", ids, want)
		}
	}
}
