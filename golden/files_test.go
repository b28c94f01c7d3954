package golden

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"cairn/golden/runfile"
	"cairn/parsers"
)

// TestOneRunFile: a case has one file run and no file without a byte, so that the
// collection stays small enough to be listed and searched.
func TestOneRunFile(t *testing.T) {
	for _, root := range []string{".", "pairs"} {
		dirs, err := runfile.Dirs(root)
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%d cases in %s: %v", len(dirs), root, err)
		}
		for _, dir := range dirs {
			for _, name := range []string{"cmd", "cwd", "version", "exit", "env", "root", "same", "order", "stdout", "stderr"} {
				info, err := os.Stat(filepath.Join(dir, name))
				if err == nil && (name[:3] != "std" || info.Size() == 0) {
					t.Errorf("golden/%s has a file %s of its own; make it one file run with: go run ./golden/convert golden", dir, name)
				}
			}
		}
	}
}

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
			if parsers.IsReport(f.Data) && !isNamed(named, f.Path) && !c.mayLie(f.Path) {
				t.Errorf("nothing says that the run writes %s: named are %q", f.Path, named)
			}
		}
		for _, name := range named {
			if !slices.ContainsFunc(written, func(file string) bool { return isNamed([]string{name}, file) }) {
				t.Errorf("%s is said to be written, and the run wrote %q", name, written)
			}
		}
	})
}

// mayLie says whether a file is in one of the places for reports that no one named.
func (c Case) mayLie(file string) bool {
	s := parsers.New(c.Input(c.Output))
	s.Scan()
	return slices.ContainsFunc(append(parsers.PlacesOf(nil, c.Cmd), s.PlacesSeen()...), func(p parsers.Place) bool {
		ok, _ := path.Match(path.Join(p.Dir, p.Pattern), file)
		return ok
	})
}
