package parsers

import (
	"strings"

	"cairn/result"
)

// rustError is what main prints of a test that returned Err: the value as its
// Debug shows it. Those of the crates anyhow and eyre list their causes:
//
//	Error: starting
//
//	Caused by:
//	    0: reading config
//	    1: No such file or directory (os error 2)
//
// perhaps with "Location:" and a place on the next line, or, where
// RUST_BACKTRACE is set, with "Stack backtrace:" and its frames.
type rustError struct {
	lines  []string
	causes []string
	at     *result.Location
	stack  rustPanic // for its frames only
	part   string    // the heading that was read last
}

func (e *rustError) add(s string) {
	if len(e.lines) < maxPanicLines && e.part != "Stack backtrace:" {
		e.lines = append(e.lines, s)
	}
	switch said := strings.TrimSpace(s); {
	case said == "Caused by:", said == "Location:", said == "Stack backtrace:":
		e.part, e.stack.stack = said, true
	case said == "":
	case e.part == "Caused by:" && len(e.causes) < maxRustcRelated && s[0] == ' ':
		e.causes = append(e.causes, cutCauseNumber(said))
	case e.part == "Location:" && e.at == nil:
		if path, line, column, ok := cutRustcPosition(said); ok {
			e.at = &result.Location{Path: path, Line: line, Column: column}
		}
	case e.part == "Stack backtrace:":
		e.stack.frame(s)
	}
}

// cutCauseNumber drops the "0: " before one of several causes.
func cutCauseNumber(s string) string {
	if number, cause, ok := strings.Cut(s, ": "); ok && strings.Trim(number, "0123456789") == "" {
		return cause
	}
	return s
}

func (e *rustError) fill(f *result.Finding) {
	f.Message = panicHeadline(e.lines)
	for _, cause := range e.causes {
		if len(f.Message)+len(cause) < maxRustError {
			f.Message += ": " + cause
		}
	}
	f.Detail = joinBounded(e.lines, maxRustcDetail)
	f.Frames = e.stack.ownFrames()
	if f.At = e.at; f.At == nil && len(f.Frames) > 0 {
		at := f.Frames[0]
		f.At = &at
	}
}

// maxRustError is how long a message may become with its causes.
const maxRustError = 500
