package rust

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// A dying program written in Rust prints a panic of one of its threads, the error that main returned, or a last message
// of the runtime. In output of cargo run, these are findings of that tool; elsewhere they are those of the tool "rust",
// since the program has no parser of its own.
var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("rust", result.Generic, 1, "programs written in Rust, 1.30 to 1.95: panics")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "panic", Starts: []string{"thread 'main' …panicked at ", "thread 'main' …has overflowed its stack"}, Sniff: isRustPanic, Parse: parseProgram})
})

// isRustPanic says whether the main thread panicked, which every program has. Panics of other threads are those of
// tests or of the compiler.
func isRustPanic(line string) bool { return strings.HasPrefix(line, "thread 'main' ") }

// parseProgram returns nil if tests were run: then the panic is why one of them failed.
func parseProgram(in *tool.Input) *tool.Report {
	var said rustLoose
	tests := false
	return read.Text{
		Line: func(_ *read.Sink, l tool.Line) bool {
			_, begins := readLibtestStart(l.Text)
			tests = tests || begins || strings.HasPrefix(l.Text, "error: test failed")
			return said.took(l)
		},
		End: func(s *read.Sink) {
			if tests {
				return
			}
			for _, f := range said.findings() {
				s.Add(f)
			}
		},
	}.Parse(in)
}

// took says whether the line belongs to the message of a dying program.
func (r *rustLoose) took(l tool.Line) bool {
	dead, fatal := r.dead, r.fatal
	r.line(l)
	return r.open != nil || r.failed != nil || r.dead != dead || r.fatal != fatal || len(r.panics) > 0 && r.panics[len(r.panics)-1].end == l.End
}

// findings are the reasons why a program without tests died: one finding per panic.
func (r *rustLoose) findings() (all []result.Finding) {
	for _, p := range r.everyPanic() {
		f := result.Finding{Kind: result.Panic, Severity: result.SevError, RawSpan: &result.Span{Start: p.start, End: p.end}}
		p.fill(&f)
		all = append(all, f)
	}
	for i := range r.errors {
		if e := &r.errors[i]; e.hook == nil {
			f := e.finding("")
			f.Kind, f.Severity = result.GenericFinding, result.SevError
			all = append(all, f)
		}
	}
	if r.dead != "" {
		span := r.span
		all = append(all, result.Finding{Kind: result.Panic, Severity: result.SevError, Message: r.dead, RawSpan: &span})
	}
	return all
}

// ran takes output of the program that cargo run started.
func (s *cargoStream) ran(l tool.Line) bool {
	return s.run.runs && (l.Stream == tool.Stderr || strings.Contains(s.run.in.Shell+strings.Join(s.run.in.Argv, " "), "2>&1")) && s.run.program.took(l)
}

// isCargoRun says whether the command is cargo run, or a list with it.
func isCargoRun(in *tool.Input) bool {
	c := in.Command()
	return runsProgram(c.Argv) || slices.ContainsFunc(c.Listed, func(c tool.Command) bool { return runsProgram(c.Argv) })
}

func runsProgram(argv []string) bool {
	c := cargoCommand(argv)
	return c == "run" || c == "r"
}

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
	f.At = cmp.Or(e.at, f.At)
	if f.At == nil && len(f.Frames) > 0 {
		at := f.Frames[0]
		f.At = &at
	}
}

// maxRustError bounds a message with its causes, in bytes.
const maxRustError = 500
