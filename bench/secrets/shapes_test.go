package main

import (
	"strings"
	"testing"

	"cairn/redact"
)

func TestShapesAreCaught(t *testing.T) {
	for _, out := range []bool{false, true} {
		total, missed := tryShapes(out, redact.Text)
		for _, e := range missed {
			t.Logf("missed %s: %q", e.Rule, e.Text)
		}
		if share := percentOf(total-len(missed), total); share < leastOfShapes {
			t.Errorf("held out %v: %.2f %% of %d are caught, less than %g", out, share, total, leastOfShapes)
		}
	}
}

// TestShapesAreHidden: the measure itself. What a text still holds counts as missed, whole or as a piece.
func TestShapesAreHidden(t *testing.T) {
	secret := strings.Repeat("abcdefghij", 4)
	for text, hidden := range map[string]bool{
		"token [redacted:x] end":                      true,
		"token " + secret:                             false,
		"token [redacted:x]" + secret[20:]:            false,
		"token " + secret[:12] + "\n[redacted:x] end": false,
		"token " + secret[:8] + "[redacted:x] end":    true,
	} {
		if got := isHidden(example{Text: "token " + secret, Secret: secret, folded: true}, text); got != hidden {
			t.Errorf("%q: hidden %v", text, got)
		}
	}
	if total, missed := tryShapes(false, func(s string) string { return s }); total != len(missed) {
		t.Errorf("%d of %d are missed by a redactor that does nothing", len(missed), total)
	}
}

func TestShapesAreMany(t *testing.T) {
	seen := map[string]bool{}
	for i, s := range shapes {
		e := s.drawn(i, 1)[0]
		if !strings.Contains(s.text, "«") || seen[s.text] || len(e.Secret) < 8 || strings.ContainsAny(e.Text, "«»") {
			t.Errorf("shape %d, %s %s: %q", i, s.provider, s.where, e.Text)
		}
		seen[s.text] = true
	}
	if len(shapes) < 150 {
		t.Errorf("%d shapes", len(shapes))
	}
}

func TestMadeLinesStay(t *testing.T) {
	changed := changedOfMade()
	if lines := len(madeLines()); len(changed)*2000 > lines || lines < 2000 {
		t.Errorf("%d of %d lines are taken for secrets: %q", len(changed), lines, changed)
	}
}
