package tool

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/result"
)

// MaxFindings bounds the findings that one parser keeps. A run with more has failed as a whole: Report.Dropped
// counts the others, and the raw bytes hold them.
const MaxFindings = 10_000

// Parser declares one tool: all that cairn knows about the tool is in this value. `cairn parsers` prints it.
type Parser struct {
	Tool       string      // canonical id: "pytest", "go-test"
	Family     string      // the program, if its name differs from Tool: "go"
	Kind       result.Kind // what the tool is for
	Version    int         // raised whenever the same input may give another result
	ColumnUnit string      // byte, utf16, char, display; "" if the tool prints no columns
	About      string      // one line: versions tested and where the format is specified

	// Matches reports whether argv runs this tool. argv has no wrappers, and argv[0] is a base name without ".exe".
	Matches func(argv []string) bool
	// Programs are the names under which the tool's program is started; a line of output that begins with one may
	// show a command line.
	Programs []string
	// Exits is the tool's own exit-code table, for codes other than 0 that do not simply mean "findings". It is
	// used only if argv runs the tool.
	Exits map[int]result.Meaning
	// Runner says that the tool starts others, as make does, and shows what they print. It takes no other parser's
	// output, and its report of a failure is a finding only if none of those tools reported the failure; otherwise
	// it is text beside their findings.
	Runner bool
	// Heads says that the runner names a failed step above what the step printed, so that nothing above explains it.
	Heads bool
	// Builds says that the tool is for tests, and many of its commands run none.
	Builds bool
	// Interprets reports whether the tool, run with argv, runs a program of the user's. What that program prints was
	// asked for, and is shown beside the findings. nil: the tool runs no such programs.
	Interprets func(argv []string) bool
	// Fails are beginnings of lines, after leading blanks, that the tool prints only for failures. In an output
	// shortened by "| head", "| tail" or "| grep", such a line says that the run failed, whatever else is missing.
	Fails []string

	Formats []Format

	// Files are the files that the tool's runs write beside their output.
	Files []Files
	// JUnit says how the tool's JUnit reports differ from others; nil: they do not.
	JUnit *Dialect
	// Retold returns the tool's output as stored in a report of another kind; that text is then read like the
	// output. nil means that the report is not the tool's; whole says that the text was not cut.
	Retold func(a Artifact) (text []byte, whole bool)
	// Supersede removes findings of the text that the findings of a report of the same run describe better.
	Supersede func(text, report []result.Finding) []result.Finding
	// RuleURL returns the address at which a rule is explained, for output that names only the rule; "" if none is
	// known. See RulesAt.
	RuleURL func(rule string) string
	// Filter is the tool's own way to run a single test.
	Filter Filter
	// TestOf is the id of the test that contains a subtest, by the subtest's id.
	TestOf func(id string) string
}

// Is sets the parser's Tool, Kind, Version and About.
func (p *Parser) Is(tool string, kind result.Kind, version int, about string) {
	p.Tool, p.Kind, p.Version, p.About = tool, kind, version, about
}

// Reads adds formats of the tool's output, in the order in which they are tried.
//
//go:noinline
func (p *Parser) Reads(formats ...Format) { p.Formats = append(p.Formats, formats...) }

// Filter says how a command line selects tests. Spell returns a finding's Select, which the user can paste
// behind Flag; the compact form shows the test's name. Many tools exit with 0 if the filter selects nothing: then a
// misspelt test looks like one that passes.
type Filter struct {
	Flag string // "-run", "-k"; "" if tests are plain arguments
	// Spell returns a finding's test as the filter takes it; "", or no function, means the id.
	Spell func(f *result.Finding) string
	// Again returns the command that runs only the test of that id, if that differs from own (the command that ran
	// all tests, without wrappers) with the filter appended.
	Again func(id string, own []string) []string
}

// RulesAt returns a RuleURL: the address is base followed by the rule's name, for rules that begin with one of
// prefixes, or for all rules if there are no prefixes.
func RulesAt(base string, prefixes ...string) func(rule string) string {
	return func(rule string) string {
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(rule, p) }) {
			return ""
		}
		return base + rule
	}
}

