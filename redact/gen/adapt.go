package main

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

// rule is what package redact runs; the fields are documented there.
type rule struct {
	id      string
	kind    string
	anchors []string
	pattern string
	word    bool
	ends    bool
	entropy float64
	reach   int
	allow   string
}

// The parts every gitleaks rule is assembled from.
const (
	namePrefix  = `[\w.-]{0,50}?`
	nameSuffix  = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
	operator    = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`
	valuePrefix = `[\x60'"\s=]{0,5}`
	valueEnd    = `(?:[\x60'"\s;]|\\[nr]|$)`
)

// leftOut are gitleaks' rules that are not used: rules about file names; rules that a detector of package redact
// replaces (it knows more forms and needs no unbounded pattern); a rule that needs a whole file of one type.
var leftOut = map[string]string{
	"pkcs12-file":            "names a file, not text",
	"generic-api-key":        "generic.go",
	"private-key":            "pem.go",
	"curl-auth-header":       "wire.go and argv.go",
	"curl-auth-user":         "argv.go",
	"hashicorp-tf-password":  "assign.go",
	"kubernetes-secret-yaml": "only in .yaml files; its values are not recognisable in a log",
}

// rewritten are changed patterns, each with the reason.
var rewritten = map[string]string{
	// A JSON object always starts with {" in base64: eyJ. Two letters are no keyword.
	"jwt": `\b(eyJ[a-zA-Z0-9_-]{14,}\.ey[a-zA-Z0-9\/\\_-]{17,}\.(?:[a-zA-Z0-9\/\\_-]{10,}={0,2})?)` + valueEnd,
	// Any 40 hex digits in a text that says "sourcegraph" would be every git commit.
	"sourcegraph-access-token": `\b(sgp_(?:[a-fA-F0-9]{16}|local)_[a-fA-F0-9]{40}|sgp_[a-fA-F0-9]{40})\b`,
	// With the optional scheme, "http" would become a keyword.
	"slack-webhook-url": `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{43,80})`,
	// Four bytes before the keyword are fixed, so any text may precede them (a colour, say).
	"azure-ad-client-secret": `([a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34})` + valueEnd,
	"maxmind-license-key":    `([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)` + valueEnd,
	// The host is not secret, and "https://" is too common for a keyword.
	"microsoft-teams-webhook": `webhook\.office\.com/webhookb2/([a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12})`,
	// gitleaks reports the constant prefix only; the secret is what follows.
	"aws-amazon-bedrock-api-key-short-lived": `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=_-]*`,
	// For a UUID as value, the words around the vendor's name are required anyway.
	"snyk-api-token": `(?i)[\w.-]{0,50}?(?:snyk)` + nameSuffix + operator + valuePrefix + `([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})` + valueEnd,
	// The dot is literal, which gitleaks did not escape.
	"mailchimp-api-key": `(?i)[\w.-]{0,50}?(?:mailchimpsdk\.initialize|mailchimp)` + nameSuffix + operator + valuePrefix + `([a-f0-9]{32}-us\d\d)` + valueEnd,
	// test.pypi.org has its own prefix.
	"pypi-upload-token": `pypi-(?:AgEIcHlwaS5vcmc|AgENdGVzdC5weXBpLm9yZw)[\w-]{50,1000}`,
}

// namedGroup begins a group that lists the possible first claims of a token; that part alone is not secret.
var namedGroup = regexp.MustCompile(`\(\?P<\w+>`)

// around lists the rules whose pattern does not begin with a fixed text: they search near gitleaks' keyword.
var around = map[string]bool{
	"azure-ad-client-secret": true,
	"facebook-access-token":  true,
	"hashicorp-tf-api-token": true,
	"maxmind-license-key":    true,
}

// adapt turns one rule of gitleaks into zero or more of ours. A rule with alternatives at its top level becomes several
// with the same id.
func adapt(r config.Rule) ([]rule, error) {
	if leftOut[r.RuleID] != "" {
		return nil, nil
	}
	pattern := r.Regex.String()
	if p, ok := rewritten[r.RuleID]; ok {
		pattern = p
	}
	pattern = namedGroup.ReplaceAllString(pattern, "(?:")
	base := rule{id: r.RuleID, entropy: r.Entropy, allow: secretAllow(r)}
	if around[r.RuleID] {
		base.kind, base.anchors, base.reach = "searched", lengthened(r.Keywords), 512
		base.setPattern(pattern)
		return []rule{base}, nil
	}
	var rules []rule
	for _, branch := range branches(pattern) {
		one, err := adaptBranch(base, branch)
		if err != nil {
			return nil, err
		}
		rules = append(rules, one)
	}
	return rules, nil
}

// setPattern sets the pattern without gitleaks' end of a value; package redact adds its own, wider one. For gitleaks an
// underscore does not end a value, but AKIA…_old contains a key.
func (r *rule) setPattern(pattern string) {
	if r.pattern, r.ends = strings.CutSuffix(pattern, valueEnd); !r.ends {
		r.pattern, r.ends = strings.CutSuffix(pattern, `\b`)
	}
}

// lengthened replaces two-letter keywords by all three-letter ones that begin so, which can be searched.
func lengthened(keywords []string) []string {
	var out []string
	for _, k := range keywords {
		if len(k) >= minPrefix {
			out = append(out, k)
			continue
		}
		for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789_~.-" {
			out = append(out, k+string(c))
		}
	}
	return normalise(out)
}

