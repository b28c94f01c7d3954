package rust

import (
	"strings"
	"unicode/utf8"

	"cairn/result"
)

// rustcMark is an underline below a source line. Its label follows the last mark of the row, or is
// below the mark's beginning, some rows further down:
//
//	2 | pub struct A { pub x: i32, x: i32 }
//	  |                ----------  ^^^^^^ field already declared
//	  |                |
//	  |                `x` first declared here
type rustcMark struct {
	column  int // from 1, in characters
	primary bool
	told    bool
}

// underline reads a row of marks and labels below a source line.
func (s *rustcSections) underline(l string) {
	if s.related > 0 || s.row == 0 || s.f.At == nil {
		return
	}
	text := strings.TrimLeft(l, " |_/\\")
	if text == "" {
		return
	}
	marked := strings.TrimLeft(text, "^-_| ")
	if text[0] != '^' && text[0] != '-' {
		s.below(l, text)
		return
	}
	s.marks = append(s.marks[:0], readRustcMarks(l[:len(l)-len(marked)])...)
	if label := strings.TrimSpace(marked); label != "" && len(s.marks) > 0 {
		s.label(&s.marks[len(s.marks)-1], label)
	}
}

// readRustcMarks finds the runs of "^" and "-".
func readRustcMarks(l string) (marks []rustcMark) {
	for i := 0; i < len(l); i++ {
		if (l[i] == '^' || l[i] == '-') && (i == 0 || l[i-1] != l[i]) && len(marks) < maxRustcRelated {
			marks = append(marks, rustcMark{column: utf8.RuneCountInString(l[:i]), primary: l[i] == '^'})
		}
	}
	return marks
}

// below reads a label in a column where a mark begins.
func (s *rustcSections) below(l, text string) {
	column := utf8.RuneCountInString(l[:len(l)-len(text)])
	for i := range s.marks {
		if m := &s.marks[i]; m.column == column && !m.told {
			s.label(m, strings.TrimSpace(text))
			return
		}
	}
}

func (s *rustcSections) label(m *rustcMark, label string) {
	m.told = true
	if help, ok := strings.CutPrefix(label, "help: "); ok {
		s.suggest(help)
		return
	}
	if m.primary && s.row == s.f.At.Line && s.path == s.f.At.Path && s.f.At.Label == "" {
		s.f.At.Label = label
		return
	}
	if len(s.f.Locations) < maxRustcRelated {
		s.f.Locations = append(s.f.Locations, result.Location{Path: s.path, Line: s.row, Column: m.column, Label: label})
	}
}
