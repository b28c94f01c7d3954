package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMeasured: fewer bytes than without, and no more of them new to a cache than
// with what is decided anew each time.
func TestMeasured(t *testing.T) {
	got := map[string]measured{}
	for _, p := range policies() {
		m, err := measure(session(40), p, false)
		if err != nil {
			t.Fatal(err)
		}
		got[p.name] = m
	}
	none, reference, cairn := got["none"], got["reference"], got["cairn"]
	if none.broken != 0 || none.shared != none.before || none.requests != cairn.requests {
		t.Errorf("none: %+v", none)
	}
	if cairn.sent >= none.sent/2 || len(cairn.last) >= len(none.last)/2 {
		t.Errorf("cairn sends %+v, without pruning %+v", cairn, none)
	}
	if cairn.broken > reference.broken || cairn.sent-cairn.shared > reference.sent-reference.shared {
		t.Errorf("cairn breaks more than what it is like: %+v, %+v", cairn, reference)
	}
}

// TestRealPi: the requests of the real pi are pruned as the simulated ones are.
// CAIRN_PI lists folders below which npm installed it.
func TestRealPi(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("CAIRN_PI"))
	if len(folders) == 0 {
		if os.Getenv("CAIRN_TEST_TOOLS") == "required" {
			t.Fatal("CAIRN_PI has to say where npm installed @earendil-works/pi-coding-agent")
		}
		t.Skip("CAIRN_PI does not say where npm installed @earendil-works/pi-coding-agent")
	}
	t.Chdir("../..")
	got, err := measurePi(t.Context(), folders[len(folders)-1], t.TempDir(), 14)
	if err != nil {
		t.Fatal(err)
	}
	none, reference, cairn := got["none"], got["reference"], got["cairn"]
	if none.broken != 0 || none.shared != none.before || none.requests != cairn.requests {
		t.Errorf("none: %d requests, %d broken; with cairn %d", none.requests, none.broken, cairn.requests)
	}
	if len(cairn.last) >= len(none.last)*3/4 {
		t.Errorf("the last request has %d bytes, without pruning %d", len(cairn.last), len(none.last))
	}
	if cairn.broken > reference.broken || cairn.sent-cairn.shared > reference.sent-reference.shared {
		t.Errorf("cairn breaks %d requests, what it is like %d", cairn.broken, reference.broken)
	}
}
