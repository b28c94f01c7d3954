package golden

import (
	"path"
	"slices"
	"strings"
	"testing"

	"cairn/parsers"
)

// lostByAnotherName are runs that are not read so yet, and why.
var lostByAnotherName = map[string]string{
	"pytest/report-none-quiet": "a traceback in Python's own form has absolute paths alone, and pytest's reader does not know a test's file by the link",
}

// TestByAnotherName: tools name the repository by a link to it as often as by its directory ("/private/tmp/shop" and
// "/tmp/shop"); a run has the same findings.
func TestByAnotherName(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		if strings.Count(c.Root, "/") < 2 || !strings.HasPrefix(c.Cwd, c.Root) {
			t.Skip("no directory of its own")
		}
		want := asRecorded(c)
		if slices.ContainsFunc(want.Findings, liesOutside) {
			t.Skip("a place outside of the repository has another way there")
		}
		in := c.Input(c.Output)
		in.Workspace.Root, in.Workspace.Aliases = otherRoot, []string{c.Root}
		in.Workspace.Dir = path.Join(otherRoot, strings.TrimPrefix(c.Cwd, c.Root))
		got := parsers.Parse(in, c.Exit)
		switch why := lostByAnotherName[c.Name]; {
		case fingerprints(got) == fingerprints(want) && why != "":
			t.Errorf("it is the same; take it off the list of those that are not: %s", why)
		case fingerprints(got) != fingerprints(want) && why == "":
			t.Errorf("%s is a link to %s:\n%s", c.Root, otherRoot, diff(identities(want), identities(got)))
		}
	})
}
