package parsers

import (
	"cmp"
	"slices"
	"strings"

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
var _ = register(&Parser{
	Tool: "mypy", Kind: result.Typecheck, Version: 2, ColumnUnit: "char",
	About: "mypy and dmypy 0.9 to 2.4: text, --pretty and --output=json",
	Matches: func(argv []string) bool {
		return argv[0] == "mypy" || argv[0] == "dmypy" && !slices.Contains(argv, "stop") && !slices.Contains(argv, "kill")
	},
	Exits: map[int]result.Meaning{2: result.MeansUsage},
	Formats: []Format{
		{Name: "json", Starts: []string{`{"file": "`, `{"file":"`}, Sniff: isMypyJSON, Parse: parseMypyJSON},
		{Name: "text", Starts: slices.Concat(mypyStarts, pythonPathStarts), Sniff: sniffMypy, Parse: parseMypyText},
	},
})

// mypyStarts begin the lines that are about no Python file.
var mypyStarts = []string{
	"Found ", "Success: no issues found in ", "mypy: ", "usage: mypy", "usage: dmypy", "<string>:",
	"Can't find package '", "There are no .py[i] files in directory", "pyproject.toml: [mypy", "mypy.ini: [mypy", "setup.cfg: [mypy",
	"/….ini: [mypy", "/….toml: [mypy", "/….cfg: [mypy",
}

func sniffMypy(line string) bool {
	s := strings.TrimSpace(line)
	if _, ok := readMypySummary(s); ok {
		return true
	}
	if _, ok := readMypyNotice(s); ok {
		return true
	}
	m, ok := readMypyLine(s)
	return ok && m.python()
}

// mypyOutput is what both streams say.
type mypyOutput struct {
	in       *Input
	direct   bool // the command is mypy itself
	named    bool // mypy is in the command line
	readers  [2]*mypyReader
	findings []result.Finding // of JSON
	dropped  int
}

func newMypyOutput(in *Input) *mypyOutput {
	c := unwrap(in.Argv, in.Shell)
	o := &mypyOutput{in: in, direct: c.direct && (c.program() == "mypy" || c.program() == "dmypy") || in.Tool == "mypy"}
	o.named = o.direct || o.says("mypy")
	for i := range o.readers {
		o.readers[i] = &mypyReader{direct: o.direct, budget: maxMypyFrames}
	}
	return o
}

// says that a word is in the command line.
func (o *mypyOutput) says(word string) bool {
	return strings.Contains(o.in.Shell+" "+strings.Join(o.in.Argv, " "), word)
}

func parseMypyText(in *Input) *Report {
	o := newMypyOutput(in)
	for l := range in.Lines() {
		o.readers[l.Stream-Stdout].line(l)
	}
	return o.report(NewReport())
}

// report joins the streams; nil if nothing of it is mypy's.
func (o *mypyOutput) report(rep *Report) *Report {
	closed, certain, prevented := 0, len(o.findings) > 0, false
	for _, r := range o.readers {
		r.finish()
		closed += len(r.summaries)
		certain = certain || r.certain
		for _, s := range r.summaries {
			rep.Claimed = max(rep.Claimed, 0) + s.errors
			prevented = prevented || s.prevented
		}
		for i := range r.findings {
			rep.Add(r.findings[i])
		}
		rep.Dropped += r.dropped
		rep.Covered = append(rep.Covered, r.covered...)
	}
	if !certain && closed == 0 && !(o.named && len(rep.Findings) > 0) {
		return nil
	}
	o.crash(rep)
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	fatal := slices.ContainsFunc(rep.Findings, isMypyFatal)
	rep.Complete = closed > 0 || fatal || o.named && o.says("--no-error-summary")
	switch {
	case rep.Meaning != "" || rep.failures() == 0:
	case fatal:
		rep.Meaning = result.MeansUsage
	default:
		rep.Meaning = result.MeansFindings // a file that does not parse exits 2 too
	}
	o.count(rep, closed > 0)
	return rep
}

func isMypyFatal(f result.Finding) bool {
	return f.Severity == result.SevError && f.Kind != result.Diagnostic
}

// count takes the numbers of the closing lines, or counts where there is none.
func (o *mypyOutput) count(rep *Report, closed bool) {
	notes := 0
	for _, f := range rep.Findings {
		if f.Severity == result.SevInfo {
			notes++
		}
	}
	switch {
	case closed:
		rep.Counts["error"] = max(rep.Claimed, 0)
	default:
		rep.Counts["error"] = rep.failures()
	}
	if notes > 0 {
		rep.Counts["info"] = notes
	}
}

// crash joins an internal error to the exception that the traceback ends with,
// which may stand on the other stream.
func (o *mypyOutput) crash(rep *Report) {
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if f.Kind != result.Panic {
			continue
		}
		rep.Meaning = result.MeansInternal
		for _, r := range o.readers {
			if r.exception != "" {
				f.Message += ": " + r.exception
				f.Rule = classOf(r.exception)
				f.Detail = strings.Join(append([]string{f.Detail}, r.traceback...), "\n")
				return
			}
		}
	}
}
