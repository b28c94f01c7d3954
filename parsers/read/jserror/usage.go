package jserror

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// firstLines is how many lines of each stream may hold an error about the program's arguments.
const firstLines = 3

// Usage returns a reader for errors about a program's own flags and configuration, on stderr and in its first
// lines. Such lines begin with one of starts, which is removed if it ends with a blank.
func Usage(starts ...string) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		lines, from := map[tool.Stream]int{}, tool.Stdout
		rep := read.Text{Line: func(s *read.Sink, l tool.Line) bool {
			if strings.TrimSpace(l.Text) != "" {
				lines[l.Stream]++
			}
			if f := s.Last(); f != nil && l.Stream != from {
				return false
			} else if f != nil {
				if cause, ok := strings.CutPrefix(strings.TrimSpace(l.Text), "[cause]: "); ok && len(f.Related) == 0 {
					f.Related = []result.Related{{Message: result.CausedBy + cause}}
				} else {
					More(f, l.Text)
				}
				if at, ok := Frame(strings.TrimSpace(l.Text)); ok && f.At == nil && !at.External {
					f.At = &at
				}
				return s.More(l)
			}
			for _, start := range starts {
				if rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " "), start); ok && len(s.Findings) == 0 && lines[l.Stream] <= firstLines {
					if !strings.HasSuffix(start, " ") {
						rest = strings.TrimLeft(l.Text, " ")
					}
					class, message := CutClass(rest)
					from = l.Stream
					return s.Find(l, result.Finding{Rule: class, Message: strings.TrimSpace(message)})
				}
			}
			return false
		}}.Parse(in)
		if rep != nil {
			rep.Meaning = result.MeansUsage
		}
		return rep
	}
}

// Yargs reads what programs built on yargs print below the list of their options: "Unknown argument: nope".
func Yargs(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if lex.HasAnyPrefix(l.Text, "Unknown argument", "Not enough non-option arguments", "Missing required argument", "Invalid values:", "Not enough arguments following", "Arguments ") {
			return s.Misuse(l, l.Text)
		}
		return l.Stream == tool.Stderr // the list of options; stdout may be another program's
	}}.Parse(in)
}
