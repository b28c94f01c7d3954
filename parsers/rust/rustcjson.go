package rust

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rustcMessage is a diagnostic of rustc --error-format=json, which cargo
// --message-format=json wraps into {"reason":"compiler-message","message":…}
// ("The rustc book", JSON output; "The Cargo book", external tools).
type rustcMessage struct {
	Message  string
	Code     string
	Level    string
	Spans    []rustcSpan
	Children []rustcMessage
	Rendered string
}

// rustcSpan is a place; columns are characters, from 1, the end exclusive.
type rustcSpan struct {
	File                   string
	LineStart, LineEnd     int
	ColumnStart, ColumnEnd int
	Primary                bool
	Label, Replacement     *string
	Applicability          string
	Use                    *rustcSpan // where the macro that this span is in was used
}

func (m *rustcMessage) read(c *jsontext.Cursor) {
	c.Members("message", &m.Message, "level", &m.Level, "rendered", &m.Rendered,
		"code", func() { c.Members("code", &m.Code) }, // the explanation is long
		"spans", func() {
			c.Array(func() {
				m.Spans = append(m.Spans, rustcSpan{})
				m.Spans[len(m.Spans)-1].read(c)
			})
		},
		"children", func() {
			c.Array(func() {
				m.Children = append(m.Children, rustcMessage{})
				m.Children[len(m.Children)-1].read(c)
			})
		})
}

func (s *rustcSpan) read(c *jsontext.Cursor) {
	c.Members("file_name", &s.File, "line_start", &s.LineStart, "line_end", &s.LineEnd, "column_start", &s.ColumnStart, "column_end", &s.ColumnEnd,
		"is_primary", &s.Primary, "label", &s.Label, "suggested_replacement", &s.Replacement, "suggestion_applicability", &s.Applicability,
		"expansion", func() {
			c.Members("span", func() {
				s.Use = new(rustcSpan)
				s.Use.read(c)
			})
		})
}

const (
	cargoJSONStart = `{"reason":"`
	rustcJSONStart = `{"$message_type":"`
	rustcJSONOld   = `{"message":"` // before 1.71
)

// isCargoJSON says whether a line is JSON of cargo or rustc.
func isCargoJSON(s string) bool {
	return strings.HasPrefix(s, cargoJSONStart) && strings.HasSuffix(s, "}") ||
		strings.HasPrefix(s, rustcJSONStart) && strings.HasSuffix(s, "}") ||
		strings.HasPrefix(s, rustcJSONOld) && strings.Contains(s, `"rendered":`) && strings.HasSuffix(s, "}")
}

// rustcJSONDiag reads a line; ok is false if it is no diagnostic.
func rustcJSONDiag(s string) (m *rustcMessage, ok bool) {
	switch {
	case strings.HasPrefix(s, `{"reason":"compiler-message"`):
		ok = jsontext.Read(s, func(c *jsontext.Cursor) {
			c.Members("message", func() {
				m = new(rustcMessage)
				m.read(c)
			})
		})
		return m, ok && m != nil
	case strings.HasPrefix(s, rustcJSONStart+"diagnostic"), strings.HasPrefix(s, rustcJSONOld):
		m = &rustcMessage{}
		return m, jsontext.Read(s, m.read)
	}
	return nil, false
}

// isNoise says whether the message is one of rustc's closing lines.
func (m *rustcMessage) isNoise() bool {
	return m.Level == "failure-note" || isRustcSummary(m.Level+": "+m.Message)
}

// finding turns the message into the finding that its text would give.
func (m *rustcMessage) finding(l tool.Line) result.Finding {
	d := rustcDiag{level: m.Level, start: l.Start, end: l.End}
	d.message = strings.Join(strings.Fields(m.Message), " ")
	if m.Level == "error: internal compiler error" {
		d.level, d.message = "error", "internal compiler error: "+d.message
	}
	f := d.finding(&rustcLints{})
	f.Rule = m.Code
	m.fillPlaces(&f)
	shown := m.shown()
	m.fillShown(&f, shown.At)
	for i := range m.Children {
		m.Children[i].fillChild(&f, m.Rendered)
	}
	f.Message += macroPanic(&f)
	f.Detail = shown.Detail
	explainLinker(&f)
	return f
}

