package read

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Sink collects what a reader finds in an output, and the lines that it took.
//
// The methods that take a line (Find, More, Misuse, Sign, Close and the like), and Break, always return true, so
// that a reader's Line can say that the line is the tool's with "return s.More(l)".
type Sink struct {
	*tool.Report
	In   *tool.Input
	Path string // path of the heading above, for grouped output

	at     tool.Line      // the JSON value that is being read
	detail lines          // detail of the last finding
	last   int            // index of the last finding, -1 if lines add to none
	over   beyond         // the last finding, if it is not kept
	spare  result.Finding // stands in for the last finding if it is not kept
	closed bool
	totals totals
	files  *place.Files

	declined bool // the JSON value that is being read is another tool's
}

// beyond describes a finding that is counted and not kept: the lines below it belong to it as if it were kept.
type beyond struct {
	open     bool
	start    int64 // offset of the line that reported it
	severity result.Severity
	spared   bool // Sink.spare stands in for it
}

// maxDetail bounds the detail kept of one finding, in bytes.
const maxDetail = 4 << 10

// lines is a text that grows up to maxDetail.
type lines struct{ strings.Builder }

// NewSink returns an empty sink for a report on an input.
func NewSink(in *tool.Input) *Sink { return &Sink{Report: in.NewReport(), In: in, last: -1} }

// Find adds the finding in a line. An empty kind means a diagnostic, an empty severity an error.
func (s *Sink) Find(l tool.Line, f result.Finding) bool {
	s.Cover(l)
	f.Kind = cmp.Or(f.Kind, result.Diagnostic)
	if parts := Apart(&f); len(parts) > 0 {
		for _, part := range parts {
			s.Find(l, part)
		}
		return true
	}
	headline(&f)
	if f.At != nil {
		f.At.Line, f.At.Column = max(f.At.Line, 0), max(f.At.Column, 0) // documents use -1 for unknown
	}
	f.Severity = cmp.Or(f.Severity, result.SevError)
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	s.detail.Reset()
	if s.Crowded() {
		s.Settle()
		s.last, s.over = -1, beyond{open: true, start: l.Start, severity: f.Severity}
	} else {
		s.last, s.over.open = len(s.Findings), false
	}
	s.Findings = append(s.Findings, f) // one too many is kept until the next one comes
	return true
}

// Crowded reports whether no more findings are kept. A reader then need not make one: Tell counts it.
func (s *Sink) Crowded() bool { return len(s.Findings) >= s.Most() }

// counts reports whether further lines cannot change any finding that is kept.
func (s *Sink) counts() bool { return s.last < 0 && s.Crowded() }

// Tell counts a finding without keeping it. An empty severity means an error.
func (s *Sink) Tell(l tool.Line, severity result.Severity) bool {
	s.Cover(l)
	s.Settle()
	severity = cmp.Or(severity, result.SevError)
	s.last, s.over = -1, beyond{open: true, start: l.Start, severity: severity}
	s.Drop(severity, 1)
	return true
}

// Open reports whether the next lines may belong to the last finding, kept or not.
func (s *Sink) Open() bool { return s.last >= 0 || s.over.open }

// retold changes the severity of the last finding if that finding is not kept and comes from line l, which another
// reader now understands better.
func (s *Sink) retold(l tool.Line, severity result.Severity) bool {
	if !s.over.open || s.over.start != l.Start {
		return false
	}
	if n := len(s.Findings); n > s.Most() {
		s.Findings[n-1].Severity = severity
	} else {
		s.Regrade(s.over.severity, severity)
	}
	s.over.severity = severity
	return true
}

// Misuse adds a finding for a line in which a program says that it was called or configured wrongly, and did
// nothing.
func (s *Sink) Misuse(l tool.Line, message string) bool {
	s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	s.Meaning = result.MeansUsage
	return true
}

// MisuseIf calls Misuse if the line begins with one of starts, and reports whether it does; the line is the
// message.
func (s *Sink) MisuseIf(l tool.Line, starts ...string) bool {
	return lex.HasAnyPrefix(l.Text, starts...) && s.Misuse(l, l.Text)
}

