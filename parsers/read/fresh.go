package read

import "cairn/parsers/tool"

// Fresh returns a Parse function that reads each output with a new T, which holds the state between lines:
//
//	{Name: "text", Parse: read.Fresh(func(b *bats) read.Text { return read.Text{Line: b.line, End: b.end, Closes: true} })}
func Fresh[T any](text func(t *T) Text) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report { return text(new(T)).Parse(in) }
}

// Lines is Fresh for a T with a single method, which takes the lines.
func Lines[T any](line func(t *T, s *Sink, l tool.Line) bool) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		t := new(T)
		return Text{Line: func(s *Sink, l tool.Line) bool { return line(t, s, l) }}.Parse(in)
	}
}