// shown reads the place and the frame from the rendered text.
func (m *rustcMessage) shown() *result.Finding {
	s := rustcSections{f: &result.Finding{}}
	for i, l := range strings.SplitN(m.Rendered, "\n", maxRustcLines) {
		l = string(tool.Resolve([]byte(l)))
		if i > 0 {
			s.line(l)
		} else if _, short, ok := readRustcShort(l); ok {
			return &result.Finding{At: &short}
		}
	}
	s.finish()
	return s.f
}

// fillShown sets the place shown in the text. For a macro of another crate that is where the macro was used, although
// the span is inside of the macro.
func (m *rustcMessage) fillShown(f *result.Finding, at *result.Location) {
	if at == nil || f.At == nil || at.Line == 0 || at.Path == f.At.Path && at.Line == f.At.Line && at.Column == f.At.Column {
		return
	}
	label := f.At.Label
	f.At = &result.Location{Path: at.Path, Line: at.Line, Column: at.Column, Label: label}
	for i := range m.Spans {
		for s := &m.Spans[i]; s != nil; s = s.Use {
			if s.File == at.Path && s.LineStart == at.Line && s.ColumnStart == at.Column {
				whole := s.location()
				whole.Label = label
				f.At = &whole
				return
			}
		}
	}
}

func (s *rustcSpan) location() result.Location {
	at := result.Location{Path: s.File, Line: s.LineStart, Column: s.ColumnStart, EndLine: s.LineEnd, EndColumn: s.ColumnEnd}
	if s.Label != nil {
		at.Label = *s.Label
	}
	return at
}

func (m *rustcMessage) fillPlaces(f *result.Finding) {
	for i := range m.Spans {
		s := &m.Spans[i]
		at := s.location()
		switch {
		case s.Primary && f.At == nil:
			f.At = &at
		case (s.Label != nil || s.Primary) && len(f.Locations) < maxRustcRelated:
			f.Locations = append(f.Locations, at)
		}
	}
}

// fillChild adds a note, a help or a suggestion.
func (m *rustcMessage) fillChild(f *result.Finding, rendered string) {
	message := strings.Join(strings.Fields(m.Message), " ")
	if url, ok := strings.CutPrefix(message, "for further information visit "); ok {
		f.RuleURL = url
		return
	}
	if len(f.Related) < maxRustcRelated {
		r := result.Related{Message: message}
		if len(m.Spans) > 0 && m.Level == "note" {
			at := m.Spans[0].location()
			r.At = &at
		}
		f.Related = append(f.Related, r)
	}
	if m.Level == "help" && isRustcSuggestion(message) && len(f.Suggestions) < result.MaxSuggestions {
		f.Suggestions = append(f.Suggestions, m.suggestion(message, rendered))
	}
	m.fillFix(f, message)
}

// suggestion is a help's message, with the proposed text if the text format shows both on one line.
func (m *rustcMessage) suggestion(message, rendered string) string {
	if len(m.Spans) != 1 || m.Spans[0].Replacement == nil {
		return message
	}
	whole := message + ": `" + strings.TrimSpace(*m.Spans[0].Replacement) + "`"
	if !strings.Contains(rendered, "help: "+whole) {
		return message
	}
	return whole
}

func (m *rustcMessage) fillFix(f *result.Finding, message string) {
	fix := result.Fix{Description: message}
	for i := range m.Spans {
		s := &m.Spans[i]
		if s.Replacement == nil {
			continue
		}
		fix.Applicability = rustcApplicability(s.Applicability)
		fix.Edits = append(fix.Edits, result.Edit{
			Path: s.File, Text: *s.Replacement,
			Start: strconv.Itoa(s.LineStart) + ":" + strconv.Itoa(s.ColumnStart),
			End:   strconv.Itoa(s.LineEnd) + ":" + strconv.Itoa(s.ColumnEnd),
		})
	}
	if len(fix.Edits) == 0 || len(f.Fixes) >= result.MaxSuggestions {
		return
	}
	f.Fixes = append(f.Fixes, fix)
	f.Fixable = f.Fixable || fix.Applicability == "safe"
}

func rustcApplicability(s string) string {
	return cmp.Or(lex.Means(s, "safe: MachineApplicable; unsafe: MaybeIncorrect; display: HasPlaceholders"), "unknown")
}
