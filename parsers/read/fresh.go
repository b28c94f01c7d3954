package read

import "cairn/parsers/tool"

// Fresh reads each output with a T of its own, which keeps what the lines before said:
//
//	{Name: "text", Parse: read.Fresh(func(b *bats) read.Text { return read.Text{Line: b.line, End: b.end, Closes: true} })}
func Fresh[T any](text func(t *T) Text) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report { return text(new(T)).Parse(in) }
}

// Lines is Fresh where T has a method that takes the lines, and no other is needed.
func Lines[T any](line func(t *T, s *Sink, l tool.Line) bool) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		t := new(T)
		return Text{Line: func(s *Sink, l tool.Line) bool { return line(t, s, l) }}.Parse(in)
	}
}
