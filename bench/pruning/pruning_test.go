package main

import "testing"

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
	if cairn.sent >= none.sent/2 || cairn.last >= none.last/2 {
		t.Errorf("cairn sends %+v, without pruning %+v", cairn, none)
	}
	if cairn.broken > reference.broken || cairn.sent-cairn.shared > reference.sent-reference.shared {
		t.Errorf("cairn breaks more than what it is like: %+v, %+v", cairn, reference)
	}
}
