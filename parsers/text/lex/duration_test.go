package lex

import "testing"

func TestMillis(t *testing.T) {
	for text, want := range map[string]int64{
		"0.05s": 50, "12ms": 12, "12 ms": 12, "1.5 sec": 1500, "1m 2.5s": 62_500, "1m2.5s": 62_500, "659.0us": 1, "0.00s": 0, "0.003": 3, "1,204": 1204, "0.0000001s": 0,
		"": -1, "s": -1, "1x": -1, "ms12": -1, "12345678901234s": -1, "1.2.3s": -1,
	} {
		ms, ok := Millis(text)
		if !ok {
			ms = -1
		}
		if ms != want {
			t.Errorf("Millis(%q) = %d, want %d", text, ms, want)
		}
	}
}
