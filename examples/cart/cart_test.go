package cart

import "testing"

func TestTotal(t *testing.T) {
	if got, want := Total(4_000, 1_500), 5_500; got != want {
		t.Errorf("Total(4000, 1500) = %d, want %d", got, want)
	}
}

func TestTotalReduced(t *testing.T) {
	if got, want := Total(6_000, 4_000), 9_000; got != want {
		t.Errorf("Total(6000, 4000) = %d, want %d", got, want)
	}
}

func TestLabel(t *testing.T) {
	for items, want := range map[int]string{1: "1 item", 2: "2 items"} {
		if got := Label(items); got != want {
			t.Errorf("Label(%d) = %q, want %q", items, got, want)
		}
	}
}
