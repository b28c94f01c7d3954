package main

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"cairn/internal/redact"
)

// told are the differences that are meant, each with its reason.
var told = map[string]string{
	"facebook-access-token":    "only searched near the word facebook",
	"sourcegraph-access-token": "forty hexadecimal digits are a git commit",
	"kubernetes-secret-yaml":   leftOut["kubernetes-secret-yaml"],
}

// TestAgainstGitleaks makes texts that match gitleaks' own patterns and asks gitleaks what is secret in them. Whatever it
// reports, the redactor must have replaced.
func TestAgainstGitleaks(t *testing.T) {
	cfg, err := load()
	if err != nil {
		t.Fatal(err)
	}
	oracle := detect.NewDetector(cfg)
	r := rand.New(rand.NewPCG(1, 2))
	for _, id := range slices.Sorted(slices.Values(cfg.OrderedRules)) {
		rule := cfg.Rules[id]
		if rule.Regex == nil || told[id] != "" {
			continue
		}
		t.Run(id, func(t *testing.T) {
			tree, err := syntax.Parse(rule.Regex.String(), syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			agreed, missed := 0, []string(nil)
			for range 60 {
				var b strings.Builder
				sample(&b, tree, r)
				text := fmt.Sprintf("12:00 request failed (%s) %s\n", rule.Keywords[0], "")
				text = "log line\n" + b.String() + "\n" + text
				redacted := new(redact.Redactor).String(text)
				for _, f := range oracle.DetectString(text) {
					if f.RuleID != id {
						continue
					}
					if strings.Contains(redacted, f.Secret) {
						missed = append(missed, fmt.Sprintf("%q in %q", f.Secret, text))
					} else {
						agreed++
					}
				}
			}
			if len(missed) > 0 {
				t.Errorf("%d missed, %d found; first: %s", len(missed), agreed, missed[0])
			}
			t.Logf("%d secrets found by both", agreed)
		})
	}
}

// sample writes a random text that the pattern matches, except for what its assertions ask of the surroundings.
func sample(b *strings.Builder, re *syntax.Regexp, r *rand.Rand) {
	repeat := func(lo, hi int) {
		if hi < 0 || hi > lo+40 {
			hi = lo + 40
		}
		for range lo + r.IntN(hi-lo+1) {
			sample(b, re.Sub[0], r)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteByte(member(re.Rune, r))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(byte('a' + r.IntN(26)))
	case syntax.OpCapture:
		sample(b, re.Sub[0], r)
	case syntax.OpConcat:
		for _, s := range re.Sub {
			sample(b, s, r)
		}
	case syntax.OpAlternate:
		sample(b, re.Sub[r.IntN(len(re.Sub))], r)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	}
}

// member picks a printable byte of a class.
func member(ranges []rune, r *rand.Rand) byte {
	var all []byte
	for i := 0; i < len(ranges); i += 2 {
		for c := max(ranges[i], ' '); c <= min(ranges[i+1], '~'); c++ {
			all = append(all, byte(c))
		}
	}
	if len(all) == 0 {
		return '\n'
	}
	return all[r.IntN(len(all))]
}
