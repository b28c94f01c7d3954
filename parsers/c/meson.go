package c

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("meson | meson.py", func(p *tool.Parser) {
	p.Is("meson", result.Build, 1, "Meson 0.56 to 1.12: setup, test; what it builds is its tools'")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"The Meson build system", "Full log written to …/meson-logs/"}, Named: true, Parse: parseMeson})
})

// meson reads errors of configuring, "meson.build:2:0: ERROR: text", and the results of tests:
//
//	2/6 m:bad   FAIL            0.10s   exit status 1
//	>>> MESON_TEST_ITERATION=1 /tmp/b/bad
//	――――――――――― ✀  ―――――――――――
//	stderr:
//	bad.c:2: assertion x > 0 failed
type meson struct {
	seen  map[string]bool   // failed tests that have a finding: a summary repeats them
	below map[string]string // subtests that failed, by the number of their test
	after map[string]string // the place above a crash, likewise
	quote bool              // inside the output of a test
	text  []string          // lines of that output
}

func parseMeson(in *tool.Input) *tool.Report {
	m := &meson{seen: map[string]bool{}, below: map[string]string{}, after: map[string]string{}}
	return read.Text{Line: m.line, End: m.end, Closes: true}.Parse(in)
}

// mesonBad lists the results that fail a run of tests.
const mesonBad = "FAIL TIMEOUT ERROR INTERRUPT UNEXPECTEDPASS"

func (m *meson) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	d, placed := read.CutDiagnostic(t)
	switch {
	case strings.HasPrefix(t, "――――") || strings.HasPrefix(t, "----- "):
		m.quoted(s, s.Last())
		m.quote, m.text = strings.Contains(t, "✀"), nil
	case m.quote && m.quotes(s, l, t), m.test(s, l, t), m.count(s, l, t):
	case placed && d.Word == "error" && strings.Contains(d.At.Path, "meson"):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: d.Message, At: &d.At})
	case strings.HasPrefix(t, "ERROR: ") || strings.HasPrefix(t, "meson: error: "):
		_, message, _ := strings.Cut(strings.TrimPrefix(t, "meson: "), ": ")
		s.Refuse(l, result.Finding{Kind: result.BuildError, Message: message})
	case strings.HasPrefix(t, "WARNING: "), placed && d.Word == "warning" && strings.Contains(d.At.Path, "meson"):
		f := result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(t, "WARNING: ")}
		if placed {
			f.Message, f.At = d.Message, &d.At
		}
		s.Find(l, f)
		s.Break()
	case strings.HasPrefix(t, "The Meson build system"):
		s.Sign(l)
	case strings.HasPrefix(t, "Full log written to "), strings.HasPrefix(t, "A full log can be found at "):
		s.Close(l)
		s.Break()
	default:
		return m.quotes(s, l, t)
	}
	return true
}

// quotes takes a line of a test's output, or a line below a finding.
func (m *meson) quotes(s *read.Sink, l tool.Line, t string) bool {
	if s.Last() == nil || t == "" {
		return m.quote
	}
	m.why(s.Last(), t)
	if m.quote && len(m.text) < 200 || failedPart(strings.TrimSpace(t)) != "" {
		m.text = append(m.text, strings.Clone(t))
	}
	return s.More(l)
}