// branches splits alternatives at the top level, and gives each the flags before the first.
func branches(pattern string) []string {
	if !strings.HasSuffix(pattern, valueEnd) || strings.Count(pattern, valueEnd) < 2 {
		return []string{pattern}
	}
	flags := ""
	if strings.HasPrefix(pattern, "(?i)") {
		flags = "(?i)"
	}
	var out []string
	for i, part := range strings.Split(strings.TrimSuffix(pattern, valueEnd), valueEnd+"|") {
		if i > 0 {
			part = flags + part
		}
		out = append(out, part+valueEnd)
	}
	return out
}

func adaptBranch(r rule, pattern string) (rule, error) {
	if name, value, ok := splitAssigned(pattern); ok {
		return adaptAssigned(r, name, value)
	}
	r.kind = "anchored"
	flags := ""
	for {
		if rest, ok := strings.CutPrefix(pattern, "(?i)"); ok {
			flags, pattern = "(?i)", rest
		} else if rest, ok := strings.CutPrefix(pattern, `\b`); ok {
			r.word, pattern = true, rest
		} else {
			break
		}
	}
	r.setPattern(flags + pattern)
	tree, err := syntax.Parse(r.pattern, syntax.Perl)
	if err != nil {
		return r, err
	}
	anchors, _ := prefixes(tree)
	r.anchors = normalise(anchors)
	r.reach = reach(tree)
	return r, checkAnchors(r)
}

// splitAssigned recognizes `NAME operator VALUE` in both spellings of gitleaks.
func splitAssigned(pattern string) (name, value string, ok bool) {
	rest := strings.TrimPrefix(pattern, "(?i)")
	rest = strings.TrimPrefix(rest, namePrefix)
	if i := strings.Index(rest, nameSuffix+operator+valuePrefix); i >= 0 {
		return "(?i)" + rest[:i], "(?i)" + rest[i+len(nameSuffix+operator+valuePrefix):], true
	}
	sensitive := nameSuffix + ")" + operator + valuePrefix
	if i := strings.Index(rest, sensitive); i >= 0 {
		inner := strings.TrimPrefix(strings.TrimPrefix(rest[:i], "(?i:"), namePrefix)
		return "(?i)" + inner, rest[i+len(sensitive):], true
	}
	return "", "", false
}

func adaptAssigned(r rule, name, value string) (rule, error) {
	tree, err := syntax.Parse(name, syntax.Perl)
	if err != nil {
		return r, err
	}
	anchors, exact := prefixes(tree)
	if !exact {
		return r, fmt.Errorf("the name %q is not a finite set of words", name)
	}
	r.kind = "assigned"
	r.anchors = sortedLower(anchors)
	r.setPattern(value)
	if tree, err = syntax.Parse(r.pattern, syntax.Perl); err != nil {
		return r, err
	}
	r.reach = reach(tree)
	return r, checkAnchors(r)
}

func checkAnchors(r rule) error {
	for _, a := range r.anchors {
		if len(a) < 3 {
			return fmt.Errorf("anchor %q is too short to look for: %q", a, r.anchors)
		}
	}
	if len(r.anchors) == 0 {
		return fmt.Errorf("no anchor")
	}
	return nil
}

// secretAllow joins the rule's allow-lists for secrets. Those for paths and commits do not apply to output.
func secretAllow(r config.Rule) string {
	var patterns []string
	for _, a := range r.Allowlists {
		if a.RegexTarget == "" || a.RegexTarget == "secret" {
			for _, re := range a.Regexes {
				patterns = append(patterns, re.String())
			}
		}
	}
	if r.RuleID == "vault-service-token" {
		patterns = append(patterns, `^s\.(?:[A-Za-z][a-z]{2,}\d{0,3})+$`) // a method: s.ReadUint16LengthPrefixed
	}
	return alternation(patterns)
}

// globalAllow corrects one entry of gitleaks' global list: `^true|false|null$` was meant to be anchored as a whole; as
// it is, any secret that contains "false" would pass.
func globalAllow(pattern string) string {
	if pattern == `(?i)^true|false|null$` {
		return `(?i)^(?:true|false|null)$`
	}
	return pattern
}

func sortedLower(anchors []string) []string {
	for i, a := range anchors {
		anchors[i] = strings.ToLower(a)
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

// normalise sorts the anchors and removes those that begin with a shorter one. A name keeps both: the distance to the
// value is counted from the name's end.
func normalise(anchors []string) []string {
	var out []string
	for _, a := range sortedLower(anchors) {
		if len(out) > 0 && strings.HasPrefix(a, out[len(out)-1]) {
			continue
		}
		out = append(out, a)
	}
	return out
}
