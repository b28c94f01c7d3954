package tool

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/text/term"
	"cairn/result"
)

// MaxFindings bounds what one parser keeps. A run with more has failed as a
// whole; Report.Dropped counts the rest and the raw bytes hold them.
const MaxFindings = 10_000

// Parser declares one tool. It is a value: everything a parser knows is in
// it, and `cairn parsers` prints it.
type Parser struct {
	Tool       string      // canonical id: "pytest", "go-test"
	Family     string      // program, where it differs from Tool: "go"
	Kind       result.Kind // what the tool is for
	Version    int         // raised whenever equal input may give another result
	ColumnUnit string      // byte, utf16, char, display; "" when it prints no columns
	About      string      // one line: versions seen and where the format is specified

	// Matches says whether argv, wrappers taken off and argv[0] a base name
	// without ".exe", runs this tool.
	Matches func(argv []string) bool
	// Programs are the names under which the tool's program is started, so that
	// a line that shows its command line is looked at.
	Programs []string
	// Exits is the tool's own exit-code table, for codes other than 0 that
	// do not simply mean "findings". Used only when argv runs the tool.
	Exits map[int]result.Meaning
	// Runner: the tool starts others, as make does, and shows what they print.
	// It takes no other parser's output, and what it says of a failure counts where none
	// of them tells one; elsewhere it is text beside their findings.
	Runner bool
	// Interprets: with that argv the tool runs a program of the user's, which may say what is
	// wrong before it ends in a way that the tool reports: lines of alarm are text beside the
	// findings. nil: it runs none.
	Interprets func(argv []string) bool
	// Fails are beginnings of lines, after leading blanks, that the tool prints of
	// failures alone. Behind "| head", "| tail" or "| grep" one of them says that the run
	// failed, whatever else is missing.
	Fails []string

	Formats []Format

	// Files are what the tool's runs write beside what they print.
	Files []Files
	// JUnit is what the tool knows of reports in its name; nil: nothing that
	// all reports do not have.
	JUnit *Dialect
	// Retold gives the text that the tool has written into a report of another
	// kind, which then is read as its output is; nil text: the report is not
	// the tool's. whole: the report was not cut.
	Retold func(a Artifact) (text []byte, whole bool)
	// Supersede leaves out those findings of the text that findings of a report
	// of the same run tell better.
	Supersede func(text, report []result.Finding) []result.Finding
	// RuleURL gives the address at which a rule is explained, for findings whose output
	// names the rule alone; "" where none is known. See RulesAt.
	RuleURL func(rule string) string
	// Filter is the tool's own way to run one test again.
	Filter Filter
	// TestOf is the id of the test that a subtest's id belongs to.
	TestOf func(id string) string
}

// Is says which tool is declared: its id, what it is for, its version as in Parser, and what
// it is about.
func (p *Parser) Is(tool string, kind result.Kind, version int, about string) {
	p.Tool, p.Kind, p.Version, p.About = tool, kind, version, about
}

// Reads adds shapes of the tool's output, in the order in which they are tried.
//
//go:noinline
func (p *Parser) Reads(formats ...Format) { p.Formats = append(p.Formats, formats...) }

// Filter is how a tool takes which tests to run. What Spell gives is a finding's Select,
// and can be pasted behind Flag. The compact form shows the test's name. A tool whose filter selects nothing often exits
// 0: a wrong spelling looks like a test that passes now.
type Filter struct {
	Flag string // "-run", "-k"; "" where tests are arguments of their own
	// Spell gives a finding's test as the filter takes it; "" or no function:
	// it takes the id.
	Spell func(f *result.Finding) string
	// Again is the command that runs the test of that id alone, where it is not the command
	// that ran all of them (own, without wrappers) with the filter behind it.
	Again func(id string, own []string) []string
}

// RulesAt makes a RuleURL: rules that begin with one of prefixes, or all rules where
// none is given, are explained at base and the rule's name.
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
	// Evidence is what a match proves: see Evidence.
	Evidence Evidence
	// Starts are literal beginnings of lines, after leading blanks, of which
	// every output in this format has at least one. They are a filter that
	// costs nothing on lines of other tools: keep them few and long. What
	// stands behind a "…" must follow later in the line: "1… in ".
	//
	// A format without any is read wherever a command names the tool: the one
	// that was run, one of a list, or one that make, npm or a shell shows.
	Starts []string
	// Named: where a command names the tool, the format is read whether or not a line
	// of Starts is there.
	Named bool
	// Sniff confirms a line that one of Starts begins; nil takes it as it is.
	// It must not be fooled by a log that merely mentions the tool.
	Sniff func(line string) bool
	// Parse reads the output. It returns nil to decline.
	Parse func(in *Input) *Report
}

// Untold is the message of a failed test of which an output or a report says no
// more than that it failed. Another account of the same run may say why.
const Untold = "failed; the report says no more"

