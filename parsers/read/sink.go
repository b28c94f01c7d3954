package read

import (
	"cmp"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Sink collects what a reader finds in an output, and which lines it took.
//
// A method that takes a line (Find, More, Misuse, Sign, Close and the like) always
// returns true, and so does Break: a reader's Line says with it that the line is the tool's,
// "return s.More(l)".
type Sink struct {
	*tool.Report
	In   *tool.Input
	Path string // of the header that rows stand under, for grouped output

	at     tool.Line      // of the JSON value that is being read
	detail lines          // of the last finding
	last   int            // its index, -1 without one to add to
	over   beyond         // the last finding, where it is not kept
	spare  result.Finding // stands for it
	closed bool
	totals totals

	declined bool // the JSON value that is being read is another tool's
}

// beyond is what is known of a finding that is counted and not kept: lines below it
// belong to it as they would if it were.
type beyond struct {
	open     bool
	start    int64 // of the line that reported it
	severity result.Severity
	spared   bool // Sink.spare stands for it
}

// maxDetail bounds what is kept below one finding, in bytes.
const maxDetail = 4 << 10

// lines is a text that grows up to a bound.
type lines struct{ strings.Builder }

// NewSink is an empty sink for a report on an input.
func NewSink(in *tool.Input) *Sink { return &Sink{Report: in.NewReport(), In: in, last: -1} }

// Find adds a finding that a line reports. An empty kind is a diagnostic, an
// empty severity an error.
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
		f.At.Line, f.At.Column = max(f.At.Line, 0), max(f.At.Column, 0) // -1 stands for what a document does not tell
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
	s.Findings = append(s.Findings, f) // if there are too many, until the next one comes
	return true
}

// Crowded: no finding is kept any more. A reader then need not make one: Tell counts it.
func (s *Sink) Crowded() bool { return len(s.Findings) >= s.Most() }

// counts: nothing that comes is added to a finding that is kept.
func (s *Sink) counts() bool { return s.last < 0 && s.Crowded() }

// Tell is Find for a finding that is only counted. An empty severity is an error.
func (s *Sink) Tell(l tool.Line, severity result.Severity) bool {
	s.Cover(l)
	s.Settle()
	severity = cmp.Or(severity, result.SevError)
	s.last, s.over = -1, beyond{open: true, start: l.Start, severity: severity}
	s.Drop(severity, 1)
	return true
}

// Open: a finding came last, kept or not, to which lines below it may belong.
func (s *Sink) Open() bool { return s.last >= 0 || s.over.open }

// retold: a line reported the last finding, which is not kept, and another reader knows
// now that it has this severity.
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

// Misuse adds a finding of a line in which a program says that it was called or
// configured wrongly, and did nothing.
func (s *Sink) Misuse(l tool.Line, message string) bool {
	s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	s.Meaning = result.MeansUsage
	return true
}

// MisuseIf is Misuse for a line that begins with one of the texts; the line is the
// message. It says whether the line does.
func (s *Sink) MisuseIf(l tool.Line, starts ...string) bool {
	return lex.HasAnyPrefix(l.Text, starts...) && s.Misuse(l, l.Text)
}

// headline keeps the first line of a message, and all of it as the detail.
func headline(f *result.Finding) {
	message := strings.TrimSpace(f.Message)
	first, _, more := strings.Cut(message, "\n")
	if more && f.Detail == "" {
		f.Detail = message
	}
	f.Message = strings.TrimSpace(first)
}

// FindHere adds a finding that is reported by the JSON value which is being read.
func (s *Sink) FindHere(f result.Finding) {
	if f.Message == "" && f.ID == "" { // another format of the tool, or another tool's
		s.Doubt = "a value of the JSON does not have the form that is known"
		return
	}
	covered := s.Covered
	s.Covered = nil // else the last span may grow over what the other stream printed within the value
	s.Find(s.at, f)
	s.Covered = covered // the document as a whole is covered
}

// Here is where the JSON value stands that is being read.
func (s *Sink) Here() result.Span { return result.Span{Start: s.at.Start, End: s.at.End} }

// Decline says that the JSON value which is being read is another tool's. A line that
// holds nothing else is left to that tool.
func (s *Sink) Decline() { s.declined = true }

