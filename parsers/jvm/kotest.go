package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("io.kotest.engine.launcher.MainKt", func(p *tool.Parser) {
	p.Is("kotest", result.Test, 1, "Kotest 5, its own launcher: what failed, and the list at the end")
	p.Reads(tool.Format{Name: "text", Starts: []string{">> There were test failures", "- Test plan has "}, Named: true, Parse: func(in *tool.Input) *tool.Report {
		k := &kotest{in: in}
		return read.Blocks{Head: kotestHead, Ends: func(t string) bool { return strings.HasPrefix(t, ">> ") }, Take: k.take, Other: k.listed, End: read.TestsClose, Closes: true}.Parse(in)
	}})
})

// kotest takes specs, contexts and tests, with why they failed below them, and the list at the end:
//
//  2. tram.RouteSpec
//     + between
//     - two stops FAILED
//
//     expected:<14> but was:<13>
//     tram.RouteSpec$1$3$1.invokeSuspend(RouteSpec.kt:20)
//     >> There were test failures
//     tram.RouteSpec
//     - between -- two stops
//     - between
type kotest struct {
	in         *tool.Input
	spec, last string // in the list: the spec, and the test above
	titles     []string
	around     int // number of contexts in the list
}

func kotestHead(text string) (title string, ok bool) {
	number, _, spec := strings.Cut(text, ".  ")
	row := strings.TrimLeft(text, " ")
	return text, spec && lex.IsDigits(number) || lex.HasAnyPrefix(row, "- ", "+ ") && len(text)-len(row) != 1
}

func (k *kotest) take(s *read.Sink, b *read.Block) {
	head := strings.TrimLeft(b.Title, " ")
	title := strings.TrimSuffix(strings.TrimSuffix(head, " FAILED"), " ERROR")
	if _, spec, ok := strings.Cut(title, ".  "); ok && lex.IsDigits(title[:1]) {
		k.titles = []string{spec}
	} else if k.titles != nil {
		k.titles = append(k.titles[:min(len(k.titles), 1+lex.LeadingBlanks(b.Title)/4)], strings.TrimSpace(title[1:]))
	}
	if k.titles == nil || len(b.Body) == 0 || title[0] == '-' && title == head {
		return
	}
	for i, row := range b.Body {
		if strings.HasPrefix(row, "  ") && strings.HasSuffix(row, ")") {
			b.Body[i] = "\tat " + strings.TrimSpace(row)
		}
	}
	f := kotestFinding(k.titles[0], strings.Join(k.titles[1:], " -- "))
	junit.Explain(k.in, &f, b.Body, "", "")
	s.FindBlock(b, f)
}

func kotestFinding(spec, test string) result.Finding {
	return result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSuffix(spec+"."+test, "."), Name: test, Message: tool.Untold}
}

// listed takes the list at the end, in which contexts come after their tests, and the counts.
func (k *kotest) listed(s *read.Sink, l tool.Line) bool {
	test, ok := strings.CutPrefix(l.Text, " - ")
	switch {
	case strings.HasPrefix(l.Text, ">> "):
		k.spec = " "
		return s.Sign(l)
	case k.spec == "":
		return false
	case ok && strings.HasPrefix(k.last, test+" -- "):
		k.around++
	case ok:
		k.last = test
		f := kotestFinding(k.spec, test)
		if !slices.ContainsFunc(s.Findings, func(told result.Finding) bool { return told.ID == f.ID }) {
			s.Find(l, f)
		}
	case strings.HasPrefix(l.Text, " "):
		k.spec = l.Text[1:]
	case strings.HasPrefix(l.Text, "Tests:"):
		n := read.Counts(l.Text[len("Tests:"):])
		return s.Sum(l, n["total"]-k.around, n["failed"]-k.around, 0, n["ignored"])
	}
	return true
}
