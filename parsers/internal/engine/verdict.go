package engine

import (
	"maps"
	"slices"

	"cairn/parsers/tool"
	"cairn/result"
)

// failing reports whether the exit is anything but an observed exit code 0.
func failing(e result.Exit) bool { return !e.Observed || e.Code != 0 || e.Signal != "" || e.TimedOut }

func saysNo(f result.Finding) bool {
	return f.Severity == result.SevFailure || f.Severity == result.SevError
}

// tested: tests ran to their end. Counts that are all 0 tell that none did.
func tested(r *tool.Report) bool {
	return r.Tested && r.Complete && !r.NoTests && (len(r.Counts) == 0 || slices.Max(slices.Collect(maps.Values(r.Counts))) > 0)
}

// confidence applies the rules in the comment of package parsers, "How a result is believed".
func (s *Session) confidence(m *claim, exit result.Exit) result.Confidence {
	rep := m.report
	switch {
	case s.faults.any(): // it is unknown what the broken parser would have found
		return result.Heuristic
	case m.shape, rep.Doubt != "", !rep.Complete, s.in.Truncated, rep.Dropped > 0, shortfall(rep) != "":
		return result.Heuristic
	case failing(exit) && len(rep.Findings) == 0:
		return result.Heuristic
	case failing(exit) && rep.Failures() == 0 && (m.parser.Kind == result.Test || s.direct() == nil):
		return result.Heuristic // warnings do not explain another program's exit
	}
	return result.Parsed
}

// meaning looks the exit code up in the tool's own table, unless the text of the output states a meaning.
func (s *Session) meaning(m *claim, exit result.Exit) result.Meaning {
	if !exit.Observed || exit.Code == 0 {
		return ""
	}
	if m != nil && m.report.Meaning != "" {
		return m.report.Meaning
	}
	if p := s.direct(); p != nil && (m == nil || m.parser.Tool == p.Tool) {
		if known, ok := p.Exits[exit.Code]; ok {
			return known
		}
	}
	if known := s.shellMeaning(exit); known != "" {
		return known
	}
	if m != nil && len(m.report.Findings) > 0 {
		return result.MeansFindings
	}
	return ""
}

// shellMeaning gives the meaning of exit codes that shells return for any command (POSIX.1-2024, Shell Command
// Language 2.8.2), and of timeout(1)'s own. A code above 128 may be a program's own: it is a crash only if the
// output reports a signal.
func (s *Session) shellMeaning(exit result.Exit) result.Meaning {
	switch {
	case !exit.Observed:
		return ""
	case exit.Code == 124 && s.command.EndsTimed():
		return result.MeansInterrupted
	case exit.Code == 126:
		return result.MeansNotExec
	case exit.Code == 127:
		return result.MeansNotFound
	case exit.Code > 128 && exit.Code <= 128+64 && s.reducer.signalled():
		return result.MeansCrashed
	}
	return ""
}
