package rust

import (
	"strings"
	"sync"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// The text of rustc's diagnostics, which cargo prints too (rustc 1.30 and later; "rustc_errors::emitter" is the
// specification):
//
//	error[E0308]: mismatched types
//	 --> src/lib.rs:9:9
//	  |
//	8 |     fn parse() -> String {
//	  |                   ------ expected `String` because of return type
//	9 |         5
//	  |         ^ expected `String`, found integer
//	  |
//	  = note: …
//	help: try using a conversion method
//	  |
//	9 |         5.to_string()
//	  |          ++++++++++++
//
// and a blank line, which does not occur inside of one. Columns count characters.

// Bounds of one diagnostic.
const (
	maxRustcLines   = 400 // lines of its block; a macro's trace may have thousands
	maxRustcRelated = 16
	maxRustcDetail  = 4 << 10
)

// rustcDiag is a diagnostic that is being read.
type rustcDiag struct {
	level, code, message string
	lines                []string // below the headline
	start, end           int64
	enough               bool            // further lines are not kept
	at                   result.Location // set early, if enough is true
	resolved             bool            // cargo's error that no version fits has ended
}

// passing says whether the line is source below a diagnostic of which no more is kept.
func (d *rustcDiag) passing(s string) bool {
	if !d.enough {
		return false
	}
	s = strings.TrimLeft(s, " ")
	return s != "" && (s[0] == '|' || s[0] == '=' || '0' <= s[0] && s[0] <= '9')
}

// rustcLevels are the words that begin a diagnostic.
var rustcLevels = []string{"error", "warning", "note", "help", "failure-note", "fatal error"}

// cutRustcHeadline reads "error[E0308]: message".
func cutRustcHeadline(s string) (level, code, message string, ok bool) {
	if s == "" || strings.IndexByte("ewnhf", s[0]) < 0 {
		return "", "", "", false
	}
	for _, level := range rustcLevels {
		rest, found := strings.CutPrefix(s, level)
		if !found {
			continue
		}
		if inside, after, found := strings.Cut(rest, "]: "); found && strings.HasPrefix(inside, "[") && isRustcCode(inside[1:]) {
			return level, inside[1:], after, true
		}
		if message, found := strings.CutPrefix(rest, ": "); found && message != "" {
			return level, "", message, true
		}
	}
	return "", "", "", false
}

// isRustcCode accepts "E0308", or the name of a lint, which old versions print in that place.
func isRustcCode(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_") == ""
}

// cutRustcArrow reads the place " --> src/lib.rs:9:9", or ":::" before the place in a further file.
func cutRustcArrow(s, arrow string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " "), arrow)
	if !ok {
		return at, false
	}
	if at, ok = cutRustcPosition(rest); !ok {
		return result.Location{Path: rest}, rest != ""
	}
	return at, true
}

// cutRustcPosition splits "src/lib.rs:9:9". Column 0 means that the column is not known.
func cutRustcPosition(s string) (at result.Location, ok bool) {
	rest, ok := strings.CutSuffix(s, ":0")
	if !ok {
		rest, at.Column, ok = place.CutLineNumber(s)
	}
	if ok {
		at.Path, at.Line, ok = place.CutLineNumber(rest)
	}
	return at, ok
}

// unboxed turns the frames of --error-format=human-unicode into the usual ones:
//
//	  ╭▸ src/lib.rs:13:9
//	13 │     let mut unused = 3;
//	   │         ┬───━━━━━━
//	   ╰ note: …
func unboxed(lines []string) []string {
	for i, l := range lines {
		if strings.IndexByte(l, "│"[0]) >= 0 && strings.ContainsAny(l, "╭│╰") { // a quick check: most lines have no such byte
			lines[i] = boxes().Replace(l)
		}
	}
	return lines
}

var boxes = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("╭▸", "-->", "│", "|", "├ ", "= ", "╰ ", "= ", "╰╴", "| ", "├╴", "| ", "⸬ ", "::: ", "━", "^", "┯", "^", "─", "-", "┬", "-", "┴", "-", "┼", "-", "‡", ".")
})

// finding turns a diagnostic into a finding. lints learns the names of lints from it.
func (d *rustcDiag) finding(lints *rustcLints) result.Finding {
	f := result.Finding{RawSeverity: d.level, Message: d.message, RawSpan: &result.Span{Start: d.start, End: d.end}}
	f.Severity, f.Kind = rustcSeverity(d.level)
	if d.level == "error" || d.level == "warning" {
		f.RawSeverity = ""
	}
	s := rustcSections{f: &f}
	d.lines = unboxed(d.lines)
	for _, l := range d.lines {
		s.line(l)
	}
	s.finish()
	if f.At == nil && strings.HasSuffix(f.Message, ":") && len(s.more) > 0 {
		f.Message += " " + strings.Join(strings.Fields(s.more[0]), " ")
	}
	if reason := unresolvedReason(d.lines); reason != "" && strings.HasPrefix(d.message, unresolved) {
		f.Message = strings.TrimSuffix(f.Message, ".") + ": " + reason
	}
	f.Rule = lints.rule(d, &f)
	f.Message += macroPanic(&f)
	explainLinker(&f)
	if f.At == nil && len(f.Related) == 0 {
		f.Detail = lex.JoinBounded(d.lines, maxRustcDetail)
	}
	if strings.Contains(f.Message, "internal compiler error") || strings.HasPrefix(f.Message, "the compiler unexpectedly panicked") {
		f.Tags = append(f.Tags, "crash")
	}
	return f
}

func rustcSeverity(level string) (result.Severity, result.FindingKind) {
	switch level {
	case "warning":
		return result.SevWarning, result.Diagnostic
	case "note", "help", "failure-note":
		return result.SevInfo, result.Diagnostic
	}
	return result.SevError, result.BuildError
}