// Format is one shape of a tool's output.
type Format struct {
	Name string // "text", "json", "junit", …
	// Evidence is what a match proves.
	Evidence Evidence
	// Starts are literal beginnings of lines, after leading blanks; every output in this format has at least one
	// such line. They cheaply rule out lines of other tools: keep them few and long. Text behind a "…" must follow
	// later in the line: "1… in ".
	//
	// A format without Starts is read wherever a command names the tool: the command that was run, one of a list,
	// or one that make, npm or a shell shows.
	Starts []string
	// Named says that the format is also read, without any line of Starts, where a command names the tool.
	Named bool
	// Sniff confirms a line that begins with one of Starts; nil accepts every such line. It must reject a log that
	// merely mentions the tool.
	Sniff func(line string) bool
	// Prints says, of a line that is not covered, whether a test printed it and not the tool itself; after says that a test printed
	// the line before. nil: it cannot be told.
	Prints func(l Line, after bool) bool
	// Parse reads the output. It returns nil if nothing in it is the tool's.
	Parse func(in *Input) *Report
}

// Untold is the message of a failed test if the output or report only says that it failed. Another account of the
// same run may give the reason.
const Untold = "failed; the report says no more"

// Report is what a format's Parse found, before the status rule, redaction and fingerprints.
type Report struct {
	Findings []result.Finding
	Counts   map[string]int // from the tool's own summary: passed, failed, error, skipped, …
	Version  string         // of the tool, if it printed one
	Program  string         // the script or program that failed, if the tool is an interpreter and the output names it
	Extra    map[string]any
	Dropped  int // findings beyond MaxFindings
	// Withheld is how many findings the tool counts but, by its own words, did not print because of a limit.
	Withheld int
	// Suppressed are failures that the tool counts and that are not findings, with the reason.
	Suppressed []result.Suppressed

	dropped map[result.Severity]int // Dropped by severity, as far as it is known
	most    int                     // see Most

	// Claimed is how many findings of severity failure or error the tool
	// itself says there are; -1 when it does not say.
	Claimed int
	// Problems is how many findings of every severity the tool itself says there are;
	// 0 when it does not say.
	Problems int
	// Signed says that the output has a line that only this tool prints. It matters for formats whose Evidence is
	// Shape.
	Signed bool
	// Complete says that the tool's own closing line was there and not cut.
	Complete bool
	// Ends are the offsets behind the tool's closing lines: one that was run several times prints several.
	Ends []int64
	// Whole says that a document was read by its shape, and every part of it that says something was understood.
	Whole bool
	// Tested says that tests were run, not merely collected.
	Tested bool
	// NoTests says that, by the tool's own words, no test was selected.
	NoTests bool
	// Meaning overrides the exit table if the text is more precise (interrupted, internal error, usage).
	Meaning result.Meaning
	// Doubt, when not empty, says why the report cannot be fully trusted; it makes the result heuristic.
	Doubt string

	// Tests are the outcomes of all tests that the output names: see Ran.
	Tests *Tests

	// Covered are the byte ranges of the merged output that this tool wrote, sorted and disjoint: see Cover.
	Covered []result.Span
}

// NewReport returns an empty report that claims nothing.
func NewReport() *Report { return &Report{Claimed: -1, Counts: map[string]int{}} }

// NewReport returns an empty report with the input's limits.
func (in *Input) NewReport() *Report {
	r := NewReport()
	r.most = in.Limits.Findings
	return r
}

// Most is how many findings the report keeps.
func (r *Report) Most() int { return cmp.Or(r.most, MaxFindings) }

// Most is how many findings a report on the input keeps.
func (in *Input) Most() int { return cmp.Or(in.Limits.Findings, MaxFindings) }

// Add keeps a finding, or counts it if the report is full.
func (r *Report) Add(f result.Finding) {
	if !r.Full(f.Severity) {
		r.Findings = append(r.Findings, f)
	}
}

