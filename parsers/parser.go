package parsers

import (
	"fmt"
	"slices"
	"strings"

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
	// Exits is the tool's own exit-code table, for codes other than 0 that
	// do not simply mean "findings". Used only when argv runs the tool.
	Exits map[int]result.Meaning

	Formats []Format
}

// Format is one shape of a tool's output.
type Format struct {
	Name string // "text", "json", "junit", …
	// Starts are literal beginnings of lines, after leading blanks, of which
	// every output in this format has at least one. They are a filter that
	// costs nothing on lines of other tools: keep them few and long. What
	// stands behind a "…" must follow later in the line: "1… in ".
	Starts []string
	// Sniff confirms a line that one of Starts begins; nil takes it as it is.
	// It must not be fooled by a log that merely mentions the tool.
	Sniff func(line string) bool
	// Parse reads the output. It returns nil to decline.
	Parse func(in *Input) *Report
}

// Report is what a format's Parse found, before the status rule, redaction
// and fingerprints.
type Report struct {
	Findings []result.Finding
	Counts   map[string]int // from the tool's own summary: passed, failed, error, skipped, …
	Version  string         // of the tool, if printed
	Extra    map[string]any
	Dropped  int // findings beyond MaxFindings

	// Claimed is how many findings of severity failure or error the tool
	// itself says there are; -1 when it does not say.
	Claimed int
	// Complete: the tool's own closing line was seen, whole.
	Complete bool
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

	// Covered are the byte ranges of the merged output that this tool wrote,
	// in order and disjoint: see Cover.
	Covered []result.Span
}

// NewReport is an empty report that claims nothing.
func NewReport() *Report { return &Report{Claimed: -1, Counts: map[string]int{}} }

// Add keeps a finding, or counts it when there are too many.
func (r *Report) Add(f result.Finding) {
	if len(r.Findings) >= MaxFindings {
		r.Dropped++
		return
	}
	r.Findings = append(r.Findings, f)
}

// full says that no finding fits any more, and counts the next one. A parser
// asks before it makes one: in a flood, what is dropped costs as much as what is
// kept.
func (r *Report) full() bool {
	if len(r.Findings) < MaxFindings {
		return false
	}
	r.Dropped++
	return true
}

// Cover marks a line as the tool's own. Lines are covered in order; adjacent
// ones join.
func (r *Report) Cover(l Line) { r.CoverSpan(l.Start, l.End) }

// CoverSpan marks the bytes from start to end as the tool's own.
func (r *Report) CoverSpan(start, end int64) {
	if n := len(r.Covered); n > 0 && start <= r.Covered[n-1].End {
		r.Covered[n-1].End = max(r.Covered[n-1].End, end)
		return
	}
	r.Covered = append(r.Covered, result.Span{Start: start, End: end})
}

// failures counts findings that say no: what Claimed is compared with.
func (r *Report) failures() int {
	n := r.Dropped
	for i := range r.Findings {
		if s := r.Findings[i].Severity; s == result.SevFailure || s == result.SevError {
			n++
		}
	}
	return n
}

var registry []*Parser

// register adds a parser. It returns true so that a package-level variable
// can hold the call: `var _ = register(&Parser{…})`.
func register(p *Parser) bool {
	for _, q := range registry {
		if q.Tool == p.Tool {
			panic(fmt.Sprintf("parsers: two parsers for tool %q", p.Tool))
		}
	}
	registry = append(registry, p)
	return true
}

// All lists the parsers by tool.
func All() []*Parser {
	all := slices.Clone(registry)
	slices.SortFunc(all, func(a, b *Parser) int { return strings.Compare(a.Tool, b.Tool) })
	return all
}
