package ruby

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rspecFailure reads the text of an exception: the source line that raised it, the class, the message, the frames.
func rspecFailure(in *tool.Input, body []string) (f result.Finding) {
	var said []string
	var frames []result.Location
	nested := 0 // the number of an aggregate's failures read so far
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
			if source == "" { // the source takes several lines, up to a blank one
				for i+1 < len(body) && body[i+1] != "" {
					i++
				}
			}
			continue
		}
		if len(frames) == 0 || text == "" || nested > 0 {
			said = append(said, body[i])
		}
	}
	causes := f.Related
	f = rspecSaid(lex.TrimBlankLines(said))
	f.Related = causes
	f.Detail = strings.Join(body, "\n")
	if nested > 1 {
		placeAggregate(in, &f, body)
	} else {
		read.Locate(in, &f, frames)
	}
	return f
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

// trimmed returns the lines without blank lines at either end.
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
	aggregate := false // the message lists several failures
	for i, line := range said {
		text := strings.TrimSpace(line)
		if head, ok := aggregateHead(text); ok && i == 0 {
			aggregate, text = true, head
		}
		if aggregate && text != "Diff:" {
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
		lex.Keep(&words, 4, text)
	}
	f.Message = strings.Join(words, " ")
	if f.Rule != "" {
		f.Message = f.Rule + ": " + f.Message
	}
	return f
}

// rspecOutside returns the finding of an error outside of examples. title is its first line, "An error occurred while
// loading ./spec/x_spec.rb."
func rspecOutside(in *tool.Input, title string, body []string) result.Finding {
	f := rspecFailure(in, body)
	f.Kind, f.Severity = result.TestFailure, result.SevError
	if path, ok := strings.CutPrefix(title, "An error occurred while loading "); ok {
		path, _, _ = strings.Cut(path, " - Did you mean")
		f.ID = strings.TrimSuffix(path, ".")
		f.At = cmp.Or(f.At, &result.Location{Path: f.ID})
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

// rspecExample reads an example of the json formatter.
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
	s.Ran(tool.Test{ID: v.FullDescription, Outcome: cmp.Or(read.Outcome(lex.Means(v.Status, "passed: passed; skipped: pending")), tool.Failed), DurationMS: lex.OfSeconds(v.RunTime), At: v.FilePath + ":" + strconv.Itoa(v.LineNumber)})
	if v.Status != "failed" {
		return
	}
	said := read.TextLines(v.Exception.Message)
	message, several := said, strings.HasSuffix(v.Exception.Class, "MultipleExpectationsNotMetError")
	if several {
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
	if several {
		placeAggregate(s.In, &f, message)
	} else {
		read.Locate(s.In, &f, frames)
	}
	f.At = cmp.Or(f.At, &result.Location{Path: v.FilePath, Line: v.LineNumber})
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

// rspecMessage reads a message of the json formatter, which may be an error outside of examples.
func rspecMessage(s *read.Sink, v *string) {
	lines := read.TextLines(*v)
	if len(lines) > 0 && strings.HasPrefix(lines[0], "An error occurred ") {
		s.FindHere(rspecOutside(s.In, lines[0], lines[1:]))
	}
}
