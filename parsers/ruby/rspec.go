package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rspec", func(p *tool.Parser) {
	p.Is("rspec", result.Test, 2, "RSpec 3: progress, documentation, json, failures")
	p.Filter = tool.Filter{Flag: "-e", Again: read.AgainExactly("-E", "^%s$")}
	p.Fails = []string{"rspec ./", "rspec './", "Failure/Error: "}
	p.JUnit = rspecReports
	p.Files = []tool.Files{{
		Flags: []tool.FileFlag{{Flag: "-o", Of: []string{"rspec"}}, {Flag: "--out", Of: []string{"rspec"}}}, Arguments: []string{"SPEC_OPTS"}, Shared: true,
	}}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"version":"… "examples":`, `{"version":"…,"examples":[`}, Parse: read.JSON{
		Items: map[string]func(*read.Sink, []byte) error{
			"/examples/*": read.Item(rspecExample), "/summary": read.Item(rspecSummary), "/messages/*": read.Item(rspecMessage),
		},
	}.Parse})
	p.Reads(tool.Format{Name: "html", Starts: []string{"<title>RSpec results"}, Parse: read.Fresh(func(p *rspecPage) read.Text { return read.Text{Line: p.line, Closes: true} })})
	p.Reads(tool.Format{Name: "text", Prints: rspecPrints, Starts: []string{"Finished in … (files took ", "An error occurred while loading ./", "rspec ./… # "}, Parse: parseRSpec})
	p.Reads(tool.Format{Name: "unended", Parse: read.Unended{
		Ends:   func(text string) bool { return strings.HasPrefix(text, "Finished in ") || rspecEnded(text) },
		Failed: rspecFailed,
	}.Parse})
	p.Reads(tool.Format{Name: "failures", Parse: read.Linter{Kind: result.TestFailure, Accept: func(d *read.Diagnostic) bool {
		return d.At.Column == 0 && strings.HasPrefix(d.At.Path, "./") && !strings.HasPrefix(d.Message, "in ")
	}, Default: result.SevFailure}.Parse})
	p.Reads(tool.Format{Name: "usage", Parse: read.Said{Usage: []string{"invalid option: ", "invalid argument: ", "missing argument: "}}.Parse})
}, tool.WritesFiles)

// rspecReports describes the JUnit reports of rspec_junit_formatter, whose test names are RSpec's own.
var rspecReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && strings.HasPrefix(tag.Name, "rspec") && tag.Has("hostname")
	},
	ID: func(n *tool.CaseNames) (id string, suites []string) { return n.Name, nil },
}

// rspec reads the lists after a run: pending examples, failures, and for each failed example the command that runs
// it again.
type rspec struct {
	pending bool              // the list of pending examples is being read
	outside *read.Block       // an error outside of examples
	rerun   map[string]string // for each example's full description, the place in its command
	again   []again           // the commands in their order
	at      map[int]string    // the full descriptions of findings without a place, by index
	doc     rspecDoc
	total   int            // the number of examples
	failed  map[int]string // the full descriptions of failed examples, by their numbers in the list
}

// again is a line "rspec ./spec/cart_spec.rb:4 # Cart adds".
type again struct {
	line tool.Line
	name string
}

// rspecEnded recognizes "3 examples, 1 failure".
func rspecEnded(text string) bool {
	number, rest, _ := strings.Cut(text, " ")
	return lex.IsDigits(number) && strings.HasPrefix(rest, "example") && strings.Contains(rest, " failure")
}

// rspecFailed counts the failures in a row of marks, ".F*", or in a row of the documentation formatter, "adds
// (FAILED - 1)".
func rspecFailed(text string) int {
	if _, number, ok := strings.Cut(text, " (FAILED - "); ok && strings.HasPrefix(text, " ") && lex.IsDigits(strings.TrimSuffix(number, ")")) {
		return 1
	}
	return read.Marks(".F*", "F")(text)
}

// rspecPrints leaves out what the formatters print: marks, examples, which are indented, and the names of classes above them.
func rspecPrints(l tool.Line, after bool) bool {
	title := !after && (strings.HasPrefix(l.Text, "  ") || l.Text != "" && l.Text[0] >= 'A' && l.Text[0] <= 'Z' && !strings.Contains(l.Text, " "))
	return !title && read.Marks(".F*", ".F*")(l.Text) == 0
}

func parseRSpec(in *tool.Input) *tool.Report {
	r := &rspec{rerun: map[string]string{}, at: map[int]string{}, failed: map[int]string{}}
	return read.Numbered{Indent: "  ", Take: r.take, Ends: func(text string) bool { return text != "" && text[0] != ' ' && text[0] != '\t' }, Other: r.other, End: r.end, Closes: true}.Parse(in)
}

func (r *rspec) take(s *read.Sink, b *read.Block) {
	if r.pending || len(b.Body) > 0 && strings.HasPrefix(strings.TrimSpace(b.Body[0]), "# ") { // a pending example begins with the reason
		return
	}
	f := rspecFailure(s.In, read.Dedent(b.Body))
	f.ID = strings.TrimSuffix(b.Title, " FIXED")
	f.Kind, f.Severity = result.TestFailure, result.SevFailure
	if len(r.failed) < s.Most() {
		r.failed[b.Number] = f.ID
	}
	if f.At == nil {
		r.at[len(s.Findings)] = f.ID
	}
	s.FindBlock(b, f)
}

func (r *rspec) other(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if r.outside != nil && r.outsideEnds(t) {
		r.endOutside(s)
	}
	switch {
	case strings.HasPrefix(t, "Pending: ("):
		r.pending, r.doc.ended = true, true
	case t == "Failures:":
		r.pending, r.doc.ended = false, true
	case strings.HasPrefix(t, "An error occurred "):
		r.endOutside(s)
		r.outside = &read.Block{Head: l, Title: t, End: l.End}
	case isRSpecTally(t):
		r.endOutside(s)
		s.Close(l)
		rspecTally(s, t)
		r.total = lex.LeadingNumber(t)
	case strings.HasPrefix(t, "Finished in "), t == "Failed examples:", t == "No examples found.", t == "All examples were filtered out", strings.HasPrefix(t, "Run options: "):
		r.endOutside(s)
		r.doc.ended = r.doc.ended || strings.HasPrefix(t, "Finished in ")
		s.Sign(l)
	case strings.HasPrefix(t, "Top ") && strings.Contains(t, " slowest example"): // --profile
		r.endOutside(s)
		r.doc.ended = true
	case strings.HasPrefix(t, "rspec ./") || strings.HasPrefix(t, "rspec '"):
		place, name, _ := strings.Cut(strings.TrimPrefix(t, "rspec "), " # ")
		r.rerun[name] = strings.Trim(place, "'")
		if r.again = append(r.again, again{l, name}); len(r.again) > s.Most() {
			r.again = r.again[:s.Most()]
		}
	case r.outside != nil:
		r.outside.Body = append(r.outside.Body, t)
		if strings.TrimSpace(t) != "" {
			r.outside.End = max(r.outside.End, l.End)
		}
	default:
		r.doc.line(t)
		return false
	}
	return true
}

// outsideEnds reports whether t no longer belongs to the error outside of examples: its frames have ended.
func (r *rspec) outsideEnds(t string) bool {
	body := lex.TrimBlankLines(r.outside.Body)
	return t != "" && t[0] != '#' && len(body) > 0 && len(body) < len(r.outside.Body) && strings.HasPrefix(body[len(body)-1], "# ")
}

// endOutside adds an error outside of examples: a file that could not be
// loaded, or a hook of a whole group.
func (r *rspec) endOutside(s *read.Sink) {
	if r.outside != nil {
		s.FindBlock(r.outside, rspecOutside(s.In, r.outside.Title, lex.TrimBlankLines(r.outside.Body)))
		r.doc.blank = true
		r.outside = nil
	}
}

// end gives examples without a frame in their own file the place in the command that runs them again.
func (r *rspec) end(s *read.Sink) {
	r.endOutside(s)
	if !s.Closed() || len(s.Findings) < s.Counts["failed"]+s.Counts["error"] {
		r.listed(s)
	}
	r.doc.tell(s, r.total, r.failed)
	for i, id := range r.at {
		at, ok := frame.Ruby(r.rerun[id])
		if !ok { // "./spec/cart_spec.rb[1:7]"
			at = result.Location{}
			at.Path, _, ok = strings.Cut(strings.TrimPrefix(r.rerun[id], "./"), "[")
		}
		if ok && i < len(s.Findings) {
			s.Findings[i].At = &at
		}
	}
}

// listed adds the failed examples that only the list of commands at the end names, as after "| tail".
func (r *rspec) listed(s *read.Sink) {
	told := map[string]bool{}
	for i := range s.Findings {
		told[s.Findings[i].ID] = true
	}
	for _, a := range r.again {
		if !told[a.name] && a.name != "" {
			r.at[len(s.Findings)] = a.name
			s.Find(a.line, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: a.name, Message: "failed"})
		}
	}
}

// isRSpecTally recognizes "12 examples, 8 failures, 3 pending, 1 error occurred outside of examples".
func isRSpecTally(t string) bool {
	n, rest, _ := strings.Cut(t, " ")
	return lex.IsDigits(n) && (strings.HasPrefix(rest, "examples, ") || strings.HasPrefix(rest, "example, "))
}

func rspecTally(s *read.Sink, t string) {
	c := read.Counts(t)
	rspecCounts(s, c["examples"]+c["example"], c["failures"]+c["failure"], c["pending"], c["error"]+c["errors"])
}

func rspecCounts(s *read.Sink, total, failed, pending, outside int) {
	s.Total(failed+outside, map[string]int{"passed": max(total-failed-pending, 0), "failed": failed, "skipped": pending})
	if outside > 0 {
		s.Count("error", outside)
	}
	s.Tested = s.Tested || total > 0
	s.NoTests = !s.Tested && outside == 0
}

// An aggregate is an example that goes on after an expectation fails. Its text has the place of the block, if the block
// has a name, and frames for each failure:
//
//	Got 1 failure and 1 other error from failure aggregation block "answer".
//	# ./spec/book_spec.rb:25:in `block (2 levels)'
//
//	2.1) Failure/Error: expect(book.title).to match(/foo/)
//	     # ./spec/book_spec.rb:27:in `block (2 levels)'

// aggregateHead returns "Got 1 failure and 1 other error:", the beginning of an aggregate's text in all formatters.
func aggregateHead(text string) (head string, ok bool) {
	head, _, _ = strings.Cut(strings.TrimRight(text, ".:"), " from failure aggregation block")
	counted := strings.HasSuffix(head, " failures") || strings.HasSuffix(head, " failure") || strings.HasSuffix(head, " other error") || strings.HasSuffix(head, " other errors")
	return head + ":", counted && strings.HasPrefix(head, "Got ")
}

// isAggregated reports whether a line begins a failure of an aggregate: "2.1) Failure/Error: …" in the text formatter,
// "1) …" in the exception's message.
func isAggregated(text string) bool {
	number, rest, ok := strings.Cut(text, ") ")
	return ok && number != "" && strings.Trim(number, "0123456789.") == "" && rest != ""
}

// placeAggregate gives an aggregate the place of its first failure. The places of the other failures and of the block
// become related places.
func placeAggregate(in *tool.Input, f *result.Finding, body []string) {
	var frames []result.Location
	var places []*result.Location // the block's place, then each failure's
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

// aggregated returns the message of several failures in the words of the text formatter, "and:" between them.
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
