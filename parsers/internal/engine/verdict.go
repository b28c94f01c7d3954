package engine

import (
	"cairn/parsers/tool"
	"cairn/result"
)

// failing: anything but an observed exit code 0.
func failing(e result.Exit) bool { return !e.Observed || e.Code != 0 || e.Signal != "" || e.TimedOut }

func saysNo(f result.Finding) bool {
	return f.Severity == result.SevFailure || f.Severity == result.SevError
}

func tested(r *tool.Report) bool { return r.Tested && r.Complete && !r.NoTests }

// confidence is the reconcile rule of the package comment.
func (s *Session) confidence(m *claim, exit result.Exit) result.Confidence {
	rep := m.report
	switch {
	case s.faults.any(): // what that parser would have made of the output is not known
		return result.Heuristic
	case m.shape, rep.Doubt != "", !rep.Complete, s.in.Truncated, rep.Dropped > 0, shortfall(rep) != "":
		return result.Heuristic
	case failing(exit) && len(rep.Findings) == 0:
		return result.Heuristic
	case failing(exit) && rep.Failures() == 0 && (m.parser.Kind == result.Test || s.direct() == nil):
		return result.Heuristic // warnings do not explain the exit of another program
	}
	return result.Parsed
}

// meaning reads the exit code by the tool's own table; the text of the output
// knows better where it says so.
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

// shellMeaning: codes that shells give for every command (POSIX.1-2024,
// Shell Command Language 2.8.2), and timeout(1) for its own. A code above 128 may be a program's own: it
// is a crash only where the output reports a signal.
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
