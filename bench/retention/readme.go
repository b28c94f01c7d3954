package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"cairn/golden"
	"cairn/parsers"
	"cairn/result"
)

// The table of tools stands in the README between these lines.
const (
	tableBegins = "<!-- made by: go run ./bench/retention -readme README.md -->\n"
	tableEnds   = "<!-- end of what was made -->\n"
)

// proof is what the recorded runs say of one parser.
type proof struct {
	runs    int
	failing tally
}

// proofs replays every recorded run; a run counts for each tool that is found in
// it, its facts and bytes for the one that the result is of.
func proofs(cases []golden.Case) map[string]*proof {
	all := map[string]*proof{}
	of := func(tool string) *proof {
		if all[tool] == nil {
			all[tool] = new(proof)
		}
		return all[tool]
	}
	uncounted := func(string) int { return 0 }
	for _, c := range cases {
		r, _ := compactOf(c, c.Raw())
		for _, tool := range toolsOf(r) {
			of(tool).runs++
		}
		if (c.Failing() || len(c.Truth) > 0) && r.Parser != nil {
			of(r.Parser.Name).failing.add(measure(c, uncounted))
		}
	}
	return all
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

// toolTable is the README's table: what is declared of each parser, and what
// was proven of it here.
func toolTable(cases []golden.Case) string {
	all := proofs(cases)
	var b strings.Builder
	b.WriteString("| tool | recognised | formats | recorded runs | facts kept | bytes |\n|---|---|---|---|---|---|\n")
	for _, p := range parsers.All() {
		had := all[p.Tool]
		if had == nil {
			had = new(proof)
		}
		var formats []string
		for _, f := range p.Formats {
			formats = append(formats, f.Name)
		}
		t := &had.failing
		fmt.Fprintf(&b, "| %s | %s | %s | %d, %d failing | %s | %s |\n", p.Tool, p.About, strings.Join(formats, ", "), had.runs, t.cases,
			percent(t.facts+t.guessed-t.lost-t.missed, t.facts+t.guessed), percent(t.compact, t.raw))
	}
	return b.String()
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %% of %d", 100*share(part, whole), whole)
}

// withTable puts the table where the README has it.
func withTable(readme []byte, table string) ([]byte, error) {
	before, rest, ok := bytes.Cut(readme, []byte(tableBegins))
	_, after, closed := bytes.Cut(rest, []byte(tableEnds))
	if !ok || !closed {
		return nil, fmt.Errorf("there is no place for the table: no line %q followed by %q", strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds))
	}
	return bytes.Join([][]byte{before, []byte(tableBegins + "\n" + table + "\n" + tableEnds), after}, nil), nil
}

// rewrite brings the table in the file up to date.
func rewrite(file, corpus string) error {
	readme, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cases, err := golden.Load(corpus)
	if err == nil {
		readme, err = withTable(readme, toolTable(cases))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, readme, 0o666)
}