// test reads "2/6 m:bad   FAIL   0.10s   exit status 1", and "▶ 2/6 adds   FAIL", which names a failed part of that
// test (a point of its TAP).
func (m *meson) test(s *read.Sink, l tool.Line, t string) bool {
	t, part := strings.CutPrefix(strings.TrimSpace(t), "▶ ")
	number, rest, _ := strings.Cut(t, " ")
	i, n, ok := strings.Cut(number, "/")
	words := strings.Fields(rest)
	if !ok || !lex.IsDigits(i) || !lex.IsDigits(n) || len(words) < 2 {
		return false
	}
	at := -1
	for k, w := range words {
		if lex.IsOneOf(w, mesonBad+" OK SKIP EXPECTEDFAIL RUNNING IGNORED") {
			at = k
			break
		}
	}
	if at < 1 {
		return false
	}
	s.Sign(l)
	s.Break()
	name, outcome := strings.Join(words[:at], " "), words[at]
	s.Tested = true
	if !lex.IsOneOf(outcome, mesonBad) || m.seen[name] && !part {
		return true
	}
	if part {
		var spot string // criterion says where, and how long
		if name, spot, _ = strings.Cut(strings.TrimPrefix(name, "- "), " unexpected signal after "); spot != "" {
			m.after[i] = spot
		}
		if head, took, ok := lex.CutLast(name, " ("); ok && strings.HasSuffix(took, "s)") {
			name = head
		}
		m.below[i] += ", " + name
		return true
	}
	m.seen[name] = true
	message := strings.ToLower(outcome)
	if at+2 < len(words) {
		message = strings.Join(words[at+2:], " ")
	}
	if parts := m.below[i]; parts != "" {
		message += "; failed:" + parts[1:]
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: mesonID(name), Name: name, Message: message}
	if path, line, ok := place.CutLineNumber(m.after[i]); ok {
		f.At = &result.Location{Path: built(s, path), Line: line}
	}
	if outcome == "TIMEOUT" {
		f.Message, f.Tags = "timed out", []string{"timeout"}
	}
	return s.Find(l, f)
}

// mesonID returns the name by which "meson test" selects a test: "m:bad" for "m:bad" and for "m - m:bad".
func mesonID(name string) string {
	if _, id, ok := strings.Cut(name, " - "); ok {
		name = id
	}
	return strings.ReplaceAll(name, " / ", ":")
}

// quoted completes the finding of a test from its output: place, reason, and failed parts if it ran another tool.
func (m *meson) quoted(s *read.Sink, f *result.Finding) {
	if m.quote && f != nil && f.Kind == result.TestFailure {
		if all, said := allPlaces(m.text); f.At == nil && len(all) > 0 {
			for i := range all {
				all[i].Path = built(s, all[i].Path)
			}
			last := len(all) - 1
			f.At, f.Locations, f.Message = &all[last], all[max(0, last-4):last], said+" ("+f.Message+")"
		} else if said = read.Reason(m.text); f.At == nil && said != "" && failedParts(m.text) == "" {
			f.Message = said + " (" + f.Message + ")"
		}
		f.Message += failedParts(m.text)
	}
}

// built returns the path of a file that a test names. Tests run in the directory of the build.
func built(s *read.Sink, name string) string {
	argv := s.In.Command().Argv
	if i := slices.Index(argv, "-C") + 1; strings.HasPrefix(name, "../") && i > 0 && i < len(argv) {
		return path.Join(argv[i], name)
	}
	return name
}

// why takes the line of a test's output that has a place as the reason of the failure.
func (m *meson) why(f *result.Finding, t string) {
	if d, ok := read.CutDiagnostic(t); ok && m.quote && d.Word != "note" && f.At == nil && f.Kind == result.TestFailure {
		f.At = &d.At
		f.Message = d.Message + " (" + f.Message + ")"
	}
}

// count reads "Fail:   2" of the closing list.
func (m *meson) count(s *read.Sink, l tool.Line, t string) bool {
	name, value, ok := strings.Cut(t, ":")
	key := map[string]string{"Ok": "passed", "Expected Fail": "xfailed", "Fail": "failed", "Unexpected Pass": "xpassed", "Skipped": "skipped", "Timeout": "timeout"}[name]
	if value = strings.TrimSpace(value); !ok || key == "" || !lex.IsDigits(value) {
		return false
	}
	if s.Score(key, lex.Atoi(value)); key == "timeout" {
		s.Claim(lex.Atoi(value))
	}
	s.Break()
	s.Tested = true
	return s.Sign(l)
}

// end marks other output as complete: only a run of tests has a closing line.
func (m *meson) end(s *read.Sink) {
	if !s.Tested {
		s.EndHere()
	}
}
