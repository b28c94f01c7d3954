package ruby

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rspecFailure reads what RSpec prints of an exception: the line that raised,
// the class, the message, the frames.
func rspecFailure(in *tool.Input, body []string) (f result.Finding) {
	var said []string
	var frames []result.Location
	nested := 0 // failures of an aggregate that were begun
	for i := 0; i < len(body); i++ {
		text := strings.TrimSpace(body[i])
		if text == "# --- Caused by: ---" {
			f.Related = append(f.Related, rspecCause(in, body[i+1:]))
			break
		}
		if spot, ok := strings.CutPrefix(text, "# "); ok {
			if at, ok := frame.Ruby(spot); ok {
				frames = append(frames, at)
			}
			continue
		}
		if number, rest, ok := strings.Cut(text, ") Failure/Error:"); ok && strings.Trim(number, "0123456789.") == "" {
			text = "Failure/Error:" + rest
			nested++
		}
		if source, ok := strings.CutPrefix(text, "Failure/Error:"); ok {
			if len(frames) == 0 && nested == 0 {
				said = said[:0]
			}
			if nested > 1 {
				said = append(said, "and:")
			}
			if source == "" { // the source takes several lines, and a blank one ends it
				for i+1 < len(body) && body[i+1] != "" {
					i++
				}
			}
			continue
		}
		if len(frames) == 0 || text == "" || nested > 1 {
			said = append(said, body[i])
		}
	}
	causes := f.Related
	f = rspecSaid(lex.TrimBlankLines(said))
	f.Related = causes
	f.Detail = strings.Join(body, "\n")
	if f.At = read.Own(in, frames); nested > 1 {
		f.Related = append(f.Related, rspecPlaces(in, body, f.At)...)
	}
	return f
}

// rspecPlaces are the places of the failures of an aggregate, each of which has frames of
// its own, without the one that is reported already:
//
//	2.2) Failure/Error: expect(book.title).to match(/foo/)
//	     # ./spec/book_spec.rb:27:in `block (2 levels)'
func rspecPlaces(in *tool.Input, body []string, told *result.Location) (others []result.Related) {
	var frames []result.Location
	end := func() {
		at := read.Own(in, frames)
		if frames = nil; at != nil && (told == nil || at.Path != told.Path || at.Line != told.Line) {
			others = append(others, result.Related{Message: "also failed", At: at})
		}
	}
	for _, line := range body {
		text := strings.TrimSpace(line)
		if isAggregated(text) || strings.HasPrefix(text, "Failure/Error:") {
			end()
		}
		if at, ok := frame.Ruby(strings.TrimPrefix(text, "# ")); ok {
			frames = append(frames, at)
		}
	}
	end()
	return others
}

// aggregated writes the message of several failures as the text formatter does.
func aggregated(said []string) (lines []string) {
	for i, line := range said {
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
		if count, _, ok := strings.Cut(text, " failures"); ok && i == 0 {
			line = count + " failures:"
		}
		lines = append(lines, line)
	}
	return lines
}

// isAggregated: the line begins one of the failures of an aggregate, as text and as the
// exception's message tell it.
func isAggregated(text string) bool {
	number, rest, ok := strings.Cut(text, ") ")
	return ok && number != "" && strings.Trim(number, "0123456789.") == "" && rest != ""
}

// rspecCause reads the exception that led to a failure:
//
//	# --- Caused by: ---
//	# KeyError:
//	#   key not found: :a
//	#   ./spec/cart_spec.rb:6:in `fetch'
func rspecCause(in *tool.Input, body []string) result.Related {
	cause := result.Related{Message: result.CausedBy}
	for n, line := range body {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
		at, framed := frame.Ruby(text)
		switch {
		case text == "" || strings.HasPrefix(text, "---") || n > 12:
			return cause
		case framed && cause.At == nil:
			cause.At = read.Own(in, []result.Location{at})
		case !framed && n == 0:
			cause.Message += strings.TrimSuffix(text, ":")
		case !framed && n == 1:
			cause.Message += ": " + text
		}
	}
	return cause
}

// trimmed is the lines without the blank ones at either end.
func trimmed(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	return lex.TrimBlankLines(lines)
}

