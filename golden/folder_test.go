package golden

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"cairn/outcomes"
	"cairn/result"
)

// otherInAFolder are runs of which the folder is a fact.
var otherInAFolder = map[string]string{
	"green/import-error":       "the larger repository holds the virtual environment",
	"junit/pytest-subdir":      "the larger repository holds the source that the test calls",
	"junit/pytest-subdir-text": "the same",
	"junit/vitest-parse-error": "vite names the file as its server does, from the folder",
	"pyupgrade/missing":        "the larger repository holds the virtual environment",
	"tap/node-tap-junit":       "the report names no file by itself: the suite that is called so stands before the name",
}

// TestInAFolderOfTheRepository: a run in a folder below the repository's top, as of a package of
// a monorepo, tells what it tells in a repository of its own. Its places and the names of its tests
// may begin with the folder; there are neither more of them nor fewer.
func TestInAFolderOfTheRepository(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		if strings.Count(c.Root, "/") < 2 {
			t.Skip("no directory of its own")
		}
		below := c
		below.Root = path.Dir(c.Root)
		folder := path.Base(c.Root) + "/"
		if strings.HasPrefix(c.Name, "cargo-test/") {
			t.Skip("a test of a crate that is not the repository's is named with its crate")
		}
		r, list, said := tested(c)
		if slices.ContainsFunc(r.Findings, liesOutside) {
			t.Skip("a place outside of the repository lies within the larger one")
		}
		want := toldBy(r, list, said, folder)
		r, list, said = tested(below)
		switch got, why := toldBy(r, list, said, folder), otherInAFolder[c.Name]; {
		case got == want && why != "":
			t.Errorf("it is the same in a folder; take it off the list of those that are not: %s", why)
		case got != want && why == "":
			t.Errorf("with %s as the repository:\n%s", below.Root, diff(want, got))
		}
	})
}

func liesOutside(f result.Finding) bool {
	return f.At != nil && (f.At.External || strings.HasPrefix(f.At.Path, "../") || strings.HasPrefix(f.At.Path, "~"))
}

// toldBy is what a run told, without the folder.
func toldBy(r *result.ToolResult, list outcomes.List, said *result.Outcomes, folder string) string {
	bare := func(s string) string { return strings.ReplaceAll(s, folder, "") }
	all := []string{}
	for _, f := range r.Findings {
		at := ""
		if f.At != nil {
			at = bare(fmt.Sprint(f.At.Path, ":", f.At.Line))
		}
		all = append(all, bare(fmt.Sprintf("%s %s %s %s %s: %s", f.Kind, f.Severity, at, f.ID, f.Rule, f.Message)))
	}
	for _, o := range list {
		all = append(all, bare(fmt.Sprintf("%s %s", o.Outcome, o.ID)))
	}
	slices.Sort(all)
	whole := ""
	if said != nil {
		whole = fmt.Sprint(said.Complete, said.Counts, said.Unnamed)
	}
	return fmt.Sprintf("%s %s %s\n%v %s\n%s", r.Tool, r.Status, r.ParserConfidence, r.Counts, whole, strings.Join(all, "\n"))
}
