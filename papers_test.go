package cairn

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// papers are the pages for people, by their size in bytes where that is bounded.
var papers = map[string]int{
	"README.md": 12_000, "CONTRIBUTING.md": 4_000, "CHANGELOG.md": 0, "bench/README.md": 0,
	"docs/design.md": 0, "docs/record.md": 8_000, "docs/tools.md": 0, "docs/adding-a-tool.md": 12_000, "docs/agents.md": 0,
	"docs/report.md": 12_000, "docs/fleet.md": 0,
}

func readPaper(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPapersLink: a link between pages leads to a file, and no page has grown beyond
// what is read in a minute.
func TestPapersLink(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	for name, most := range papers {
		text := readPaper(t, name)
		if most > 0 && len(text) > most {
			t.Errorf("%s has %d bytes, of at most %d: move details to a page below docs", name, len(text), most)
		}
		for _, to := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(to[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), to[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, to[1], err)
			}
		}
	}
}

// TestDesignNamesEveryFolder: the house as it is drawn is the house.
func TestDesignNamesEveryFolder(t *testing.T) {
	design, readme := readPaper(t, "docs/design.md"), readPaper(t, "README.md")
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if below, _ := os.ReadDir(e.Name()); len(below) > 0 && !strings.HasPrefix(e.Name(), ".") {
			folders = append(folders, e.Name()+"/")
		}
	}
	for _, f := range folders {
		if !strings.Contains(design, "| `"+f+"` |") || !strings.Contains(readme, f) {
			t.Errorf("docs/design.md and the README must say what the folder %s holds", f)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+/)` \\|").FindAllStringSubmatch(design, -1) {
		if !slices.Contains(folders, row[1]) {
			t.Errorf("docs/design.md speaks of a folder %s, which is not there", row[1])
		}
	}
}

// TestExamplesAreTheCode: the parsers shown in docs/adding-a-tool.md are those of the
// program, and the files that it names are there.
func TestExamplesAreTheCode(t *testing.T) {
	page := readPaper(t, "docs/adding-a-tool.md")
	shown := regexp.MustCompile("(?s)`(parsers/[a-z/]+\\.go)`[^`]*```go\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(shown) != 2 {
		t.Fatalf("the page shows %d files, want 2", len(shown))
	}
	for _, s := range shown {
		if readPaper(t, s[1]) != s[2] {
			t.Errorf("docs/adding-a-tool.md shows another %s than there is", s[1])
		}
	}
	for _, named := range regexp.MustCompile("`([a-z]+/[a-z]+\\.go)` \\|").FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join("parsers", named[1])); err != nil {
			t.Errorf("docs/adding-a-tool.md names an example that is not there: %v", err)
		}
	}
}

// TestChangelogIsShort: a change is a line that people read to its end.
func TestChangelogIsShort(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(readPaper(t, "CHANGELOG.md")) {
		line = strings.TrimSpace(line)
		if n := utf8.RuneCountInString(line); n > 160 {
			t.Errorf("CHANGELOG.md: a line has %d characters, of at most 160: %s", n, line)
		}
		if strings.HasPrefix(line, "- ") && seen[line] {
			t.Errorf("CHANGELOG.md says twice: %s", line)
		}
		seen[line] = true
	}
}
