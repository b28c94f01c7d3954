package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/golden"
	"cairn/internal/tokens"
	"cairn/parsers"
	"cairn/result"
)

// Lines around the table of tools in docs/tools.md.
const (
	tableBegins = "<!-- made by: go -C bench run ./retention -tools docs/tools.md -->\n"
	tableEnds   = "<!-- end of what was made -->\n"
)

// proof is what the recorded runs show about one parser.
type proof struct {
	runs    int
	failing tally
}

// proofs replays every recorded run. A run counts for each tool found in it; its facts and bytes count for the tool of
// the result. The total includes runs that no parser knows.
func proofs(cases []golden.Case, count tokens.Counter) (all map[string]*proof, total tally) {
	all = map[string]*proof{}
	of := func(tool string) *proof {
		if all[tool] == nil {
			all[tool] = new(proof)
		}
		return all[tool]
	}
	for _, c := range cases {
		r, _ := compactOf(c, c.Raw())
		for _, tool := range toolsOf(r) {
			of(tool).runs++
		}
		if c.Failing() || len(c.Truth) > 0 {
			m := measure(c, count)
			total.add(m)
			if r.Parser != nil {
				of(r.Parser.Name).failing.add(m)
			}
		}
	}
	return all, total
}

func toolsOf(r *result.ToolResult) (tools []string) {
	if r.Parser != nil {
		return []string{r.Parser.Name}
	}
	for _, p := range r.Parts {
		tools = append(tools, p.Tool)
	}
	return tools
}

// toolTable returns the table of all tools: what each parser declares, and what the recorded runs prove.
func toolTable(cases []golden.Case, count tokens.Counter) string {
	all, total := proofs(cases, count)
	var b strings.Builder
	fmt.Fprintf(&b, "%d tools. %s\n\n", len(parsers.All()), total.sentence())
	b.WriteString("| tool | recognised | formats | recorded runs | facts kept | bytes | tokens |\n|---|---|---|---|---|---|---|\n")
	for _, p := range parsers.All() {
		had := all[p.Tool]
		if had == nil {
			had = new(proof)
		}
		var formats []string
		for _, f := range p.Formats {
			if !slices.Contains(formats, f.Name) {
				formats = append(formats, f.Name)
			}
		}
		t := &had.failing
		fmt.Fprintf(&b, "| %s | %s | %s | %d, %d failing | %s | %s | %s |\n", p.Tool, p.About, strings.Join(formats, ", "), had.runs, t.cases,
			percent(t.facts+t.guessed-t.lost-t.missed, t.facts+t.guessed), percent(t.compact, t.raw), arrow(t.rawTokens, t.compactTokens))
	}
	return b.String()
}

// sentence sums up all parsers.
func (t *tally) sentence() string {
	facts := t.facts + t.guessed
	return fmt.Sprintf("In %d recorded failing runs the compact form keeps %s facts, in %s bytes of output (%d tokens become %d).",
		t.cases, percent(facts-t.lost-t.missed, facts), percent(t.compact, t.raw), t.rawTokens, t.compactTokens)
}

func arrow(raw, compact int) string {
	if raw == 0 {
		return "–"
	}
	return fmt.Sprintf("%d → %d", raw, compact)
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %% of %d", 100*share(part, whole), whole)
}

// withTable replaces a table in the page.
func withTable(page []byte, begins, ends, table string) ([]byte, error) {
	before, rest, ok := bytes.Cut(page, []byte(begins))
	_, after, closed := bytes.Cut(rest, []byte(ends))
	if !ok || !closed {
		return nil, fmt.Errorf("there is no place for the table: no line %q followed by %q", strings.TrimSpace(begins), strings.TrimSpace(ends))
	}
	return bytes.Join([][]byte{before, []byte(begins + "\n" + table + "\n" + ends), after}, nil), nil
}

// withTables returns the page with both tables made from the recorded runs.
func withTables(page []byte, cases []golden.Case) ([]byte, error) {
	count, err := tokens.New()
	if err != nil {
		return nil, err
	}
	beside, err := rowTable(cases, count)
	if err == nil {
		page, err = withTable(page, rowsBegin, rowsEnd, beside)
	}
	if err != nil {
		return nil, err
	}
	return withTable(page, tableBegins, tableEnds, toolTable(cases, count))
}

// rewrite updates the tables in the file.
func rewrite(file, corpus string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cases, err := golden.Load(corpus)
	if err == nil {
		page, err = withTables(page, cases)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, page, 0o666)
}
