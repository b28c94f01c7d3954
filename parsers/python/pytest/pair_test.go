package pytest

import (
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

func pytestIDs(t *testing.T, text string) (ids []string) {
	t.Helper()
	r := casetest.ParseKnown(tool.Input{Shell: "pytest", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
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
		return block(title, "\n    def "+lex.LastPart(title)+"():\n>       assert 1 == 2\nE       assert 1 == 2\n\n"+file+":2: AssertionError\n")
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

// A report of --tb=line from a worker of xdist says so first; what closes it is
// the text below, said again.
func TestPytestLineOfWorker(t *testing.T) {
	const worker = "[gw0] linux -- Python 3.12.1 /usr/bin/python\n"
	ids := pytestIDs(t, "FFF                                                                      [100%]\n"+pytestFails+
		worker+"E   assert 1 == 2\n/home/x/t.py:1: assert 1 == 2\n"+
		worker+"contains 1 failed subtest\ncontains 1 failed subtest\n"+
		worker+"E   assert 3 == 4\n/home/x/t.py:2: assert 3 == 4\n"+
		"=========================== short test summary info ============================\n"+
		"SUBFAILED(i='1') t.py::test_a - assert...\nFAILED t.py::test_a - contains 1 failed subtest\nFAILED t.py::test_b - assert...\n3 failed in 0.01s\n")
	if want := []string{"t.py::test_a (i='1') assert 1 == 2", "t.py::test_b assert 3 == 4"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}

// A summary of failures alone (-rf) says nothing of the errors: the progress does.
func TestPytestErrorsNotListed(t *testing.T) {
	const rule = "________________________ ERROR at setup of test_b ________________________"
	text := "============================= test session starts ==============================\ncollected 2 items\n\n" +
		"tests/test_x.py FE                                                       [100%]\n\n" +
		"==================================== ERRORS ====================================\n" +
		"___" + rule + "___\n\n    @pytest.fixture\n    def disk():\n>       raise OSError(\"no disk\")\nE       OSError: no disk\n\nconftest.py:6: OSError\n" +
		pytestFails + "____________________________________ test_a ____________________________________\n\n    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_x.py:2: AssertionError\n" +
		"=========================== short test summary info ============================\n" +
		"FAILED tests/test_x.py::test_a - assert 1 == 2\n" +
		"====================== 1 failed, 1 error in 0.30 seconds =======================\n"
	if ids, want := pytestIDs(t, text), []string{"tests/test_x.py::test_a assert 1 == 2", "tests/test_x.py::test_b OSError: no disk"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}

func TestPytestWordsOfPlugins(t *testing.T) {
	text := "F                                                                        [100%]\n" +
		"=========================== short test summary info ============================\n" +
		"FAILED 😰  tests/test_mix.py::test_dict - assert {'a': 1} == 2\n1 failed in 0.01s\n"
	if ids, want := pytestIDs(t, text), []string{"tests/test_mix.py::test_dict assert {'a': 1} == 2"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}
