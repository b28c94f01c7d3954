package mypy

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mypy, versions 0.9 to 2.4, and its daemon.
//
// # The formats
//
// Text is "path:line: error: message  [code]", two blanks before the code;
// with --show-column-numbers "path:line:column:", with --show-error-end
// "path:line:column:line:column:", whose last column is inclusive. Before 1.0
// the code is printed only with --show-error-codes. Notes of the same form
// follow what they explain. --pretty wraps errors at the width of the terminal
// and adds the source and a line of carets, both indented by four. The closing
// line counts errors, not notes. --output=json (since 1.11) prints an object a
// line, with columns from 0 and the notes as a "hint", and no closing line.
//
// # What a finding is
//
// The rule is the code. A note is a finding of its own, of severity info, only
// where no error stands at its place ("Revealed type is"); else it is related
// to that error. Columns count characters (bytes before 1.11).
var _ = Room.Add("mypy dmypy", func() *tool.Parser {
	return &tool.Parser{
		Tool: "mypy", Kind: result.Typecheck, Version: 4, ColumnUnit: "char",
		About: "mypy and dmypy 0.9 to 2.4: text, --pretty and --output=json",
		Matches: func(argv []string) bool {
			return argv[0] == "mypy" || argv[0] == "dmypy" && !slices.Contains(argv, "stop") && !slices.Contains(argv, "kill")
		},
		Exits:  map[int]result.Meaning{2: result.MeansUsage},
		Retold: mypyText,
		Files:  []tool.Files{{Flags: tool.ReportFlags("--junit-xml")}},
		Formats: []tool.Format{
			{Name: "json", Starts: []string{`{"file": "`, `{"file":"`, `]{"file": "`, `}{"file": "`}, Sniff: isMypyJSON, Parse: parseMypyJSON},
			{Name: "text", Starts: slices.Concat(mypyStarts, place.PythonStarts()), Sniff: sniffMypy, Parse: parseMypyText},
		},
	}
}, tool.WritesFiles)

// mypyBelowCrash is the line below that of an internal error, which may begin as
// other lines do that have a name before them.
const mypyBelowCrash = "https://mypy.…#using-a-development-mypy-build"

// mypyStarts begin the lines that are about no Python file.
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
	if _, ok := readMypySummary(s); ok {
		return true
	}
	if _, ok := readMypyNotice(s, true); ok || strings.HasPrefix(s, "File ") || strings.HasPrefix(s, "https://") {
		return true
	}
	m, ok := readMypyLine(s)
	return ok && (m.python() || m.unread() || isConfigFile(m.at.Path))
}

// mypyOutput is what both streams say.
type mypyOutput struct {
	in       *tool.Input
	direct   bool // the command is mypy itself
	named    bool // mypy is in the command line
	readers  [2]*mypyReader
	findings []result.Finding // of JSON
	dropped  int
}

func newMypyOutput(in *tool.Input) *mypyOutput {
	c := in.Command()
	o := &mypyOutput{in: in, direct: c.Direct && (c.Program() == "mypy" || c.Program() == "dmypy") || in.Tool == "mypy"}
	o.named = o.direct || o.says("mypy")
	for i := range o.readers {
		o.readers[i] = &mypyReader{direct: o.direct, named: o.named, budget: maxMypyFrames}
	}
	return o
}

// says that a word is in the command line.
func (o *mypyOutput) says(word string) bool {
	return strings.Contains(o.in.Shell+" "+strings.Join(o.in.Argv, " "), word)
}

func parseMypyText(in *tool.Input) *tool.Report {
	o := newMypyOutput(in)
	for l := range in.Lines() {
		o.readers[l.Stream-tool.Stdout].line(l)
	}
	return o.report(tool.NewReport())
}

// report joins the streams; nil if nothing of it is mypy's.
func (o *mypyOutput) report(rep *tool.Report) *tool.Report {
	closed, certain := o.collect(rep)
	told := func(f result.Finding) bool { return f.Kind == result.Panic }
	if f, fell := o.fell(); fell && !slices.ContainsFunc(rep.Findings, told) {
		rep.Add(f)
		certain = true
	}
	if !certain && closed == 0 && !(o.named && len(rep.Findings) > 0) {
		return nil
	}
	o.crash(rep)
	counted := rep.Claimed
	if rep.Failures() < rep.Claimed {
		rep.Claimed = max(rep.Failures(), rep.Claimed-echoes(rep))
	}
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	fatal := slices.ContainsFunc(rep.Findings, isMypyFatal)
	rep.Complete = closed > 0 || fatal || o.named && o.says("--no-error-summary")
	switch {
	case rep.Meaning != "" || rep.Failures() == 0:
	case fatal:
		rep.Meaning = result.MeansUsage
	default:
		rep.Meaning = result.MeansFindings // a file that does not parse exits 2 too
	}
	o.count(rep, closed > 0, counted)
	return rep
}

// collect takes what the streams hold: how often mypy closed, and whether
// anything is there that only mypy prints.
func (o *mypyOutput) collect(rep *tool.Report) (closed int, certain bool) {
	certain = len(o.findings) > 0
	for _, r := range o.readers {
		r.finish()
		closed += len(r.summaries)
		certain = certain || r.certain
		for _, s := range r.summaries {
			rep.Claimed = max(rep.Claimed, 0) + s.errors
		}
		for i := range r.findings {
			rep.Add(r.findings[i])
		}
		rep.Dropped += r.dropped
		rep.Covered = append(rep.Covered, r.covered...)
	}
	if certain || closed > 0 {
		for _, r := range o.readers {
			for _, f := range r.unsure {
				rep.Add(f)
				rep.Covered = append(rep.Covered, *f.RawSpan)
			}
		}
	}
	return closed, certain
}

// echoes counts what mypy takes for an error and is none: its closing line
// counts the lines that have ": error:" somewhere, in a note or in the source
// below a message.
func echoes(rep *tool.Report) (n int) {
	for _, f := range rep.Findings {
		n += strings.Count(f.Detail, ": error:") // of the frame; it is one line
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

// count takes the numbers of the closing lines, or counts where there is none.
func (o *mypyOutput) count(rep *tool.Report, closed bool, counted int) {
	notes := 0
	for _, f := range rep.Findings {
		if f.Severity == result.SevInfo {
			notes++
		}
	}
	switch {
	case closed:
		rep.Counts["error"] = max(counted, 0)
	default:
		rep.Counts["error"] = rep.Failures()
	}
	if notes > 0 {
		rep.Counts["info"] = notes
	}
}
