package rust

import (
	"cmp"
	"slices"
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
	Label                  string
	Replacement            *string
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

// finding turns the message into the finding that its text gives, with what the text does not have: the rule in any
// case, where places end, and edits. In short format, the text has a place and no more.
func (m *rustcMessage) finding(l tool.Line) result.Finding {
	d := rustcDiag{level: m.Level, message: strings.Join(strings.Fields(m.Message), " "), start: l.Start, end: l.End}
	lines := strings.SplitN(m.Rendered, "\n", maxRustcLines)
	for i, s := range lines {
		lines[i] = string(tool.Resolve([]byte(s)))
	}
	level, _, message, whole := cutRustcHeadline(lines[0])
	if whole {
		d.level, d.message, d.lines = level, message, lines[1:]
	}
	f := d.finding(&rustcLints{})
	if _, at, ok := readRustcShort(lines[0]); ok {
		f.At = &at
	}
	for i := range m.Spans {
		s := &m.Spans[i]
		at := result.Location{Path: s.File, Line: s.LineStart, Column: s.ColumnStart, Label: s.Label}
		if s.Primary && f.At == nil {
			f.At = &at
		} else if !whole && !s.Primary && at.Label != "" && len(f.Locations) < maxRustcRelated {
			f.Locations = append(f.Locations, at)
		}
	}
	f.Rule = m.Code
	m.fillEnds(&f)
	for i := range m.Children {
		m.Children[i].fillChild(&f)
	}
	return f
}

// fillEnds sets where the places end.
func (m *rustcMessage) fillEnds(f *result.Finding) {
	ends := map[result.Location]result.Location{}
	for _, c := range append([]rustcMessage{*m}, m.Children...) {
		for i := range c.Spans {
			for s := &c.Spans[i]; s != nil; s = s.Use { // the place is where a macro was used, and the span inside of it
				at := result.Location{Path: s.File, Line: s.LineStart, Column: s.ColumnStart}
				if _, known := ends[at]; !known {
					ends[at] = result.Location{EndLine: s.LineEnd, EndColumn: s.ColumnEnd}
				}
			}
		}
	}
	for at := range f.Places() {
		end := ends[result.Location{Path: at.Path, Line: at.Line, Column: at.Column}]
		at.EndLine, at.EndColumn = end.EndLine, end.EndColumn
	}
}

// fillChild adds a note or a help that the text hides, and the edits that a help proposes.
func (m *rustcMessage) fillChild(f *result.Finding) {
	fix := result.Fix{Description: strings.Join(strings.Fields(m.Message), " ")}
	begins := func(s string) bool {
		return strings.HasPrefix(s, fix.Description) || strings.HasPrefix(fix.Description, s)
	}
	if url, ok := strings.CutPrefix(fix.Description, "for further information visit "); ok {
		f.RuleURL = url
	} else if len(f.Related) < maxRustcRelated && !slices.ContainsFunc(f.Related, func(r result.Related) bool { return begins(r.Message) }) {
		f.Related = append(f.Related, result.Related{Message: fix.Description})
	}
	if m.Level == "help" && isRustcSuggestion(fix.Description) {
		if i := slices.IndexFunc(f.Suggestions, begins); i >= 0 {
			f.Suggestions[i] += fix.Description[min(len(f.Suggestions[i]), len(fix.Description)):]
		} else if len(f.Suggestions) < result.MaxSuggestions {
			f.Suggestions = append(f.Suggestions, fix.Description)
		}
	}
	for i := range m.Spans {
		s := &m.Spans[i]
		if s.Replacement == nil {
			continue
		}
		fix.Applicability = cmp.Or(lex.Means(s.Applicability, "safe: MachineApplicable; unsafe: MaybeIncorrect; display: HasPlaceholders"), "unknown")
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