// rspecSaid makes a finding of an exception's class and message.
func rspecSaid(said []string) (f result.Finding) {
	said = trimmed(read.Dedent(said))
	if len(said) > 1 && isClass(strings.TrimSuffix(said[0], ":")) && strings.HasSuffix(said[0], ":") {
		f.Rule = strings.TrimSuffix(said[0], ":")
		said = trimmed(said[1:])
	}
	var words []string
	aggregate := false // of several failures, of which each is reported
	for i, line := range said {
		text := strings.TrimSpace(line)
		if aggregate = aggregate || strings.HasPrefix(text, "Got ") && strings.HasSuffix(text, " failures:"); aggregate && text != "Diff:" {
			if text != "" && len(words) < 12 && !strings.HasPrefix(text, "(compared using ") {
				words = append(words, text)
			}
			continue
		}
		if text == "" || text == "Diff:" || strings.HasPrefix(text, "(compared using ") {
			if i > 0 && (text != "" || len(words) > 0) {
				break
			}
			continue
		}
		switch {
		case strings.HasPrefix(text, "expected: ") && f.Expected == "":
			f.Expected = strings.TrimPrefix(text, "expected: ")
		case strings.HasPrefix(text, "got: ") && f.Actual == "":
			f.Actual = strings.TrimPrefix(text, "got: ")
		}
		if len(words) < 4 {
			words = append(words, text)
		}
	}
	f.Message = strings.Join(words, " ")
	if f.Rule != "" {
		f.Message = f.Rule + ": " + f.Message
	}
	return f
}

// rspecOutside is an error outside of examples, as "An error occurred while
// loading ./spec/x_spec.rb." begins it.
func rspecOutside(in *tool.Input, title string, body []string) result.Finding {
	f := rspecFailure(in, body)
	f.Kind, f.Severity = result.TestFailure, result.SevError
	if path, ok := strings.CutPrefix(title, "An error occurred while loading "); ok {
		path, _, _ = strings.Cut(path, " - Did you mean")
		f.ID = strings.TrimSuffix(path, ".")
		if f.At == nil {
			f.At = &result.Location{Path: f.ID}
		}
		if at, rest, ok := cutSyntaxPlace(f.Message); ok {
			f.At, f.Message = at, f.Rule+": "+rest
		}
	} else {
		f.Message = strings.TrimSuffix(title, ".") + ": " + f.Message
	}
	return f
}

// cutSyntaxPlace reads "SyntaxError: /home/me/spec/syn_spec.rb:3: syntax error, …".
func cutSyntaxPlace(message string) (at *result.Location, rest string, ok bool) {
	after, ok := strings.CutPrefix(message, "SyntaxError: ")
	where, rest, found := place.CutPlace(after)
	return &where, rest, ok && found
}

func rspecCame(status string) read.Outcome {
	switch status {
	case "passed":
		return tool.Passed
	case "pending":
		return tool.Skipped
	}
	return tool.Failed
}

// rspecExample is an example of the json formatter.
func rspecExample(s *read.Sink, v *struct {
	FullDescription string `json:"full_description"`
	Status          string
	FilePath        string  `json:"file_path"`
	LineNumber      int     `json:"line_number"`
	RunTime         float64 `json:"run_time"`
	Exception       struct {
		Class, Message string
		Backtrace      []string
	}
}) {
	s.Ran(tool.Test{ID: v.FullDescription, Outcome: rspecCame(v.Status), DurationMS: lex.OfSeconds(v.RunTime), At: v.FilePath + ":" + strconv.Itoa(v.LineNumber)})
	if v.Status != "failed" {
		return
	}
	said := read.TextLines(v.Exception.Message)
	var places []result.Related
	if strings.HasSuffix(v.Exception.Class, "MultipleExpectationsNotMetError") {
		places = rspecPlaces(s.In, said, nil)
		said = aggregated(said)
	}
	if !strings.HasPrefix(v.Exception.Class, "RSpec::") {
		said = append([]string{v.Exception.Class + ":"}, said...)
	}
	f := rspecSaid(said)
	f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, v.FullDescription
	var frames []result.Location
	for _, line := range v.Exception.Backtrace {
		if at, ok := frame.Ruby(line); ok {
			frames = append(frames, at)
		}
	}
	f.At = read.Own(s.In, frames)
	if len(places) > 0 {
		f.At, f.Related = places[0].At, places[1:]
	} else if f.At == nil {
		f.At = &result.Location{Path: v.FilePath, Line: v.LineNumber}
	}
	f.Detail = strings.Join(said, "\n")
	s.FindHere(f)
}

func rspecSummary(s *read.Sink, v *struct {
	Examples int `json:"example_count"`
	Failures int `json:"failure_count"`
	Pending  int `json:"pending_count"`
	Outside  int `json:"errors_outside_of_examples_count"`
}) {
	rspecCounts(s, v.Examples, v.Failures, v.Pending, v.Outside)
}

// rspecMessage is a text of the json formatter: an error outside of examples.
func rspecMessage(s *read.Sink, v *string) {
	lines := read.TextLines(*v)
	if len(lines) > 0 && strings.HasPrefix(lines[0], "An error occurred ") {
		s.FindHere(rspecOutside(s.In, lines[0], lines[1:]))
	}
}
