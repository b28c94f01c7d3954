package main

import (
	"bytes"
	"os"
	"testing"

	"cairn/golden"
)

// TestTools holds the tables of docs/tools.md against the registry and the recorded runs.
func TestTools(t *testing.T) {
	page, err := os.ReadFile("../../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := golden.Load("../../golden")
	if err != nil {
		t.Fatal(err)
	}
	want, err := withTables(page, cases)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, want) {
		t.Error("the tables are out of date; run: go -C bench run ./retention -tools docs/tools.md")
	}
}

func TestWithTable(t *testing.T) {
	if got, err := withTable([]byte("a\n"+tableBegins+"old\n"+tableEnds+"b\n"), tableBegins, tableEnds, "new\n"); err != nil || string(got) != "a\n"+tableBegins+"\nnew\n\n"+tableEnds+"b\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", tableBegins, tableEnds + tableBegins} {
		if _, err := withTable([]byte(bad), tableBegins, tableEnds, "new\n"); err == nil {
			t.Errorf("%q has no place for a table, and no error", bad)
		}
	}
}

// A row says why it is longer than the other table's, and only where it is.
func TestReason(t *testing.T) {
	for _, tc := range []struct {
		name, why, want string
		all, bare       int
		bad             bool
	}{
		{name: "shorter", all: 40, bare: 30},
		{name: "longer by its last line", all: 60, bare: 40, want: "the last line, which gives every byte back"},
		{name: "longer", why: "ids", all: 80, bare: 60, want: "ids"},
		{name: "longer and silent", all: 80, bare: 60, bad: true},
		{name: "a reason for nothing", why: "ids", all: 40, bare: 30, bad: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := row{command: "x", theirs: 50, why: tc.why}.reason(tc.all, tc.bare)
			if got != tc.want || err != nil != tc.bad {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
