package parsers

import (
	"strings"
	"testing"

	"cairn/golden/runfile"
	"cairn/parsers/tool"
)

// anyProgram are the tools whose programs no list of names holds.
var anyProgram = map[string]string{
	"gcc": "names have a target before them and a version behind", "clang": "names have a target before them and a version behind",
	"ld": "names have a target before them and a version behind", "gfortran": "names have a target before them and a version behind",
	"go-test": "go test -c makes programs of any name",
	"django":  "a script of the project's own",
	"lua":     "names end with a version", "pip": "names end with a version",
}

// TestDeclaredPrograms: what is said where a tool is added holds for the parser. A
// program that is missing there would never be the tool's.
func TestDeclaredPrograms(t *testing.T) {
	commands := recordedCommands(t)
	for _, r := range rooms {
		for _, d := range r.Declared() {
			p := d.Parser()
			if any := d.MayRun("no program at all"); any != (anyProgram[p.Tool] != "") {
				t.Errorf("%s: asked about every command: %v; a tool that must be needs a reason here", p.Tool, any)
			}
			if d.Writes() != (len(p.Files) > 0) {
				t.Errorf("%s: added with tool.WritesFiles: %v, declares files: %v", p.Tool, d.Writes(), len(p.Files) > 0)
			}
			checkPrograms(t, d, p, commands)
		}
	}
}

func checkPrograms(t *testing.T, d *tool.Declared, p *tool.Parser, commands [][]string) {
	t.Helper()
	for _, name := range p.Programs {
		if !d.MayRun(name) {
			t.Errorf("%s: its program %s is not named where it is added", p.Tool, name)
		}
	}
	for _, argv := range commands {
		if p.Matches != nil && p.Matches(argv) && !d.MayRun(argv[0]) {
			t.Errorf("%s says that %q is its command, and is not asked: %s is not named where it is added", p.Tool, argv, argv[0])
		}
	}
}

// recordedCommands are the commands of the golden cases, and those with the programs of
// all parsers in their place.
func recordedCommands(t *testing.T) (all [][]string) {
	dirs, err := runfile.Dirs("../golden")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("the golden cases: %d, %v", len(dirs), err)
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		r, err := runfile.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		argv := table().Command(nil, r.Cmd).Argv
		if key := strings.Join(argv, "\x00"); len(argv) > 0 && !seen[key] {
			seen[key], all = true, append(all, argv)
		}
	}
	for _, p := range All() {
		for _, name := range p.Programs {
			all = append(all, []string{name}, []string{name, "test"}, []string{name, "check"}, []string{name, "build"})
		}
	}
	return all
}
