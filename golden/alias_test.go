package golden

import (
	"path"
	"slices"
	"strings"
	"testing"

	"cairn/parsers"
)

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
		if fingerprints(got) != fingerprints(want) {
			t.Errorf("%s is a link to %s:\n%s", c.Root, otherRoot, diff(identities(want), identities(got)))
		}
	})
}
