package rust

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// rustError is the error that a test or main returned, printed with Debug. Errors of the crates anyhow and eyre list
// their causes:
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
	stack  rustPanic // only its frames are used
	listed bool      // color-eyre's format, which numbers all errors from the first
	part   string    // the heading read last
}

func (e *rustError) add(s string) {
	if len(e.lines) < maxPanicLines && e.part != "Stack backtrace:" {
		e.lines = append(e.lines, s)
	}
	if e.colorEyre(s) || e.miette(s) {
		return
	}
	switch said := strings.TrimSpace(s); {
	case said == "Caused by:", said == "Location:", said == "Stack backtrace:":
		e.part, e.stack.stack = said, true
	case said == "":
	case e.part == "Caused by:" && len(e.causes) < maxRustcRelated && s[0] == ' ':
		e.causes = append(e.causes, cutCauseNumber(said))
	case e.part == "Location:" && e.at == nil:
		if at, ok := frame.Rust(said); ok {
			e.at = &at
		}
	case e.part == "Stack backtrace:":
		e.stack.frame(s)
	}
}

// colorEyre takes the list of errors below an empty "Error:", and the heading above the frames.
func (e *rustError) colorEyre(s string) bool {
	if heading, ok := cutHookHeading(s); ok {
		e.part = heading
		if strings.Contains(heading, "BACKTRACE") {
			e.part, e.stack.stack = "Stack backtrace:", true
		}
		return true
	}
	number, cause, ok := strings.Cut(strings.TrimLeft(s, " "), ": ")
	bare := len(e.lines) == 2 && strings.TrimSpace(e.lines[0]) == "Error:"
	if !ok || e.part != "" || !(bare || e.listed) || number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	if bare {
		e.lines, e.listed = []string{"Error: " + cause}, true
	} else if len(e.causes) < maxRustcRelated {
		e.causes = append(e.causes, cause)
	}
	return true
}

// miette takes the lines that the crate miette marks as messages:
//
//	Error: shop::price
//
//	  × the price is bad
//	  ╰─▶ it is negative
func (e *rustError) miette(s string) bool {
	for _, mark := range []string{"× ", "├─▶ ", "╰─▶ "} {
		cause, ok := strings.CutPrefix(strings.TrimLeft(s, " "), mark)
		if ok && strings.HasPrefix(s, "  ") && len(e.causes) < maxRustcRelated {
			e.causes = append(e.causes, cause)
			return true
		}
	}
	if first, ok := strings.CutPrefix(s, "Error:   × "); ok && len(e.lines) == 1 { // an error without a code
		e.lines[0] = "Error: " + first
		return true
	}
	return false
}

// beginsRustError says whether a line begins an error. The blank after an empty "Error: " may have been trimmed.
func beginsRustError(s string) bool { return strings.HasPrefix(s, "Error: ") || s == "Error:" }

// goesOn says whether a line still belongs to the error, whose end has no mark.
func (e *rustError) goesOn(s string) bool {
	if s == "" || isHookAside(s) {
		return true
	}
	_, isHeading := cutHookHeading(s)
	switch {
	case isHeading, s == "Caused by:", s == "Location:", s == "Stack backtrace:":
		return true
	case s[0] == ' ':
		return e.part != "" || e.listed || strings.TrimSpace(e.lines[0]) == "Error:" || strings.HasPrefix(s, "  × ")
	}
	return false
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
	fillSaid(f, e.lines)
	f.Detail = lex.JoinBounded(e.lines, maxRustcDetail)
	f.Frames = e.stack.ownFrames()
	if e.at != nil {
		f.At = e.at
	}
	if f.At == nil && len(f.Frames) > 0 {
		at := f.Frames[0]
		f.At = &at
	}
}

// maxRustError bounds a message with its causes, in bytes.
const maxRustError = 500