// Settle drops the findings beyond the bound and counts them. A reader may append one finding too many for a while,
// so that changes which it makes to the last finding do not hit one that is kept.
func (r *Report) Settle() {
	most := r.Most()
	if len(r.Findings) <= most {
		return
	}
	for _, f := range r.Findings[most:] {
		r.Drop(f.Severity, 1)
	}
	clear(r.Findings[most:])
	r.Findings = r.Findings[:most]
}

// Drop counts n findings of a severity that are not kept. Readers that stop making findings beyond the bound call
// it.
func (r *Report) Drop(severity result.Severity, n int) {
	if n <= 0 {
		return
	}
	r.Dropped += n
	lex.Put(&r.dropped, severity, r.dropped[severity]+n)
}

// Regrade changes the severity of one finding that was counted by Drop.
func (r *Report) Regrade(from, to result.Severity) {
	if r.dropped[from]--; r.dropped[from] == 0 {
		delete(r.dropped, from)
	}
	r.dropped[to]++
}

// DropAll adds the findings that another report of the same tool dropped.
func (r *Report) DropAll(of *Report) {
	known := 0
	for severity, n := range of.dropped {
		r.Drop(severity, n)
		known += n
	}
	r.Dropped += of.Dropped - known
}

// BySeverity counts findings by severity, for tools that print no counts.
func BySeverity(findings []result.Finding) map[string]int {
	counts := map[string]int{}
	for i := range findings {
		counts[severityCount(findings[i].Severity)]++
	}
	return counts
}

// Tally returns Counts, corrected for findings that were dropped. If the tool's own counts are higher than the
// number of findings kept, they are returned as they are; otherwise they only count what was kept, and the dropped
// ones are added. Findings dropped without a known severity are counted as "not_kept".
func (r *Report) Tally() map[string]int {
	if r.Dropped == 0 {
		return r.Counts
	}
	kept, counted := BySeverity(r.Findings), 0
	for key := range kept {
		counted += r.Counts[key]
	}
	if counted > len(r.Findings) {
		return r.Counts
	}
	all, unknown := maps.Clone(r.Counts), r.Dropped
	if counted == 0 || all == nil {
		all = kept
		maps.Copy(all, r.Counts)
	}
	for severity, n := range r.dropped {
		all[severityCount(severity)] += n
		unknown -= n
	}
	if unknown > 0 {
		all["not_kept"] += unknown
	}
	return all
}

// severityCount is the key in Counts for findings of a severity.
func severityCount(s result.Severity) string {
	if s == result.SevFailure {
		return "failed"
	}
	return string(s)
}

// Full reports whether the report is full, and if so counts the finding that the caller was about to make. A parser
// calls it before making a finding: with very many findings, making and dropping one costs as much as keeping it.
func (r *Report) Full(severity result.Severity) bool {
	if len(r.Findings) < r.Most() {
		return false
	}
	r.Drop(severity, 1)
	return true
}

// Cover marks a line as written by the tool. Lines are covered in order; adjacent ones are joined.
func (r *Report) Cover(l term.Line) bool {
	r.CoverSpan(l.Start, l.End)
	return true
}

// CoverSpan marks the bytes from start to end as written by the tool.
func (r *Report) CoverSpan(start, end int64) {
	if n := len(r.Covered); n > 0 && r.Covered[n-1].Start <= start && start <= r.Covered[n-1].End {
		r.Covered[n-1].End = max(r.Covered[n-1].End, end)
		return
	}
	r.Covered = append(r.Covered, result.Span{Start: start, End: end})
}

// Failures counts the findings of severity failure or error, and those that were dropped; it is compared with
// Claimed.
func (r *Report) Failures() int {
	n := r.Dropped
	for i := range r.Findings {
		if s := r.Findings[i].Severity; s == result.SevFailure || s == result.SevError {
			n++
		}
	}
	return n
}

// Always is the Parser.Interprets of a language's own program.
func Always([]string) bool { return true }
