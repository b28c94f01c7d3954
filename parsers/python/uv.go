package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// uv reads uv's own messages. The program that "uv run" starts has its own reader.
var _ = Room.Add("uv | uvx", func(p *tool.Parser) {
	p.Is("uv", result.Package, 1, "uv 0.1 to 0.11: add, sync, lock, pip, build, run, tool")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"error: Failed to spawn: ", "error: No solution found when resolving ", "And because …are unsatisfiable."}, Parse: read.Text{Line: uvLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: uvLine}.Parse})
})

// uvLine reads an error and its causes, one chain:
//
//	error: Failed to add dependencies
//	  cause: No solution found when resolving dependencies
//	  cause: Because there is no version of click==99 …
//
// Before 0.9, causes follow "×" and begin with "╰─▶" or "Caused by:". A compiler's output is
// below the error of a failed build, but "uv build" prints it above the error.
func uvLine(s *read.Sink, l tool.Line) bool {
	why, ok := lex.CutAnyPrefix(l.Text, "error: ", "  × ")
	built := s.Last() != nil && s.Last().Kind == result.BuildError
	if f, told := compilerError(strings.TrimSpace(l.Text)); told {
		return s.Find(l, f)
	}
	switch {
	case ok && built && strings.HasPrefix(why, "Command '"):
		return s.More(l) // the compiler's command line
	case ok:
		s.Find(l, result.Finding{Message: why})
		s.Meaning = uvMeaning(why)
	case s.Last() == nil && strings.HasSuffix(l.Text, " are unsatisfiable."): // "| tail" left the end of the reason
		return s.Find(l, result.Finding{Message: strings.TrimSpace(l.Text)})
	case s.Last() == nil:
		return isUvProgress(l, s)
	case built:
		return s.More(l)
	default: // a cause, or a hint
		text := strings.TrimSpace(l.Text)
		if trace.IsThrown(text) && strings.Contains(text, ": ") && strings.HasPrefix(l.Text, "   ") {
			s.Last().Message += ": " + text // the exception that ended a build backend
		}
		uvToml(s.Last(), text)
		if cause, has := lex.CutAnyPrefix(text, "cause: ", "Caused by: ", "╰─▶ ", "├─▶ "); has {
			uvCause(s.Last(), cause)
		} else if strings.HasPrefix(text, "And because ") {
			s.Last().Message += " " + text // the same cause goes on
		}
		s.More(l)
	}
	return true
}

// uvToml adds the reason why a configuration cannot be read, and its place. The source is between the two:
//
//	error: Failed to parse: pyproject.toml
//	  cause: TOML parse error at line 1, column 9
//	         1 | [project
//	         unclosed table, expected `]`
func uvToml(f *result.Finding, text string) {
	before, where, ok := strings.Cut(f.Message, "TOML parse error at line ")
	number, _, source := strings.Cut(text, "|")
	if !ok || strings.Contains(where, ": ") || text == "" || source && strings.Trim(number, "0123456789 ") == "" || strings.Contains(text, "TOML parse error") {
		return
	}
	f.Message += ": " + text
	line, column, _ := strings.Cut(where, ", column ")
	if path, named := strings.CutPrefix(before, "Failed to parse: "); named && f.At == nil {
		f.At = &result.Location{Path: strings.Trim(path, "`: "), Line: lex.Atoi(line), Column: lex.Atoi(column)}
	}
}

// uvCause adds a cause to the message. A long chain keeps its first causes and the last, which is
// the reason; each of the others only names a layer between.
func uvCause(f *result.Finding, cause string) {
	const kept, joint = 3, ": "
	message := strings.TrimSuffix(f.Message, ":")
	if f.Detail != "" && strings.Count(f.Detail, "\n") >= kept && strings.Contains(message, joint) {
		message = message[:strings.LastIndex(message, joint)] // replaces the previous cause
	}
	f.Message = message + joint + cause
}

// uvMeaning returns the meaning of an error for the run, whatever the exit code; "" if the exit code decides.
func uvMeaning(why string) result.Meaning {
	switch {
	case strings.HasPrefix(why, "Failed to spawn: "):
		return result.MeansNotFound
	case strings.HasPrefix(why, "Failed to build "): // "uv build" exits with 2
		return result.MeansFindings
	case lex.HasAnyPrefix(why, "No `pyproject.toml` found", "Failed to parse: ", "unrecognized subcommand", "unexpected argument"):
		return result.MeansUsage
	}
	return ""
}

// isUvProgress reports whether a line tells progress: "Resolved 3 packages in 859ms", " + click==8.1.7".
func isUvProgress(l tool.Line, s *read.Sink) bool {
	word, rest, _ := strings.Cut(strings.TrimSpace(l.Text), " ")
	switch word {
	case "Resolved", "Installed", "Prepared", "Audited", "Uninstalled":
		if strings.Contains(rest, " package") {
			return s.Sign(l)
		}
	case "Using", "Creating", "Building", "Built", "+", "-", "~":
		return l.Stream == tool.Stderr
	}
	return false
}