// headline reduces a message to its first line; all of it becomes the detail.
func headline(f *result.Finding) {
	message := strings.TrimSpace(f.Message)
	first, _, more := strings.Cut(message, "\n")
	if more && f.Detail == "" {
		f.Detail = message
	}
	f.Message = strings.TrimSpace(first)
}

// FindHere adds the finding in the JSON value that is being read.
func (s *Sink) FindHere(f result.Finding) {
	if f.Message == "" && f.ID == "" { // another format of the tool, or another tool's
		s.Doubt = "a value of the JSON does not have the form that is known"
		return
	}
	covered := s.Covered
	s.Covered = nil // otherwise the last span could grow over the other stream's output within the value
	s.Find(s.at, f)
	s.Covered = covered // the document as a whole is covered
}

// Here is the span of the JSON value that is being read.
func (s *Sink) Here() result.Span { return result.Span{Start: s.at.Start, End: s.at.End} }

// Decline says that the JSON value being read is another tool's. A line with nothing else is then left to that
// tool.
func (s *Sink) Decline() { s.declined = true }

// Last is the last finding, which the caller may complete; nil without one. If it is only counted, changes to it
// are lost.
func (s *Sink) Last() *result.Finding {
	if f := s.kept(); f != nil || !s.over.open {
		return f
	}
	if n := len(s.Findings); n > s.Most() { // one too many is kept until the next one comes
		return &s.Findings[n-1]
	}
	if !s.over.spared {
		s.over.spared, s.spare = true, result.Finding{RawSpan: &result.Span{}, At: &result.Location{}}
	}
	return &s.spare
}

// kept is the last finding; nil if it is not kept.
func (s *Sink) kept() *result.Finding {
	if s.last < 0 || s.last >= len(s.Findings) { // a reader may have removed it
		return nil
	}
	return &s.Findings[s.last]
}

// More adds a line to the detail and the span of the last finding.
func (s *Sink) More(l tool.Line) bool {
	s.Reach(l)
	f := s.kept()
	if f == nil {
		return true
	}
	if s.detail.Len()+len(l.Text) > maxDetail {
		return true
	}
	if s.detail.Len() > 0 {
		s.detail.WriteByte('\n')
	}
	s.detail.WriteString(strings.TrimRight(l.Text, " "))
	f.Detail = s.detail.String()
	return true
}

// MoreText is More with another text for the line, such as a part of it.
func (s *Sink) MoreText(l tool.Line, text string) bool {
	l.Text = text
	return s.More(l)
}

// Reach extends the span of the last finding over a line, without adding to its detail.
func (s *Sink) Reach(l tool.Line) bool {
	s.Cover(l)
	if f := s.kept(); f != nil {
		f.RawSpan.End = max(f.RawSpan.End, l.End)
	}
	return true
}

// Break ends the last finding: the next lines are not about it.
func (s *Sink) Break() bool {
	s.last, s.over.open = -1, false
	return true
}

// Sign takes a line that only this tool prints.
func (s *Sink) Sign(l tool.Line) bool {
	s.Cover(l)
	s.Signed = true
	return true
}

// Close takes the tool's own closing line.
func (s *Sink) Close(l tool.Line) bool {
	s.Sign(l)
	s.closed = true
	s.Ends = append(s.Ends, l.End)
	return s.Break()
}

// EndHere says that the output is complete without a closing line.
func (s *Sink) EndHere() { s.closed = true }

// Closed reports whether the closing line was seen.
func (s *Sink) Closed() bool { return s.closed }

// Count adds to one of the tool's own counts.
func (s *Sink) Count(key string, n int) { s.Counts[key] += n }

// Files tells the workspace's files from others.
func (s *Sink) Files() *place.Files {
	if s.files == nil {
		s.files = place.NewFiles(s.In.Workspace)
	}
	return s.files
}

// Refuse is Find for a line in which the tool says that it was called or configured wrongly.
func (s *Sink) Refuse(l tool.Line, f result.Finding) bool {
	s.Meaning = result.MeansUsage
	return s.Find(l, f)
}

// Grade is the severity of a failed test: an error, if something other than the test is to blame.
func Grade(errored bool) result.Severity {
	if errored {
		return result.SevError
	}
	return result.SevFailure
}

// Found takes the tool's closing line, which says how many errors there are.
func (s *Sink) Found(l tool.Line, errors int) bool {
	s.Claim(errors)
	return s.Close(l)
}

