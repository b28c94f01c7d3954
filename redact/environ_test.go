package redact

import "testing"

func TestKnow(t *testing.T) {
	Know([]string{"ANTHROPIC_API_KEY=quiet words of mine", "OPENAI_API_KEY=quiet words", "X_TOKEN=short", "HOME=/home/somebody", "GH_TOKEN"})
	defer known.Store(nil)
	for in, want := range map[string]string{
		"key: quiet words of mine.":                  "key: [redacted:environment].",
		"a quiet words b quiet words of mine":        "a [redacted:environment] b [redacted:environment]",
		"b64 cXVpZXQgd29yZHMgb2YgbWluZQ==":           "b64 [redacted:environment]",
		"hex 717569657420776f726473206f66206d696e65": "hex [redacted:environment]",
		"u=quiet+words+of+mine&v":                    "u=[redacted:environment]&v",
		"cd /home/somebody; short":                   "cd /home/somebody; short",
	} {
		var r Redactor
		if got := r.String(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	var r Redactor
	if r.String("quiet words, quiet words"); len(r.Fired()) != 1 || r.Fired()[0] != (Fired{"environment", 2}) {
		t.Errorf("%v", r.Fired())
	}
}
