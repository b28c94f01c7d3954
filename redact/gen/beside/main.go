// Command beside reads a JSON list of texts and prints the list of the same texts without the secrets found by
// gitleaks' own rules. Command bench/secrets compares the redactor with it.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"

	"github.com/zricethezav/gitleaks/v8/detect"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("beside: ")
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		log.Fatalf("reading the texts: %v", err)
	}
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		log.Fatalf("reading gitleaks' default rules: %v", err)
	}
	for i, text := range texts {
		for _, f := range detector.DetectString(text) {
			texts[i] = strings.ReplaceAll(texts[i], f.Secret, "[found]")
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(texts); err != nil {
		log.Fatalf("printing what is left: %v", err)
	}
}
