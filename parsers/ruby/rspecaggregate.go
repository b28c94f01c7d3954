package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/tool"
	"cairn/result"
)

// An aggregate is an example that goes on when an expectation fails. Its text has the
// place of the block, if the block has a name, and frames for each of its failures:
//
//	Got 1 failure and 1 other error from failure aggregation block "answer".
//	# ./spec/book_spec.rb:25:in `block (2 levels)'
//
//	2.1) Failure/Error: expect(book.title).to match(/foo/)
//	     # ./spec/book_spec.rb:27:in `block (2 levels)'

// aggregateHead is how an aggregate's text begins, as all formatters have it.
func aggregateHead(text string) (head string, ok bool) {
	head, _, _ = strings.Cut(strings.TrimRight(text, ".:"), " from failure aggregation block")
	counted := strings.HasSuffix(head, " failures") || strings.HasSuffix(head, " failure") || strings.HasSuffix(head, " other error") || strings.HasSuffix(head, " other errors")
	return head + ":", counted && strings.HasPrefix(head, "Got ")
}

// isAggregated: the line begins one of the failures of an aggregate, as text and as the
// exception's message tell it.
func isAggregated(text string) bool {
	number, rest, ok := strings.Cut(text, ") ")
	return ok && number != "" && strings.Trim(number, "0123456789.") == "" && rest != ""
}

// placeAggregate gives an aggregate the place of its first failure, and tells those of
// the others and of the block.
func placeAggregate(in *tool.Input, f *result.Finding, body []string) {
	var frames []result.Location
	var places []*result.Location // of the block, then of each failure
	for _, line := range body {
		text := strings.TrimSpace(line)
		if isAggregated(text) {
			places, frames = append(places, read.Own(in, frames)), nil
		}
		if at, ok := frame.Ruby(strings.TrimPrefix(text, "# ")); ok {
			frames = append(frames, at)
		}
	}
	places = append(places, read.Own(in, frames))
	for _, at := range append(places[1:], places[0]) {
		switch {
		case at == nil:
		case f.At == nil:
			f.At = at
		case at.Path != f.At.Path || at.Line != f.At.Line:
			f.Related = append(f.Related, result.Related{Message: "also failed", At: at})
		}
	}
}

// aggregated writes the message of several failures as the text formatter does.
func aggregated(said []string) (lines []string) {
	for _, line := range said {
		text := strings.TrimSpace(line)
		if _, framed := frame.Ruby(text); framed {
			continue
		}
		if isAggregated(text) {
			if number, rest, _ := strings.Cut(text, ") "); number == "1" {
				lines = append(lines, rest)
			} else {
				lines = append(lines, "and:", rest)
			}
			continue
		}
		lines = append(lines, line)
	}
	return lines
}
