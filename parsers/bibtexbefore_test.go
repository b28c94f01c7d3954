package parsers

import (
	"testing"

	"cairn/result"
)

// TestBibTeXBefore: errors of TeX count where BibTeX's closing line stands above them and TeX's banner was left out.
func TestBibTeXBefore(t *testing.T) {
	out := "This is pdfTeX, Version 3.141592653 (TeX Live 2022)\nThis is BibTeX, Version 0.99d (TeX Live 2022)\n" +
		"Warning--I didn't find a database entry for \"x\"\n(There was 1 warning)\n./main.tex:3: Undefined control sequence.\nl.3 \\bolds\n"
	r := Parse(Input{Argv: []string{"latexmk"}, Source: Separate([]byte(out), nil)}, result.Exit{Observed: true, Code: 1})
	if len(r.Findings) != 2 || r.Findings[1].At == nil || r.Findings[1].At.Line != 3 || r.Findings[1].Severity != result.SevError {
		t.Errorf("%s: %v", r.Summary, r.Findings)
	}
}
