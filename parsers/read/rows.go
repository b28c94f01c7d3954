package read

import (
	"cmp"

	"cairn/parsers/tool"
	"cairn/result"
)

// Rows reads an output with a table of forms: the first form that describes a line decides what the line means. See
// Form for how a line is described.
//
//	read.Rows{Rows: []read.Row{
//		{Form: "possible bashism in {path} line {line} ({message}):", As: read.Warning},
//		{Form: "cannot open script {}", As: read.Misuse},
//	}, Below: read.Indented}
//
// A project declares its own formats in the same words (.cairn/parsers.toml).
type Rows struct {
	Rows []Row
	// Below reports whether a line that no form describes belongs to the finding above it, even if that finding is
	// only counted; nil: no line does.
	Below func(s *Sink, l tool.Line) (belongs bool)
	// Other takes lines that no form describes; may be nil.
	Other  func(s *Sink, l tool.Line) bool
	End    func(s *Sink) // see Text
	Kind   result.FindingKind
	Usage  []string // see Text
	Closes bool     // see Text
}

// Row is one form and the meaning of its lines.
type Row struct {
	Form string
	As   As
	// Fit changes the finding into what the tool's other formats give, after the fields of the line have been set;
	// may be nil.
	Fit func(f *result.Finding)
}

// As is the meaning of a line.
type As string

const (
	Find    As = ""        // a finding; an error if the line has no {severity}
	Error   As = "error"   // a finding with this severity, unless the line has one
	Warning As = "warning" //
	Info    As = "info"    //
	Failure As = "failure" // a failed test
	Fill    As = "fill"    // more fields of the finding above; its text is kept as detail
	More    As = "more"    // text about the finding above
	InPath  As = "path"    // {path} is the file of the findings below
	Count   As = "count"   // counts, {#failed}, in the middle of an output
	Close   As = "close"   // the tool's closing line; its numbers are counts
	Misuse  As = "misuse"  // the tool says that it was called or configured wrongly
	Skip    As = "skip"    // a line of the tool without meaning for a finding
)

// severities are the severities of findings by their row, for lines that have none.
var severities = map[As]result.Severity{Error: result.SevError, Warning: result.SevWarning, Info: result.SevInfo, Failure: result.SevFailure, Find: ""}

// Known reports whether a table may use this meaning.
func (a As) Known() bool {
	switch a {
	case Fill, More, InPath, Count, Close, Misuse, Skip:
		return true
	}
	_, finds := severities[a]
	return finds
}

// Parse reads an input.
func (r Rows) Parse(in *tool.Input) *tool.Report { return r.Text().Parse(in) }

// Text returns the table as a reader of lines, for use in Beside. It panics if a form is invalid, which is a
// mistake in the program.
func (r Rows) Text() Text {
	t := r.compiled()
	return Text{Line: t.line, Count: t.count, End: r.End, Usage: r.Usage, Closes: r.Closes}
}

func (r Rows) compiled() *rowTable {
	t := &rowTable{Rows: r, forms: make([]*Form, len(r.Rows))}
	for i := range r.Rows {
		t.forms[i] = FormOf(r.Rows[i].Form)
	}
	return t
}

// rowTable is Rows with parsed forms.
type rowTable struct {
	Rows
	forms []*Form
}

// find returns the first row that describes a line.
func (t *rowTable) find(text string) (row *Row, m Match) {
	for i, form := range t.forms {
		if m, ok := form.Match(text); ok {
			return &t.Rows.Rows[i], m
		}
	}
	return nil, m
}

// count updates the counts as line does, once no more findings are kept.
func (t *rowTable) count(s *Sink, l tool.Line) (own, known bool) {
	row, m := t.find(l.Text)
	if row == nil {
		return false, false
	}
	severity, finds := severities[row.As]
	if !finds || row.Fit != nil { // Fit may change the severity
		return false, false
	}
	s.Tell(l, cmp.Or(m.Severity(), severity))
	return true, true
}

func (t *rowTable) line(s *Sink, l tool.Line) bool {
	if own, known := t.row(s, l); known {
		return own
	}
	if s.Open() && t.Below != nil && t.Below(s, l) {
		return s.More(l)
	}
	s.Break()
	return t.Other != nil && t.Other(s, l)
}

// row takes a line; known says whether a form describes it.
func (t *rowTable) row(s *Sink, l tool.Line) (own, known bool) {
	row, m := t.find(l.Text)
	if row == nil {
		return false, false
	}
	if severity, finds := severities[row.As]; finds {
		t.finding(s, l, row, &m, severity)
		return true, true
	}
	return t.act(s, l, row, &m), true
}

// finding adds the finding of a line.
func (t *rowTable) finding(s *Sink, l tool.Line, row *Row, m *Match, severity result.Severity) {
	f := result.Finding{Kind: t.Kind, Severity: severity}
	if severity == result.SevFailure && t.Kind == "" {
		f.Kind = result.TestFailure
	}
	m.Fill(&f, s.Path)
	if row.Fit != nil {
		row.Fit(&f)
	}
	s.Find(l, f)
}

// act handles a line that is no finding of its own.
func (t *rowTable) act(s *Sink, l tool.Line, row *Row, m *Match) bool {
	switch row.As {
	case Fill:
		f := s.kept()
		if f == nil {
			return s.Open()
		}
		m.Fill(f, s.Path)
		if row.Fit != nil {
			row.Fit(f)
		}
		s.More(l)
	case More:
		if !s.Open() {
			return false
		}
		s.More(l)
	case InPath:
		s.Path = m.text[fieldPath]
		s.Break()
		return false // only the findings below a path prove the form
	case Misuse:
		s.Misuse(l, cmp.Or(m.text[fieldMessage], l.Text))
	case Close:
		m.addTo(s)
		s.Close(l)
	case Count:
		m.addTo(s)
	}
	return true
}

// addTo adds the counts in a line to the report's. Failures and errors are added to what the tool claims;
// {#problems} is its number of findings of every severity.
func (m *Match) addTo(s *Sink) {
	for _, c := range m.counts[:m.counted] {
		switch c.name {
		case "problems":
			s.Problems(c.n)
			continue
		case "failed", "error":
			s.Claim(c.n)
		case "passed":
			s.Tested = true
		}
		s.Count(c.name, c.n)
	}
}

// OneLine is a Below that takes one line below a finding, its source.
func OneLine(s *Sink, l tool.Line) bool {
	f := s.kept()
	return f != nil && f.Detail == "" && l.Text != ""
}