// Report is what a format's Parse found, before the status rule, redaction
// and fingerprints.
type Report struct {
	Findings []result.Finding
	Counts   map[string]int // from the tool's own summary: passed, failed, error, skipped, …
	Version  string         // of the tool, if printed
	Program  string         // that broke, where the output names it and the tool is its language
	Extra    map[string]any
	Dropped  int // findings beyond MaxFindings
	// Withheld are findings that the tool counts and says that it did not print, since it
	// prints so many only.
	Withheld int
	// Suppressed are failures that the tool counts and that are no findings, with the reason.
	Suppressed []result.Suppressed

	dropped map[result.Severity]int // of Dropped, those whose severity is known
	most    int                     // see Most

	// Claimed is how many findings of severity failure or error the tool
	// itself says there are; -1 when it does not say.
	Claimed int
	// Problems is how many findings of every severity the tool itself says there are;
	// 0 when it does not say.
	Problems int
	// Signed: a line was seen that only this tool prints. It matters to a format
	// whose Evidence is Shape.
	Signed bool
	// Complete: the tool's own closing line was seen, whole.
	Complete bool
	// Whole: a document was read by its shape, and nothing in it that says something is left.
	Whole bool
	// Tested: tests were run (not merely looked for).
	Tested bool
	// NoTests: the tool says that nothing was selected.
	NoTests bool
	// Meaning overrides the exit table where the text knows better
	// (interrupted, internal error, usage).
	Meaning result.Meaning
	// Doubt, when not empty, says why the report is not to be believed in
	// full; it makes the result heuristic.
	Doubt string

	// Tests are the outcomes of all tests that the output names: see Ran.
	Tests *Tests

	// Covered are the byte ranges of the merged output that this tool wrote,
	// in order and disjoint: see Cover.
	Covered []result.Span
}

// NewReport is an empty report that claims nothing.
func NewReport() *Report { return &Report{Claimed: -1, Counts: map[string]int{}} }

// NewReport is an empty report on the input, with its limits.
func (in *Input) NewReport() *Report {
	r := NewReport()
	r.most = in.Limits.Findings
	return r
}

// Most is how many findings are kept.
func (r *Report) Most() int { return cmp.Or(r.most, MaxFindings) }

// Most is how many findings are kept of the input.
func (in *Input) Most() int { return cmp.Or(in.Limits.Findings, MaxFindings) }

// Add keeps a finding, or counts it when there are too many.
func (r *Report) Add(f result.Finding) {
	if !r.Full(f.Severity) {
		r.Findings = append(r.Findings, f)
	}
}

// Settle counts the findings beyond the bound and lets go of them. The last one may be
// there for a while, so that what a reader does to it is not done to one that is kept.
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

// Drop counts n findings of a severity that are not kept. A reader that does not
// make findings beyond the bound says with it what they were.
func (r *Report) Drop(severity result.Severity, n int) {
	if n <= 0 {
		return
	}
	r.Dropped += n
	if r.dropped == nil {
		r.dropped = map[result.Severity]int{}
	}
	r.dropped[severity] += n
}

// Regrade says that one finding that is not kept is of another severity.
func (r *Report) Regrade(from, to result.Severity) {
	if r.dropped[from]--; r.dropped[from] == 0 {
		delete(r.dropped, from)
	}
	r.dropped[to]++
}

// DropAll counts what another report of the same tool does not keep.
func (r *Report) DropAll(of *Report) {
	known := 0
	for severity, n := range of.dropped {
		r.Drop(severity, n)
		known += n
	}
	r.Dropped += of.Dropped - known
}

// BySeverity counts findings where a tool does not.
func BySeverity(findings []result.Finding) map[string]int {
	counts := map[string]int{}
	for i := range findings {
		counts[severityCount(findings[i].Severity)]++
	}
	return counts
}

// Tally is Counts with what was dropped. Where the tool's own counts tell of more
// findings than were kept, they are all there is to say; otherwise they are a
// count of what was kept, and would pass off the bound as the truth. What was
// dropped without a look at its severity is "not_kept".
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

// severityCount is the name under which findings of a severity are counted.
func severityCount(s result.Severity) string {
	if s == result.SevFailure {
		return "failed"
	}
	return string(s)
}

// Full says that no finding fits any more, and counts the next one. A parser
// asks before it makes one: in a flood, what is dropped costs as much as what is
// kept.
func (r *Report) Full(severity result.Severity) bool {
	if len(r.Findings) < r.Most() {
		return false
	}
	r.Drop(severity, 1)
	return true
}

// Cover marks a line as the tool's own. Lines are covered in order; adjacent
// ones join.
func (r *Report) Cover(l term.Line) { r.CoverSpan(l.Start, l.End) }

// CoverSpan marks the bytes from start to end as the tool's own.
func (r *Report) CoverSpan(start, end int64) {
	if n := len(r.Covered); n > 0 && r.Covered[n-1].Start <= start && start <= r.Covered[n-1].End {
		r.Covered[n-1].End = max(r.Covered[n-1].End, end)
		return
	}
	r.Covered = append(r.Covered, result.Span{Start: start, End: end})
}

// Failures counts findings that say no: what Claimed is compared with.
func (r *Report) Failures() int {
	n := r.Dropped
	for i := range r.Findings {
		if s := r.Findings[i].Severity; s == result.SevFailure || s == result.SevError {
			n++
		}
	}
	return n
}

// Always is Parser.Interprets of a language's own program.
func Always([]string) bool { return true }
