package golang

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// tparse reads the output of the tool tparse, which reformats go test -json: a frame with the name of each
// failed package, its tests below, and at the end a row per package:
//
//	┃   FAIL  package: example.com/shop/cart   ┃
//	--- FAIL: TestTotal (0.00s)
//
//	    cart_test.go:12: got 3, want 4
//	│  FAIL  │  0.02s  │ example.com/shop/cart │  --   │  23  │  6   │  0   │
func (r *goText) tparse(l tool.Line) bool {
	if r.current != nil || !lex.HasAnyPrefix(l.Text, "┃", "│", "╭", "╰", "├", "┏", "┗", "─") {
		return false // a test may print a table
	}
	if strings.Trim(l.Text, "╭╮╰╯├┤┬┴┼┏┓┗┛━─ ") == "" {
		return true
	}
	if _, pkg, ok := strings.Cut(strings.TrimRight(l.Text, " ┃"), "FAIL  package: "); ok {
		r.tparsed("fail", strings.Clone(pkg))
		return true
	}
	cells := strings.Split(l.Text, "│")
	if len(cells) < 2 || !lex.IsOneOf(strings.TrimSpace(cells[1]), "PASS FAIL SKIP Status") {
		return false
	}
	if len(cells) == 9 {
		verdict, pkg := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[3])
		if r.tparsed("fail", ""); verdict == "PASS" {
			r.closeSection(goTrailer{verdict: "pass", pkg: strings.Clone(pkg)})
		}
	}
	return len(cells) == 9 || len(cells) == 6
}

// tparsed ends the package named in the last frame, and begins the next one.
func (r *goText) tparsed(verdict, next string) {
	if r.framed != "" {
		r.section.failLine = true
		r.closeSection(goTrailer{verdict: verdict, pkg: r.framed})
	}
	r.framed, r.run.final = next, true
}
