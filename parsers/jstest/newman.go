package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("newman", func(p *tool.Parser) {
	p.Is("newman", result.Test, 1, "newman 4 to 6: requests that failed and assertions that did not hold")
	p.Reads(tool.Format{Name: "cli", Starts: []string{"#  failure  "}, Named: true, Parse: read.Fresh(func(n *newman) read.Text { return read.Text{Line: n.line, Closes: true} })})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: newmanTrouble}.Parse})
})

// newman reads the counts, and the numbered list of failures that closes a run:
//
//	│              assertions │                 4 │                3 │
//	 #  failure         detail
//	 3.  AssertionError  status is 200
//	                     expected response to have status code 200 but got 500
//	                     at assertion:0 in test-script
//	                     inside "two"
type newman struct {
	listed bool
	next   int
	name   string // name of the failed assertion
	said   bool   // the reason was read
}

func (n *newman) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, rest, numbered := strings.Cut(text, ". ")
	switch {
	case strings.HasPrefix(text, "│") && n.counts(s, l, text), text == "newman":
		return s.Sign(l)
	case strings.HasPrefix(text, "#  failure  ") && strings.HasSuffix(text, "detail"):
		n.listed, n.next = true, 1
		return s.Close(l)
	case n.listed && numbered && lex.IsDigits(number) && lex.Atoi(number) == n.next:
		n.next++
		class, name, _ := strings.Cut(strings.TrimSpace(rest), " ")
		n.name, n.said = strings.Clone(strings.TrimSpace(name)), false
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Rule: strings.Clone(class), ID: n.name, Name: n.name, Message: "failed"})
	case n.listed && s.Last() != nil && text != "":
		n.detail(s, text)
		return s.More(l)
	case n.listed && text == "":
		return s.Cover(l)
	}
	return false
}

// counts reads a row of the table: the tests are the assertions, and failures of requests and scripts are claimed,
// too.
func (n *newman) counts(s *read.Sink, l tool.Line, text string) bool {
	cells := strings.Split(strings.Trim(text, "│"), "│")
	if len(cells) == 1 && strings.HasPrefix(strings.TrimSpace(cells[0]), "total run duration: ") {
		return s.Close(l)
	}
	if len(cells) != 3 {
		return false
	}
	key, all, failed := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
	if !lex.IsDigits(all) || !lex.IsDigits(failed) {
		return false
	}
	switch key {
	case "assertions":
		s.Tested = true
		s.Count("passed", lex.Atoi(all)-lex.Atoi(failed))
		s.Fails(lex.Atoi(failed))
	case "requests", "test-scripts", "prerequest-scripts":
		s.Claim(lex.Atoi(failed))
	}
	return true
}

// detail takes a line below a failure: the reason, the script, the request.
func (n *newman) detail(s *read.Sink, text string) {
	f := s.Last()
	request, inside := strings.CutPrefix(text, "inside \"")
	switch {
	case inside:
		request = strings.Clone(strings.TrimSuffix(request, "\""))
		f.Suite = []string{request}
		f.ID = strings.Trim(request+" / "+n.name, " /")
	case strings.HasPrefix(text, "at "):
	case !n.said:
		f.Message, n.said = strings.Clone(text), true
	}
}

// newmanTrouble reads "error: collection could not be loaded" and the reason below it.
func newmanTrouble(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		return s.Misuse(l, message)
	}
	if f := s.Last(); f != nil && strings.HasPrefix(l.Text, "  ") {
		f.Message += ": " + strings.TrimSpace(l.Text)
		return s.Break()
	}
	return false
}
