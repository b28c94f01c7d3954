package read

import (
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Numbered reads the failures that a test runner lists after its run, each with a number:
//
//	Failures:
//
//	  1) Shelf adds
//	     expected 4, got 3
//	     # ./spec/shelf_spec.rb:4
type Numbered struct {
	Indent string                          // the blanks before a number of one digit
	Take   func(s *Sink, b *Block)         // takes a failure, when it is complete
	Ends   func(text string) bool          // recognises a line outside of failures: the heading of another list, a closing line
	Other  func(s *Sink, l tool.Line) bool // takes other lines outside of failures; may be nil
	Head   func(title string) bool         // checks the text behind a number; nil: any text
	Closes bool                            // see Text
	End    func(s *Sink)                   // may be nil
}

// Parse reads an input.
func (n Numbered) Parse(in *tool.Input) *tool.Report {
	return Blocks{
		Head: func(text string) (string, bool) {
			_, title, ok := n.head(text)
			return title, ok
		},
		Take: func(s *Sink, b *Block) {
			b.Number, _, _ = n.head(b.Head.Text)
			n.Take(s, b)
		},
		Ends: n.Ends, Other: n.Other, Closes: n.Closes, End: n.End,
	}.Parse(in)
}

// head reads "  12) title", or " 12) title" if numbers are aligned on the right.
func (n Numbered) head(text string) (number int, title string, ok bool) {
	blanks := lex.LeadingBlanks(text)
	digits, title, found := strings.Cut(text[blanks:], ") ")
	aligned := blanks == len(n.Indent) || blanks == max(0, len(n.Indent)+1-len(digits))
	if !aligned || !found || len(digits) > 6 || !lex.IsDigits(digits) {
		return 0, "", false
	}
	number = lex.Atoi(digits)
	if n.Head != nil && !n.Head(title) {
		return 0, "", false
	}
	return number, strings.TrimRight(title, " "), true
}

// Own is the first of the frames, innermost first, that lies in the workspace; nil if all are in libraries.
func Own(in *tool.Input, frames []result.Location) *result.Location {
	for i := range frames {
		_, external := in.Workspace.Path(frames[i].Path)
		if !external && !strings.HasPrefix(frames[i].Path, "<") { // "<internal:kernel>", "<eval>"
			return &frames[i]
		}
	}
	return nil
}

// Locate gives a failure a place: Own of the frames or, without one, a frame in a project elsewhere. It also notes
// the outermost frame in the workspace: the line of the test that called what failed.
func Locate(in *tool.Input, f *result.Finding, frames []result.Location) {
	at := Own(in, frames)
	if at == nil {
		if i := slices.IndexFunc(frames, func(at result.Location) bool { return place.Elsewhere(in.Workspace, at.Path) }); i >= 0 && f.At == nil {
			f.At = &frames[i]
		}
		return
	}
	f.At = at
	for i := len(frames) - 1; &frames[i] != at; i-- {
		own := Own(in, frames[i:i+1]) != nil && frames[i].Function != "<main>"
		if own && (frames[i].Path != at.Path || frames[i].Line != at.Line) {
			f.Frames = append(f.Frames, frames[i])
			return
		}
	}
}

// Dedent removes the blanks that all lines begin with.
func Dedent(lines []string) []string {
	margin := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n := lex.LeadingBlanks(line); margin < 0 || n < margin {
			margin = n
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line[min(max(margin, 0), len(line)):]
	}
	return out
}
