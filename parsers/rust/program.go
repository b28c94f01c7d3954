package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read"
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

// addProgram reports why that program failed.
func (run *cargoRun) addProgram() {
	for _, f := range run.program.findings() {
		run.report.Add(f)
		run.ended = true
	}
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
