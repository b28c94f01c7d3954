package main

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"cairn/redact"
)

// told are the rules on which we mean to differ, each with the reason. The tests of package redact cover what we do instead.
var told = map[string]string{
	"facebook-access-token":    "only searched near the word facebook",
	"sourcegraph-access-token": "forty hexadecimal digits are a git commit",
	"kubernetes-secret-yaml":   leftOut["kubernetes-secret-yaml"],
	"jwt":                      "a JSON object begins with eyJ, not with any ey",
	"curl-auth-user":           "only on the line of the command, and only a password that is not empty",
	"private-key":              "a label has capitals, a body is base64, the end says END",
	"mailchimp-api-key":        "the dot of MailchimpSDK.initialize is a dot",
	"slack-webhook-url":        "the dots of the host are dots",
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
			both, meant := 0, 0
			for range 60 {
				var b strings.Builder
				sample(&b, tree, r)
				text := fmt.Sprintf("log line\n%s\n12:00 request failed (%s)\n", b.String(), rule.Keywords[0])
				redacted := new(redact.Redactor).String(text)
				for _, f := range oracle.DetectString(text) {
					switch {
					case f.RuleID != id:
					case !strings.Contains(redacted, f.Secret):
						both++
					case meantToStay(rule.Keywords[0], f.Secret):
						meant++
					default:
						t.Errorf("missed %q in %q", f.Secret, text)
					}
				}
			}
			t.Logf("%d secrets found by both, %d left on purpose", both, meant)
		})
	}
}

// meantToStay says whether we leave a value on purpose: one of letters only is a word; one that begins with = is how the sampler
// wrote an operator; a digest or UUID is an identity, unless the name speaks of a credential: then it must go.
func meantToStay(vendor, secret string) bool {
	if !strings.ContainsAny(secret, "0123456789") || secret[0] == '=' {
		return true
	}
	if strings.Trim(secret, "0123456789abcdefABCDEF-") != "" {
		return false
	}
	named := vendor + "_secret_key = '" + secret + "'"
	return !strings.Contains(new(redact.Redactor).String(named), secret)
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
