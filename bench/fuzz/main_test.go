package main

import (
	"slices"
	"testing"
)

func TestReadTargets(t *testing.T) {
	got := readTargets("FuzzOne\nFuzzTwo\nok  \tcairn/a\t0.010s\n?   \tcairn/b\t[no test files]\nok  \tcairn/c\t0.010s\nFuzzThree\nok  \tcairn/d/e\t0.010s\n")
	want := []target{{"cairn/a", "FuzzOne"}, {"cairn/a", "FuzzTwo"}, {"cairn/d/e", "FuzzThree"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExecutions(t *testing.T) {
	for log, want := range map[string]string{
		"fuzz: elapsed: 3s, execs: 12 (4/sec)\nfuzz: elapsed: 6s, execs: 345 (4/sec), new interesting: 1\nPASS\n": "345",
		"FAIL\tcairn/a [build failed]\n": "no",
	} {
		if got := executions(log); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
