package manifest

import "testing"

// TestPassedIsBounded: a line is reported once, and a shard of nothing but junk does not fill
// the memory with its numbers.
func TestPassedIsBounded(t *testing.T) {
	var p passed
	if first, before := p.first("a", 1); !first || before != 0 {
		t.Errorf("the first line: %v, %d before", first, before)
	}
	if first, _ := p.first("a", 1); first {
		t.Error("a line is told twice")
	}
	if first, before := p.first("b", 1); !first || before != 1 {
		t.Errorf("the same line of another file: %v, %d before", first, before)
	}
	for n := range 2 * maxRemembered {
		p.first("junk", n)
	}
	if first, before := p.first("junk", 2*maxRemembered); !first || before < maxTold || len(p.told) > maxRemembered {
		t.Errorf("%v, %d before, %d remembered", first, before, len(p.told))
	}
}
