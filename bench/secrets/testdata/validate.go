// Package utils replaces the package of that name in gitleaks' cmd/generate/config while bench/secrets collects the
// secrets that gitleaks generates to test its own rules. There, Validate checks a rule against its examples; here it
// prints them, one JSON object per line, while the program that runs every rule stays gitleaks' own. go build -overlay
// inserts it; nothing imports it.
package utils

import (
	"encoding/json"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/zricethezav/gitleaks/v8/cmd/generate/config/base"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// Validate prints the examples of a rule.
func Validate(rule config.Rule, secrets, harmless []string) *config.Rule {
	return print(rule, "", secrets, harmless)
}

// ValidateWithPaths prints the examples of a rule that also checks file names.
func ValidateWithPaths(rule config.Rule, secrets, harmless map[string]string) *config.Rule {
	for path, text := range secrets {
		print(rule, path, []string{text}, nil)
	}
	return print(rule, "", nil, slices.Sorted(maps.Values(harmless)))
}

var out = json.NewEncoder(os.Stdout)

// print writes an example for each secret that gitleaks finds in a text, and one for each text without a secret.
func print(rule config.Rule, path string, secrets, harmless []string) *config.Rule {
	cfg := base.CreateGlobalConfig()
	cfg.Rules = map[string]config.Rule{rule.RuleID: rule}
	cfg.Keywords = map[string]struct{}{}
	for _, k := range rule.Keywords {
		cfg.Keywords[k] = struct{}{}
	}
	detector := detect.NewDetector(cfg)
	for _, text := range secrets {
		for _, f := range detector.Detect(detect.Fragment{Raw: text, FilePath: path}) {
			write(rule.RuleID, text, f.Secret)
		}
	}
	for _, text := range harmless {
		write(rule.RuleID, text, "")
	}
	return &rule
}

func write(rule, text, secret string) {
	example := struct {
		Rule   string `json:"rule"`
		Text   string `json:"text"`
		Secret string `json:"secret,omitempty"`
	}{rule, text, secret}
	if err := out.Encode(example); err != nil {
		log.Fatalf("printing an example of %s: %v", rule, err)
	}
}
