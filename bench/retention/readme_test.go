package main

import (
	"bytes"
	"os"
	"testing"

	"cairn/golden"
)

// TestReadme holds the README's table against the registry and the recorded runs.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := golden.Load("../../golden")
	if err != nil {
		t.Fatal(err)
	}
	want, err := withTable(readme, toolTable(cases))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readme, want) {
		t.Error("the table of tools is out of date; run: go run ./bench/retention -readme README.md")
	}
}

func TestWithTable(t *testing.T) {
	if got, err := withTable([]byte("a\n"+tableBegins+"old\n"+tableEnds+"b\n"), "new\n"); err != nil || string(got) != "a\n"+tableBegins+"\nnew\n\n"+tableEnds+"b\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", tableBegins, tableEnds + tableBegins} {
		if _, err := withTable([]byte(bad), "new\n"); err == nil {
			t.Errorf("%q has no place for a table, and no error", bad)
		}
	}
}
