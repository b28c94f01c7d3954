package pytest

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// chunked is an output as it was read.
type chunked []tool.Chunk

func (c chunked) Chunks() iter.Seq[tool.Chunk] {
	return func(yield func(tool.Chunk) bool) {
		at := int64(0)
		for _, chunk := range c {
			chunk.Offset = at
			at += int64(len(chunk.Data))
			if !yield(chunk) {
				return
			}
		}
	}
}

// What another command says on stderr while pytest prints is not pytest's, in
// whatever order the two are read.
func TestPytestOtherStream(t *testing.T) {
	chunk := func(s tool.Stream, text string) tool.Chunk { return tool.Chunk{Stream: s, Data: []byte(text)} }
	begin := chunk(tool.Stdout, "F                                                                        [100%]\n=================================== FAILURES ===================================\n")
	end := chunk(tool.Stdout, "____________________________________ test_a ____________________________________\n\n    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntest_a.py:2: AssertionError\n=========================== short test summary info ============================\nFAILED test_a.py::test_a - assert 1 == 2\n1 failed in 0.01s\n")
	other := chunk(tool.Stderr, "sh: 1: upload-report: command not found\n")
	for name, source := range map[string]chunked{"before": {other, begin, end}, "between": {begin, other, end}, "behind": {begin, end, other}} {
		t.Run(name, func(t *testing.T) {
			r := casetest.ParseKnown(tool.Input{Shell: "upload-report & pytest -q | cat", Source: source}, result.Exit{Observed: true})
			slices.SortFunc(r.Findings, func(a, b result.Finding) int { return strings.Compare(a.Source, b.Source) }) // else as they were read
			if len(r.Findings) != 2 || r.Findings[0].Source != "pytest" || r.Findings[0].Location != "test_a.py:2" || r.Findings[1].Message != "upload-report: command not found" {
				t.Errorf("%s, findings %+v", r.Tool, r.Findings)
			}
		})
	}
}

// What plugins print behind the blocks is no part of the last one.
func TestPytestBehindBlocks(t *testing.T) {
	const text = "F                                                                        [100%]\n=================================== FAILURES ===================================\n____________________________________ test_a ____________________________________\n\n    def test_a():\n        print('x')\n>       assert 1 == 2\nE       assert 1 == 2\n\ntest_a.py:3: AssertionError\n----------------------------- Captured stdout call -----------------------------\nx\n"
	const behind = "------------------- generated xml file: /home/dev/shop/j.xml -------------------\n--------------------------------- JSON report ----------------------------------\nreport saved to: .report.json\n\n---------- coverage: platform linux, python 3.10.13-final-0 -----------\nName    Stmts   Miss  Cover\n-----------------------------------\na.py       12      3    75%\n"
	const end = "=========================== short test summary info ============================\nFAILED test_a.py::test_a - assert 1 == 2\n1 failed in 0.01s\n"
	parse := func(s string) *result.ToolResult {
		return casetest.ParseKnown(tool.Input{Shell: "pytest -q", Source: tool.Separate([]byte(s), nil)}, result.Exit{Observed: true, Code: 1})
	}
	want := parse(text + end)
	for name, tail := range map[string]string{"summary": end, "counts": "1 failed in 0.01s\n"} {
		r := parse(text + behind + tail)
		if len(r.Findings) != 1 || r.ParserConfidence != result.Parsed || r.Findings[0].Detail != want.Findings[0].Detail {
			t.Errorf("%s: %s %+v\nwant %+v", name, r.ParserConfidence, r.Findings, want.Findings)
		}
	}
}

func TestPytestSplitEntry(t *testing.T) {
	for _, c := range []struct{ text, id, message string }{
		{"a.py::t - assert 1 == 2", "a.py::t", "assert 1 == 2"},
		{"a.py::t[q - z] - ValueError: x", "a.py::t[q - z]", "ValueError: x"},
		{"a.py::t[] - k] - ValueError", "a.py::t[] - k]", "ValueError"},
		{"a.py::t[] - k]", "a.py::t[] - k]", ""},
		{"a.py::t[`] - x`] - shop.cart.OutOfStock: o...", "a.py::t[`] - x`]", "shop.cart.OutOfStock: o..."},
		{"a.py::t[1] - assert [1] - [2]", "a.py::t[1]", "assert [1] - [2]"},
		{"my - tests/a.py::t - assert 0", "my - tests/a.py::t", "assert 0"},
		{"tests/a.py - ModuleNotFoundError: No module named 'x'", "tests/a.py", "ModuleNotFoundError: No module named 'x'"},
		{"a.py::t[x] - it broke", "a.py::t[x]", "it broke"},
	} {
		if id, message := splitEntry(c.text); id != c.id || message != c.message {
			t.Errorf("%q: %q, %q", c.text, id, message)
		}
	}
}
