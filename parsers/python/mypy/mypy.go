// Package mypy reads mypy, versions 0.9 to 2.4, and its daemon.
//
// # The formats
//
// Text is "path:line: error: message  [code]", with two blanks before the code. The place is "path:line:column:" with
// --show-column-numbers, and "path:line:column:line:column:", whose last column is inclusive, with --show-error-end.
// Before 1.0, the code is printed only with --show-error-codes. Notes have the same form, and follow the error that
// they explain. --pretty wraps errors at the width of the terminal, and adds the source and a line of carets, both
// indented by four. The closing line counts errors, not notes. --output=json (since 1.11) prints an object per line,
// with columns from 0 and the notes as a "hint", and no closing line.
//
// # What a finding is
//
// The rule is the code. A note at the place of an error is related to that error. Any other note, such as "Revealed
// type is", is a finding of its own, of severity info. Columns count characters (bytes before 1.11).
package mypy

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Declare declares mypy.
func Declare(p *tool.Parser) {
	p.Is("mypy", result.Typecheck, 4, "mypy and dmypy 0.9 to 2.4: text, --pretty and --output=json")
	p.ColumnUnit = "char"
	p.Matches = func(argv []string) bool {
		return argv[0] == "mypy" || argv[0] == "dmypy" && !slices.Contains(argv, "stop") && !slices.Contains(argv, "kill")
	}
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Retold = mypyText
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--junit-xml")}}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"file": "`, `{"file":"`, `]{"file": "`, `}{"file": "`}, Sniff: isMypyJSON, Parse: parseMypyJSON})
	p.Reads(tool.Format{Name: "junit", Parse: junit.Lints})
	p.Reads(tool.Format{Name: "text", Starts: slices.Concat(mypyStarts, place.PythonStarts()), Sniff: sniffMypy, Parse: parseMypyText})
}

// mypyBelowCrash is the second line of an internal error. It is among mypyStarts because the first line
// looks like other errors with a place.
const mypyBelowCrash = "https://mypy.…#using-a-development-mypy-build"

// mypyStarts lists the beginnings of lines that do not begin with the path of a Python file.
var mypyStarts = []string{
	"Found ", "Success: no issues found in ", "mypy: ", "usage: mypy", "dmypy: error: ", "<string>:",
	mypyBelowCrash, "error: --", "error: The exclude ", "error: Can't determine which types to install", "Package name '",
	"Warning: unused section(s) in ", "##[error]….py:", "##[warning]….py:", `File "…mypy/main.py", line`, `File "…mypy/dmypy/client.py", line`,
	"Daemon ", "No status file found", "Timed out waiting for daemon", "Malformed status file",
	"Can't find package '", "There are no .py[i] files in directory", "pyproject.toml: [mypy", "mypy.ini: [mypy", "setup.cfg: [mypy",
	"/….ini: [mypy", "/….toml: [mypy", "/….cfg: [mypy", "pyproject.toml: ", "mypy.ini: ", ".mypy.ini: ", "setup.cfg: ",
}

func sniffMypy(line string) bool {
	s := strings.TrimSpace(line)
	if _, ok := mypySummary(s); ok {
		return true
	}
	if _, ok := cutMypyNotice(s, true); ok || strings.HasPrefix(s, "File ") || strings.HasPrefix(s, "https://") {
		return true
	}
	m, ok := cutMypyLine(s)
	return ok && (m.python() || m.unread() || isMypyConfig(m.at.Path))
}

func parseMypyText(in *tool.Input) *tool.Report { return newMypy(in).parse() }

// parseMypyJSON reads the objects, and the lines between them as text. The format has no
// closing line, so the report is complete if no object is cut off.
func parseMypyJSON(in *tool.Input) *tool.Report {
	m := newMypy(in)
	m.json = true
	rep := m.parse()
	if rep == nil || m.objects == 0 {
		return nil
	}
	rep.Claimed = -1 // a closing line in the text counts errors on stderr, too
	rep.Complete = !m.broken
	return rep
}

func newMypy(in *tool.Input) *mypy {
	c := in.Command()
	m := &mypy{in: in, direct: c.Direct && (c.Program() == "mypy" || c.Program() == "dmypy") || in.Tool == "mypy"}
	m.named = m.direct || m.says("mypy")
	m.quiet = m.named && m.says("--no-error-summary")
	return m
}

// says reports whether the command line contains a word.
func (m *mypy) says(word string) bool {
	return strings.Contains(m.in.Shell+" "+strings.Join(m.in.Argv, " "), word)
}

func (m *mypy) parse() *tool.Report {
	rep := read.Text{Line: m.line, Count: m.count, Turn: m.seal, End: m.end, Closes: true}.Parse(m.in)
	if m.declined {
		return nil
	}
	return rep
}

// end completes the report, or declines it if nothing shows that the output is mypy's.
func (m *mypy) end(s *read.Sink) {
	m.seal(s)
	m.endTrace(s)
	if m.certain = m.certain || m.objects > 0; m.certain || m.closed > 0 {
		for _, f := range m.unsure {
			s.Add(f)
			s.CoverSpan(f.RawSpan.Start, f.RawSpan.End)
		}
	}
	m.fell(s)
	slices.SortStableFunc(s.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	if m.declined = !m.certain && m.closed == 0 && !(m.named && len(s.Findings) > 0); m.declined {
		return
	}
	m.crash(s)
	counted, failures := max(s.Claimed, 0), s.Failures()
	if failures < s.Claimed {
		s.Claimed = max(failures, s.Claimed-echoes(s.Report))
	}
	fatal := slices.ContainsFunc(s.Findings, isMypyFatal)
	if fatal || m.quiet {
		s.EndHere()
	}
	switch {
	case s.Meaning != "" || failures == 0:
	case fatal:
		s.Meaning = result.MeansUsage
	default:
		s.Meaning = result.MeansFindings // a file that does not parse exits 2 too
	}
	if m.closed == 0 {
		counted = failures
	}
	s.Count("error", counted)
	if notes := tool.BySeverity(s.Findings)["info"]; notes > 0 {
		s.Count("info", notes)
	}
}

// echoes returns how many errors mypy counts wrongly: its closing line counts every line with
// ": error:" anywhere, even in a note or in the source below a message.
func echoes(rep *tool.Report) (n int) {
	for _, f := range rep.Findings {
		n += strings.Count(f.Detail, ": error:") // in the source that --pretty shows
		for _, r := range f.Related {
			n += lex.Btoi(strings.Contains(r.Message, ": error:"))
		}
		n += lex.Btoi(f.Severity == result.SevInfo && strings.Contains(f.Message, ": error:"))
	}
	return n
}

func isMypyFatal(f result.Finding) bool {
	return f.Severity == result.SevError && f.Kind != result.Diagnostic
}
