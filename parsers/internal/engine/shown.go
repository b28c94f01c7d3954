package engine

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/result"
)

// This file is about command lines that only show what a file or a history holds: nothing of it happened in this run.

// ownTrouble keeps what programs that show documents say themselves: "cat: a.go: No such file or directory".
func (s *Session) ownTrouble(parts []*claim) []*claim {
	parts = slices.DeleteFunc(parts, func(m *claim) bool { return !slices.Contains(s.named, m.parser) })
	if len(parts) == 0 {
		parts = s.withDiagnostics(nil)
	}
	return slices.DeleteFunc(parts, func(m *claim) bool {
		if m.shape {
			m.report.Findings = slices.DeleteFunc(m.report.Findings, func(f result.Finding) bool {
				who, _, _ := strings.Cut(f.Message, ": ")
				return !s.command.Runs(who)
			})
		}
		return len(m.report.Findings) == 0
	})
}

// onlyShown takes back the verdict of tools whose output stands in a file, a difference or a history that the line does no
// more than show: nothing ran. What the programs that show it say themselves counts.
func (s *Session) onlyShown(r *result.ToolResult, parts []*claim, exit result.Exit) bool {
	named := s.table.allNamed(s.command)
	own := func(m *claim) bool {
		return (m.parser.Family == "shell" || slices.Contains(named, m.parser)) && s.command.Unheard(m.parser.Matches)
	}
	if failing(exit) || len(parts) == 0 || !s.command.OnlyShows() || slices.ContainsFunc(parts, own) {
		return false
	}
	for i := range r.Findings {
		r.Findings[i].Source = cmp.Or(r.Findings[i].Source, parts[0].parser.Tool)
	}
	result.SetExtra(&r.Extra, "shown", parts[0].parser.Tool)
	if r.Status != result.Unknown {
		r.Status, r.StatusSource = result.OK, result.FromExit
	}
	r.Tool, r.ToolFamily, r.ToolVersion, r.Kind = s.command.Program(), "", "", result.Generic
	return true
}

// addBeside shows what other commands of the line printed before the first and behind the last line of the parts: of "go test ./... && git
// log -3" the commits were asked for as well.
func (s *Session) addBeside(r *result.ToolResult, parts []*claim) {
	var told []result.Span
	for _, m := range parts { // those of files cover nothing
		told = append(told, m.report.Covered...)
	}
	before, behind := s.asksBeside(parts)
	if told = disjoint(told); len(told) > 0 && (before || behind || s.command.Runs("echo")) {
		s.addAsked(r, parts, maxBody, func(l *term.RawLine) bool {
			return before && l.End <= told[0].Start || behind && l.Start >= told[len(told)-1].End || s.command.Echoed(string(l.Text))
		})
	}
}

// addAsked shows lines beside the parts that were asked for: all of them, if they have at most room bytes. Those that are more are only
// shown reduced where no failure matters more, which is where the room is that of a whole body.
func (s *Session) addAsked(r *result.ToolResult, parts []*claim, room int, asked func(l *term.RawLine) bool) {
	rest, eye, said, behind := newReducer(), scan.NewScanner(), false, false
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		eye.Look(&l)
		blank, told := isBlank(l.Text), coveredBy(parts, l)
		switch {
		case told && len(r.Findings) > 0:
			rest.tell()
		case told, !asked(&l), behind && blank, coveredBy(s.muted, l), isChatter(l.Text):
			rest.skip()
		default:
			rest.see(&l)
			said, behind = said || !blank, false
		}
		behind = behind || told
		return true
	})
	if text, whole := rest.asked(room); whole {
		r.Body = text
	} else if said && room == maxBody {
		r.Body, r.Truncated.BodyBytesOmitted = rest.body(false)
	}
}

// maxPrinted bounds what is shown of the text that failed tests printed, in bytes.
const maxPrinted = 1 << 10

// addPrinted shows what failed tests printed, if it is little: who looks for the reason of a failure has tests print it.
func (s *Session) addPrinted(r *result.ToolResult, parts []*claim) {
	var text string
	for _, f := range r.Findings {
		if f.Printed != "" {
			text += "-- printed by " + cmp.Or(f.Name, f.ID) + ":\n" + f.Printed + "\n"
		}
	}
	if text == "" && r.Body == "" && len(r.Findings) > 0 {
		s.addBetween(r, parts)
	} else if len(text) <= maxPrinted {
		r.Body = strings.Trim(text+r.Body, "\n")
	}
}

// addBetween shows what tests printed between the lines of their runner. Lines above those may be of another program, which started
// the runner; npm ends them with a line that shows the script.
func (s *Session) addBetween(r *result.ToolResult, parts []*claim) {
	tests := slices.DeleteFunc(slices.Clone(parts), func(m *claim) bool { return m.format == nil || m.format.Prints == nil || m.span != nil })
	if len(tests) != 1 {
		return
	}
	begun, after := s.direct() != nil, false
	s.addAsked(r, parts, maxPrinted, func(l *term.RawLine) bool {
		script := strings.HasPrefix(string(l.Text), "> ")
		begun = begun || script || coveredBy(tests, *l)
		if isBlank(l.Text) {
			after = false
			return begun
		}
		after = begun && !script && tests[0].format.Prints(l.Lent(), after)
		return after
	})
}

// asksProgram reports whether the line runs a program of the project, and the parts are of its crash or its compiler: what it printed
// is what it was run for, and what a person who looks for the reason printed there.
func (s *Session) asksProgram(parts []*claim) bool {
	runs := func(l shell.Command) bool {
		p := s.table.Named(l.Argv)
		return p != nil && p.Interprets != nil && p.Interprets(l.Argv) || l.RunsProgram() && (p == nil || p.Runner || p.Kind == result.Generic)
	}
	others := func(m *claim) bool { return m.parser.Kind != result.Generic && m.parser.Kind != result.Build }
	return (runs(s.command) || slices.ContainsFunc(s.command.Listed, runs)) && !slices.ContainsFunc(parts, others)
}

// asksBeside reports whether the line has commands before and behind those that printed the parts, and they are there to print something
// else: files, a history, or what an unknown program does.
func (s *Session) asksBeside(parts []*claim) (before, behind bool) {
	tells := func(l shell.Command) bool {
		return !l.Displays() && len(l.Argv) > 0 && slices.ContainsFunc(parts, func(m *claim) bool { return m.parser.Matches != nil && m.parser.Matches(l.Argv) })
	}
	starts := func(l shell.Command) bool { return shell.RunsOthers(l.Program()) } // where the line names no tool, one of these ran it
	named, started, seen, fed := slices.ContainsFunc(s.command.Listed, tells), slices.ContainsFunc(s.command.Listed, starts), false, false
	for _, l := range s.command.Listed {
		p := s.table.Named(l.Argv)
		own := l.Displays() || (named || started) && l.Prints() && (p == nil || p.Kind == result.Generic || p.Kind == result.VCS)
		tells := tells(l) || !named && !l.Displays() && l.Prints() && (!started || starts(l))
		asks := own && !tells && !fed
		before, behind, seen = before || asks && !seen, behind || asks && seen, seen || tells
		fed = l.Feeds
	}
	return before && seen, behind
}
