package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pest artisan", func(p *tool.Parser) {
	p.Is("pest", result.Test, 1, "Pest 2 and 3 and Laravel's artisan test, by their manual")
	p.Filter = tool.Filter{Flag: "--filter", Spell: func(f *result.Finding) string { return read.Pattern(f.Name) }}
	p.Matches = func(argv []string) bool {
		return argv[0] == "pest" || argv[0] == "artisan" && len(argv) > 1 && argv[1] == "test"
	}
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAILED  … > ", "Tests:    … assertions)"}, Sniff: isPestLine, Parse: parsePest})
})

// isPestLine reports whether a line is the head of a failure, " FAILED  …", or the tally.
func isPestLine(line string) bool {
	text := strings.TrimSpace(line)
	return strings.HasPrefix(text, "FAILED  ") && strings.HasPrefix(line, "   ") || isPestTally(text)
}

func isPestTally(text string) bool {
	return strings.HasPrefix(text, "Tests:  ") && strings.HasSuffix(text, " assertions)")
}

// parsePest reads the list of tests, and the failures below it. The head of a failure may end with the class of an
// exception:
//
//	 FAIL  Tests\Unit\CartTest
//	⨯ it adds                                   0.02s
//	✓ `totals` → it rounds                      0.01s
//
//	 FAILED  Tests\Unit\CartTest > it adds
//	Failed asserting that 3 is identical to 4.
//
//	at tests/Unit/CartTest.php:4
//	    1▕ <?php
//	➜   4▕     expect(3)->toBe(4);
//
//	Tests:    1 failed, 2 passed (3 assertions)
func parsePest(in *tool.Input) *tool.Report {
	var tests pestTests
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool { return tests.line(s, l) || pestLine(s, l) }, End: read.Unseen, Closes: true}.Parse(in)
}

func pestLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	head, isHead := strings.CutPrefix(text, "FAILED  ")
	last := s.Last()
	switch {
	case isHead && strings.Contains(head, " > "):
		s.Find(l, pestHead(head))
	case isPestTally(text):
		counts, _, _ := strings.Cut(strings.TrimPrefix(text, "Tests:"), "(")
		s.Scores(read.Counts(counts), "")
		s.Ended(l)
	case last == nil:
		return false
	case strings.HasPrefix(text, "at ") && (last.At == nil || last.At.External):
		if at, _, ok := place.Cut(text[3:] + ":"); ok {
			_, at.External = s.In.Workspace.Path(at.Path)
			at.External = at.External || strings.HasPrefix(at.Path, "vendor/")
			last.At = &at
		}
		s.More(l)
	case last.At != nil && last.At.External: // "1   tests/Unit/CartTest.php:4", a frame of the stack
		if number, path, ok := strings.Cut(text, " "); ok && lex.IsDigits(number) {
			if at, _, placed := place.Cut(strings.TrimSpace(path) + ":"); placed && !strings.HasPrefix(at.Path, "vendor/") {
				last.At = &at
			}
		}
		s.More(l)
	default:
		if last.Message == "failed" && text != "" {
			last.Message = text
		}
		s.More(l)
	}
	return true
}

// pestHead reads "Tests\Unit\CartTest > it adds      RuntimeException".
func pestHead(head string) result.Finding {
	head = strings.TrimSpace(head)
	rule := ""
	if i := strings.LastIndex(head, "  "); i > 0 {
		head, rule = strings.TrimSpace(head[:i]), head[i+2:]
	}
	class, name, _ := strings.Cut(head, " > ")
	return result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: class + "::" + name, Name: name, Rule: rule, Message: "failed"}
}

// pestTests reads the list of tests, up to the head of the first failure.
type pestTests struct{ class string }

// pestMarks gives the outcome for each mark in the list of tests.
var pestMarks = map[string]read.Outcome{
	"✓": tool.Passed, "⨯": tool.Failed, "-": tool.Skipped, "…": tool.Skipped, "↓": tool.Todo, "!": tool.Passed,
}

func (p *pestTests) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	mark, name, ok := strings.Cut(text, " ")
	switch {
	case !ok || s.Last() != nil:
		return false
	case lex.IsOneOf(mark, "PASS FAIL WARN TODO") && strings.HasPrefix(name, " "):
		p.class = strings.Clone(strings.TrimSpace(name))
		return false
	case p.class == "" || pestMarks[mark] == "" || len(l.Text)-len(strings.TrimLeft(l.Text, " ")) != 2:
		return false
	}
	t := tool.Test{Outcome: pestMarks[mark]}
	if i := strings.LastIndex(name, "  "); i > 0 {
		if ms, timed := lex.Millis(name[i+2:]); timed {
			name, t.DurationMS = strings.TrimSpace(name[:i]), ms
		}
	}
	if t.Outcome != tool.Passed && t.Outcome != tool.Failed {
		name = cutPestReason(name)
	}
	if strings.HasSuffix(name, "…") {
		s.Unread("long names are cut")
	}
	t.ID = p.class + "::" + name
	s.Ran(t)
	return true
}

// cutPestReason removes the reason, "not yet", from "`totals` → it rounds → not yet". Groups stand in backticks.
func cutPestReason(name string) string {
	from := 0
	for strings.HasPrefix(name[from:], "`") {
		_, rest, ok := strings.Cut(name[from:], "` → ")
		if !ok {
			break
		}
		from = len(name) - len(rest)
	}
	own, _, _ := strings.Cut(name[from:], " → ")
	return name[:from] + own
}