// Last is the finding that was added last, to be filled in; nil without one. One that is
// not kept may be filled in as well: what is put into it is lost.
func (s *Sink) Last() *result.Finding {
	if f := s.kept(); f != nil || !s.over.open {
		return f
	}
	if n := len(s.Findings); n > s.Most() { // until the next one comes
		return &s.Findings[n-1]
	}
	if !s.over.spared {
		s.over.spared, s.spare = true, result.Finding{RawSpan: &result.Span{}, At: &result.Location{}}
	}
	return &s.spare
}

// kept is the finding that was added last; nil where it does not fit any more.
func (s *Sink) kept() *result.Finding {
	if s.last < 0 || s.last >= len(s.Findings) { // a reader may have taken it back
		return nil
	}
	return &s.Findings[s.last]
}

// More adds a line to the detail of the last finding, and to what it covers.
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

// MoreText is More for a part of a line, or for what the line means.
func (s *Sink) MoreText(l tool.Line, text string) bool {
	l.Text = text
	return s.More(l)
}

// Reach extends the last finding over a line that adds nothing to its detail.
func (s *Sink) Reach(l tool.Line) bool {
	s.Cover(l)
	if f := s.kept(); f != nil {
		f.RawSpan.End = max(f.RawSpan.End, l.End)
	}
	return true
}

// Break ends the last finding: what follows is not about it.
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
	return s.Break()
}

// EndHere says that the output is whole without a closing line.
func (s *Sink) EndHere() { s.closed = true }

// Closed: the closing line was seen.
func (s *Sink) Closed() bool { return s.closed }

// Count adds to one of the tool's own counts.
func (s *Sink) Count(key string, n int) { s.Counts[key] += n }

// Claim adds to how many failures and errors the tool says there are.
func (s *Sink) Claim(n int) { s.Claimed = max(s.Claimed, 0) + n }

// Problems adds to how many findings of every severity the tool says there are: "3
// problems" may be one error and two warnings.
func (s *Sink) Problems(n int) { s.Report.Problems += n }

func spanOf(l tool.Line) result.Span { return result.Span{Start: l.Start, End: l.End} }

// Text reads an output line by line.
type Text struct {
	// Line takes a line; false says that it is not the tool's.
	Line func(s *Sink, l tool.Line) bool
	// Count is asked instead of Line behind the last finding that is kept, and does to the
	// counts what Line does. If it does not know a line at a glance, Line is asked. The
	// line's text is lent: it is valid until the next one. It may be nil.
	Count func(s *Sink, l tool.Line) (own, known bool)
	// Passes is asked first, of a line whose text is lent: it is nothing, and Line need not
	// be asked. It may be nil.
	Passes func(s *Sink, l tool.Line) bool
	// Turn is called where stderr begins: a failure of which stdout told last, and
	// whose text was being collected, ends there. It may be nil.
	Turn func(s *Sink)
	// End is called behind the last line; it may be nil.
	End func(s *Sink)
	// Usage is how the lines begin with which the tool says that it was called or
	// configured wrongly, and did nothing.
	Usage []string
	// Closes: the tool always prints a closing line (Sink.Close); without it
	// the output is incomplete. Otherwise the output is complete as it is.
	Closes bool

	beside []result.Span // of a document whose lines are not read; see Beside
}

// Parse reads an input: stdout, then stderr, since lines of two streams have no
// order between them that can be relied on. It declines where nothing was the
// tool's.
func (t Text) Parse(in *tool.Input) *tool.Report {
	s := NewSink(in)
	last := tool.Stdout
	for l := range in.LentLinesApart() {
		if isIn(t.beside, l.Start) {
			s.Break()
			rest, glued := CutGlued(l) // some programs end a document without the line
			if !glued || isIn(t.beside, rest.Start) {
				continue
			}
			l = rest
		}
		if last != l.Stream {
			last = l.Stream
			if t.Turn != nil {
				t.Turn(s)
			}
			s.Break()
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
	if l.Text = strings.Clone(l.Text); shell.EndsStep(l.Text) && (s.Last() == nil || s.Last().Kind != result.TestFailure) {
		s.Break()
	}
	return s.MisuseIf(l, t.Usage...) || t.Line(s, l)
}
