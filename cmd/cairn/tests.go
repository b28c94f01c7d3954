package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"cairn/manifest"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/recall"
)

// testsForm is the requested format for a list of tests. Formats of results are mapped
// to those of lists.
func testsForm(format string, asMap bool) (string, error) {
	switch {
	case asMap:
		return "map", nil
	case format == "", format == "compact":
		return "table", nil
	case slices.Contains(outcomes.Formats, format):
		return format, nil
	}
	return "", fmt.Errorf("tests are printed as %s, and not as %q", listed(outcomes.Formats), format)
}

// testsFormFlags declares --format and --map for commands that print lists of tests.
func testsFormFlags(f *pflag.FlagSet, format *string, asMap *bool) {
	f.StringVar(format, "format", "table", "`FORM` of the output: "+strings.Join(outcomes.Formats, ", "))
	f.BoolVar(asMap, "map", false, "one JSON object of ids and words such as PASSED: --format map")
}

// putTests prints a list of tests. If the format cannot say that the list is
// incomplete, stderr says it.
func (a *app) putTests(form string, d outcomes.Document) error {
	if (form == "map" || form == "jsonl") && !d.Said.Complete {
		fmt.Fprintf(a.err, "cairn: %s\n", d.Summary())
	}
	return outcomes.Write(a.out, form, d)
}

// again returns a function that gives the command to run one of a run's tests.
func again(tool string, argv []string, line string) func(outcomes.Test) string {
	by := map[string]func(id string) []string{}
	return func(t outcomes.Test) string {
		name := cmp.Or(t.Tool, tool)
		if by[name] == nil {
			by[name] = parsers.Again(name, argv, line)
		}
		return recall.CommandLine(&manifest.Record{Argv: by[name](t.ID)})
	}
}