// rustcSections reads the lines below a headline: first the frame of the
// diagnostic itself, then its notes, each with a frame of its own.
type rustcSections struct {
	f       *result.Finding
	frame   []string // frame of the diagnostic itself
	related int      // index+1 of the note whose frame is being read
	help    bool     // a "help:" is being read
	inNote  bool     // an indented "= note:" is being read
	atHead  bool     // the line before was the first of a note, or continued it
	row     int      // source line that the underlines below it belong to
	marks   []rustcMark
	path    string   // file that the source lines belong to
	more    []string // lines between the headline and the place: they continue the message
}

func (s *rustcSections) line(l string) {
	if at, ok := cutRustcArrow(l, "--> "); ok {
		s.arrow(at)
		return
	}
	if at, ok := cutRustcArrow(l, "::: "); ok {
		s.path = at.Path
		return
	}
	level, _, message, ok := cutRustcHeadline(l)
	if ok && (level == "note" || level == "help" || level == "warning" || level == "error") {
		s.note(level, message)
		return
	}
	if s.goesOn(l) || s.equals(l) {
		return
	}
	s.body(l)
}

func (s *rustcSections) arrow(at result.Location) {
	s.path, s.inNote = at.Path, false
	switch {
	case s.related > 0:
		if s.f.Related[s.related-1].At == nil {
			s.f.Related[s.related-1].At = &at
		}
	case s.f.At == nil && !s.help:
		s.f.At = &at
		s.f.Message = strings.Join(append([]string{s.f.Message}, s.more...), " ")
	}
}

func (s *rustcSections) note(level, message string) {
	s.inNote, s.row = false, 0
	s.help = level == "help"
	s.related = 0
	if s.help {
		s.suggest(message)
	}
	if len(s.f.Related) < maxRustcRelated {
		s.f.Related = append(s.f.Related, result.Related{Message: message})
		s.related = len(s.f.Related)
		s.atHead = true
	}
}

// goesOn takes a further line of a note, indented to where the note's message begins.
func (s *rustcSections) goesOn(l string) bool {
	said := strings.TrimLeft(l, " ")
	s.atHead = s.atHead && s.related > 0 && said != "" && len(l)-len(said) == len("help: ") && strings.IndexByte("|.:=-", said[0]) < 0
	if !s.atHead {
		return false
	}
	r := &s.f.Related[s.related-1]
	if n := len(s.f.Suggestions); n > 0 && s.f.Suggestions[n-1] == r.Message {
		s.f.Suggestions[n-1] += " " + said
	}
	r.Message += " " + said
	return true
}

func (s *rustcSections) suggest(message string) {
	if len(s.f.Suggestions) < result.MaxSuggestions && isRustcSuggestion(message) {
		s.f.Suggestions = append(s.f.Suggestions, message)
	}
}

// isRustcSuggestion says whether a help proposes a change. Others link to documentation, say how to silence the lint,
// or quote a macro's panic.
func isRustcSuggestion(message string) bool {
	return !strings.HasPrefix(message, "for further information visit ") && !strings.HasPrefix(message, "to override ") && !strings.HasPrefix(message, "message: ")
}

// equals reads "  = note: text" and the lines that continue it.
func (s *rustcSections) equals(l string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l, " "), "= ")
	if !ok || !strings.HasPrefix(l, " ") {
		if s.inNote && strings.HasPrefix(l, "      ") && !strings.Contains(l, " | ") {
			r := &s.f.Related[len(s.f.Related)-1]
			r.Message += " " + strings.TrimSpace(l)
			return true
		}
		return false
	}
	level, message, ok := strings.Cut(rest, ": ")
	if !ok || len(s.f.Related) >= maxRustcRelated {
		return ok
	}
	if url, ok := strings.CutPrefix(message, "for further information visit "); ok {
		s.f.RuleURL = url
		return true
	}
	if level == "help" {
		s.suggest(message)
	}
	s.f.Related = append(s.f.Related, result.Related{Message: message})
	s.inNote = true
	return true
}

// body takes a line of a frame.
func (s *rustcSections) body(l string) {
	if s.related == 0 && !s.help {
		s.frame = append(s.frame, l)
	}
	number, rest, ok := strings.Cut(l, "|")
	if !ok || strings.Trim(number, " 0123456789") != "" { // the margin has a line number, or blanks in its place
		if s.f.At == nil && s.related == 0 && strings.TrimSpace(l) != "" && len(s.more) < maxRustcRelated {
			s.more = append(s.more, strings.TrimSpace(l))
		}
		return
	}
	if n := strings.TrimSpace(number); n != "" {
		_, s.row, _ = place.CutLineNumber("x:" + n)
		s.marks = s.marks[:0]
		return
	}
	s.underline(rest)
}

func (s *rustcSections) finish() {
	if s.f.At != nil && len(s.frame) > 0 {
		s.f.Detail = lex.JoinBounded(trimRustcGutter(s.frame), maxRustcDetail)
	}
}

// trimRustcGutter drops empty lines of the frame ("  |") at both ends.
func trimRustcGutter(lines []string) []string {
	empty := func(l string) bool { return strings.Trim(l, " |") == "" }
	for len(lines) > 0 && empty(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && empty(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// macroPanic is the message of a procedural macro that panicked. The diagnostic's own message is the same for all of
// them.
func macroPanic(f *result.Finding) string {
	if !strings.HasSuffix(f.Message, " panicked") {
		return ""
	}
	for _, r := range f.Related {
		if said, ok := strings.CutPrefix(r.Message, "message: "); ok {
			return ": " + said
		}
	}
	return ""
}
