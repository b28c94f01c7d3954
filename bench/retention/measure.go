package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"cairn/golden"
	"cairn/internal/tokens"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/render"
	"cairn/result"
)

// The targets of the design.
const (
	keptTarget  = 0.99 // of the facts, at least
	bytesTarget = 0.35 // of the raw bytes, at most
)

// measured is one failing case.
type measured struct {
	golden.Case
	facts, lost               []fact
	extracted                 bool // facts come from patterns, not from the case's truth
	raw, compact              int  // bytes
	rawTokens, compactTokens  int
	falseVerdict, emptyParsed bool
	header, text              string
	result                    *result.ToolResult
}

// measure renders a case as "cairn parse" does, and counts what is kept.
func measure(c golden.Case, count tokens.Counter) measured {
	raw := c.Raw()
	r, text := compactOf(c, raw)
	m := measured{Case: c, facts: once(c.Truth), raw: len(raw), compact: len(text), rawTokens: count(string(raw)), compactTokens: count(text), result: r}
	if m.facts == nil {
		m.facts, m.extracted = extract(raw, c.Cwd), true
	}
	m.text = text
	full, shown := render.Expand(text), showsAll(text, raw)
	m.facts = asked(m.facts, r.ParserConfidence)
	for _, f := range m.facts {
		if !shown && !kept(f, text) && !kept(golden.Fact{Kind: f.Kind, Text: f.Told()}, full) {
			m.lost = append(m.lost, f)
		}
	}
	m.header, _, _ = strings.Cut(text, "\n")
	m.falseVerdict = (r.Status == result.Passed || r.Status == result.OK || saysPassed(m.header)) && !owns(r, m.header, shown)
	m.emptyParsed = c.Failing() && r.ParserConfidence == result.Parsed && len(r.Findings) == 0
	return m
}

// compactOf parses and renders. Unlike the program it does not use the file system: the folder of a recorded run need
// not exist.
func compactOf(c golden.Case, raw []byte) (*result.ToolResult, string) {
	in := c.Input(c.Output)
	in.Redact = redact.Text
	r := parsers.Parse(in, c.Exit)
	r.RawOID = objects.IDOf(raw).String()
	return r, render.Compact(r, []byte(redact.Text(string(raw))))
}

// showsAll says whether the output is shown unchanged below the header, so that nothing is lost.
func showsAll(text string, raw []byte) bool {
	_, below, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(below) == strings.TrimSpace(result.Clean(string(raw)))
}

// owns says whether the header is honest about an exit code of 0, which a linter's errors do not override (the status
// rule of package result): it must mention errors. Without errors it must count the warnings or flaky tests, unless the
// output itself is shown below.
func owns(r *result.ToolResult, header string, shown bool) bool {
	if r.Status != result.OK && !strings.Contains(header, " flaky") || r.ExitCode == nil || *r.ExitCode != 0 { // a retry passes
		return false
	}
	if slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Severity == result.SevError || f.Severity == result.SevFailure }) {
		return strings.Contains(header, "exit 0 despite errors")
	}
	return shown || (strings.Contains(header, " warning") || strings.Contains(header, " flaky")) && len(r.Findings) > 0
}

// saysPassed says whether an agent would take the header for "passed".
func saysPassed(header string) bool {
	words := strings.Fields(header)
	if len(words) < 2 {
		return true // no verdict at all is as bad as a wrong one
	}
	verdict := strings.Trim(words[1], ":,")
	return verdict == "passed" || verdict == "ok"
}

func (m measured) show(out io.Writer) {
	fmt.Fprintf(out, "%-40s exit %-3d %-8s %-9s %3d findings %6d/%-6d bytes  %s\n%s\n", m.Name, m.Exit.Code, m.result.Status, m.result.ParserConfidence,
		len(m.result.Findings), m.compact, m.raw, m.result.Tool, m.text)
}

func (m measured) print(out io.Writer) {
	for _, f := range m.lost {
		fmt.Fprintf(out, "lost   %s: %s %s\n", m.Name, f.Kind, f.Text)
	}
	if m.falseVerdict {
		fmt.Fprintf(out, "FALSE  %s: %d facts, and the answer begins: %s\n", m.Name, len(m.facts), m.header)
	}
	if m.emptyParsed {
		fmt.Fprintf(out, "EMPTY  %s: the answer begins: %s\n", m.Name, m.header)
	}
}

// tally adds up cases.
type tally struct {
	cases, parsed, extracted int
	facts, lost              int // from the cases' truth
	guessed, missed          int // from patterns
	raw, compact             int
	rawTokens, compactTokens int
	falseVerdicts, empty     int
}

func (t *tally) add(m measured) {
	t.cases++
	t.parsed += one(m.result.ParserConfidence == result.Parsed)
	if m.extracted {
		t.extracted++
		t.guessed += len(m.facts)
		t.missed += len(m.lost)
	} else {
		t.facts += len(m.facts)
		t.lost += len(m.lost)
	}
	t.raw += m.raw
	t.compact += m.compact
	t.rawTokens += m.rawTokens
	t.compactTokens += m.compactTokens
	t.falseVerdicts += one(m.falseVerdict)
	t.empty += one(m.emptyParsed)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// stayed returns the share of facts that were kept; 1 if there are none.
func stayed(facts, lost int) float64 {
	if facts == 0 {
		return 1
	}
	return float64(facts-lost) / float64(facts)
}

func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func printTable(out io.Writer, names []string, tools map[string]*tally, total *tally) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "failing\tparsed\tfacts\tkept\tno truth\tguessed\tkept\traw bytes\tcompact\tshare\traw tokens\tcompact\tshare\tfalse\tempty\t tool")
	row := func(name string, t *tally) {
		fmt.Fprintf(w, "%d\t%d\t%d\t%.2f %%\t%d\t%d\t%.2f %%\t%d\t%d\t%.1f %%\t%d\t%d\t%.1f %%\t%d\t%d\t %s\n",
			t.cases, t.parsed, t.facts, 100*stayed(t.facts, t.lost), t.extracted, t.guessed, 100*stayed(t.guessed, t.missed),
			t.raw, t.compact, 100*share(t.compact, t.raw), t.rawTokens, t.compactTokens, 100*share(t.compactTokens, t.rawTokens), t.falseVerdicts, t.empty, name)
	}
	for _, name := range names {
		row(name, tools[name])
	}
	row("total", total)
	w.Flush()
	keptAll := stayed(total.facts+total.guessed, total.lost+total.missed)
	for _, target := range []struct {
		what string
		met  bool
	}{
		{fmt.Sprintf("false verdicts: %d of at most 0", total.falseVerdicts), total.falseVerdicts == 0},
		{fmt.Sprintf("empty parses: %d of at most 0", total.empty), total.empty == 0},
		{fmt.Sprintf("facts kept: %.2f %% of at least %.0f %%; where a person wrote them down %.2f %%, where patterns found them at least %.2f %%", 100*keptAll, 100*keptTarget,
			100*stayed(total.facts, total.lost), 100*stayed(total.guessed, total.missed)), keptAll >= keptTarget},
		{fmt.Sprintf("bytes: %.1f %% of at most %.0f %%", 100*share(total.compact, total.raw), 100*bytesTarget), share(total.compact, total.raw) <= bytesTarget},
	} {
		verdict := "met   "
		if !target.met {
			verdict = "MISSED"
		}
		fmt.Fprintf(out, "%s  %s\n", verdict, target.what)
	}
}
