package golden

import (
	"path"
	"slices"
	"testing"

	"cairn/parsers"
)

// TestFiles: a capture of the case would have kept the JUnit reports that the run wrote.
// Each of them is named by the command line or the environment, or lies where the
// command or its output says that reports may lie. And a run of which files were
// recorded wrote all that are named. Reports of other kinds are kept only if they are
// named.
func TestFiles(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		if len(c.Files) == 0 {
			return
		}
		named := c.named()
		var written []string
		for _, f := range c.Files {
			written = append(written, f.Path)
			if parsers.IsReport(f.Data) && !slices.Contains(named, f.Path) && !c.mayLie(f.Path) {
				t.Errorf("nothing says that the run writes %s: named are %q", f.Path, named)
			}
		}
		for _, name := range named {
			if !slices.Contains(written, name) {
				t.Errorf("%s is said to be written, and the run wrote %q", name, written)
			}
		}
	})
}

// mayLie says whether a file is in one of the places for reports that nobody named.
func (c Case) mayLie(file string) bool {
	s := parsers.New(c.Input(c.Output))
	s.Scan()
	return slices.ContainsFunc(append(parsers.PlacesOf(nil, c.Cmd), s.PlacesSeen()...), func(p parsers.Place) bool {
		ok, _ := path.Match(path.Join(p.Dir, p.Pattern), file)
		return ok
	})
}