// Score adds n to the number of tests with an outcome; 0 says something only of tests that passed or failed. What is bad
// is claimed too.
func (s *Sink) Score(key string, n int) {
	if n > 0 || key == "passed" || key == "failed" {
		s.Count(key, n)
	}
	if lex.IsOneOf(key, "failed error xpassed") {
		s.Claim(n)
	}
}

// Scores is Score for the numbers of a closing line. means says what its words stand for, "failed: failures, failure;
// error: errors"; "" if they are the keys. It returns how many tests ran.
func (s *Sink) Scores(numbers map[string]int, means string) (ran int) {
	s.Claim(0)
	for word, n := range numbers {
		key := word
		if means != "" {
			key = lex.Means(word, means)
		}
		if key == "" {
			continue
		}
		if s.Score(key, n); !lex.IsOneOf(key, "skipped todo") {
			ran += n
		}
	}
	return ran
}

// Claim adds to the number of failures and errors that the tool itself counts.
func (s *Sink) Claim(n int) { s.Claimed = max(s.Claimed, 0) + n }

// Problems adds to the number of findings of every severity that the tool itself counts: "3 problems" may be one
// error and two warnings.
func (s *Sink) Problems(n int) { s.Report.Problems += n }

func spanOf(l tool.Line) result.Span { return result.Span{Start: l.Start, End: l.End} }

// Text reads an output line by line.
type Text struct {
	// Line takes a line; it returns false if the line is not the tool's.
	Line func(s *Sink, l tool.Line) bool
	// Count replaces Line once findings are only counted, and updates the counts like Line. If known is false, Line
	// is called. The line's text is lent: it is valid until the next line. Count may be nil.
	Count func(s *Sink, l tool.Line) (own, known bool)
	// Passes is called first, with a lent text; if it returns true, the line has no meaning and Line is not called.
	// It may be nil.
	Passes func(s *Sink, l tool.Line) bool
	// Turn is called where stderr begins or a step of make or of a workflow ends, to end a failure whose text is
	// being collected. It may be nil.
	Turn func(s *Sink)
	// End is called after the last line; it may be nil.
	End func(s *Sink)
	// Usage are the beginnings of lines in which the tool says that it was called or configured wrongly, and did
	// nothing.
	Usage []string
	// Closes says that the tool always prints a closing line (Sink.Close); without it the output is incomplete.
	// Otherwise the output always counts as complete.
	Closes bool

	beside []result.Span // spans of a document whose lines are skipped; see Beside
}

// Parse reads an input: first stdout, then stderr, since the order of lines on different streams is unreliable. It
// returns nil if nothing was the tool's.
func (t Text) Parse(in *tool.Input) *tool.Report {
	s := NewSink(in)
	last := tool.Stdout
	for l := range in.LentLinesApart() {
		if isIn(t.beside, l.Start) {
			s.Break()
			rest, glued := CutGlued(l) // some programs end a document without a newline
			if !glued || isIn(t.beside, rest.Start) {
				continue
			}
			l = rest
		}
		if last != l.Stream {
			last = l.Stream
			t.turn(s)
		}
		if t.take(s, l) {
			s.Cover(l)
		}
	}
	s.Settle()
	if t.End != nil {
		t.End(s)
		s.Settle()
	}
	if len(s.Findings) == 0 && s.Dropped == 0 && !s.Signed {
		return nil
	}
	s.Complete = s.closed || !t.Closes
	return s.Report
}

// take takes a line whose text is lent.
func (t Text) take(s *Sink, l tool.Line) bool {
	if t.Count != nil && s.counts() && !s.In.Limits.Whole {
		if own, known := t.Count(s, l); known {
			return own
		}
	} else if t.Passes != nil && !s.In.Limits.Whole && t.Passes(s, l) {
		return false
	}
	if l.Text = strings.Clone(l.Text); shell.EndsStep(l.Text) && s.Last() != nil && s.Last().Kind != result.TestFailure {
		t.turn(s)
	}
	return s.MisuseIf(l, t.Usage...) || t.Line(s, l)
}

func (t Text) turn(s *Sink) {
	if t.Turn != nil {
		t.Turn(s)
	}
	s.Break()
}
