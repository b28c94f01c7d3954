package cairn

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// allowed is who may import whom, and why not otherwise. A package that is not
// named here fails the test: give it a place first.
var allowed = []room{
	{"cairn", nil, "it has no code"},
	{"cairn/result", nil, "everyone speaks its words, so it may depend on no one"},
	{"cairn/outcomes", []string{"cairn/result"}, "a list of tests is the same whatever ran them"},
	{"cairn/render", []string{"cairn/result"}, "what is rendered is the one struct, wherever it came from"},
	{"cairn/parsers", []string{"cairn/internal/guard", "cairn/outcomes", "cairn/parsers/...", "cairn/result"}, "the door: a parser is a pure function of its input, so no store, no record, no repository"},
	{"cairn/parsers/text", nil, "it has no code"},
	{"cairn/parsers/text/glance", nil, "bytes are looked at, whatever they mean"},
	{"cairn/parsers/text/lex", []string{"cairn/result"}, "strings are strings, bounded as results are"},
	{"cairn/parsers/text/term", []string{"cairn/parsers/text/lex"}, "what a terminal shows is the same whatever the tool"},
	{"cairn/parsers/text/scan", []string{"cairn/parsers/text/glance", "cairn/parsers/text/lex", "cairn/parsers/text/scan/...", "cairn/parsers/text/term"}, "words are searched for in any text"},
	{"cairn/parsers/text/scan/scantest", nil, "it draws text"},
	{"cairn/parsers/text/shell", []string{"cairn/internal/bash", "cairn/parsers/text/lex", "cairn/parsers/text/term", "cairn/result"}, "what starts tools is read the same whatever tools there are"},
	{"cairn/parsers/text/xmltext", nil, "a syntax is the same whatever is written in it"},
	{"cairn/parsers/text/jsontext", []string{"cairn/parsers/text/lex", "cairn/parsers/text/term"}, "a syntax is the same whatever is written in it"},
	{"cairn/parsers/tool", []string{"cairn/outcomes", "cairn/parsers/text/...", "cairn/result"}, "the contract knows text, and neither a reader nor a tool"},
	{"cairn/parsers/read", []string{"cairn/outcomes", "cairn/parsers/read/...", "cairn/parsers/text/...", "cairn/parsers/tool", "cairn/result"}, "a reader knows a shape, and no tool; text lies below it, and the engine above"},
	{"cairn/parsers/read/...", []string{"cairn/outcomes", "cairn/parsers/read/...", "cairn/parsers/text/...", "cairn/parsers/tool", "cairn/result"}, "a reader knows a shape, and no tool; text lies below it, and the engine above"},
	{"cairn/parsers/internal/reports", []string{"cairn/parsers/text/lex", "cairn/parsers/text/shell", "cairn/parsers/tool", "cairn/result"}, "which files a run writes is read from its command line"},
	{"cairn/parsers/internal/engine", []string{"cairn/internal/guard", "cairn/outcomes", "cairn/parsers/internal/reports", "cairn/parsers/read/...", "cairn/parsers/text/...", "cairn/parsers/tool", "cairn/result"}, "the engine names no tool, so that a new tool edits no old file"},
	{"cairn/parsers/internal/casetest", []string{"cairn/golden/runfile", "cairn/internal/racing", "cairn/parsers/...", "cairn/result"}, "it is for tests, and replays recorded runs"},
	{"cairn/parsers/javascript", []string{"cairn/parsers/javascript/...", "cairn/parsers/tool", "cairn/parsers/read", "cairn/parsers/read/...", "cairn/parsers/text/lex", "cairn/parsers/text/xmltext", "cairn/parsers/text/jsontext", "cairn/result"}, "a tool with many formats has a folder of its own below its room"},
	{"cairn/parsers/python", []string{"cairn/parsers/python/...", "cairn/parsers/tool", "cairn/parsers/read", "cairn/parsers/read/...", "cairn/parsers/text/lex", "cairn/parsers/text/xmltext", "cairn/parsers/text/jsontext", "cairn/result"}, "a tool with many formats has a folder of its own below its room"},
	{"cairn/parsers/...", []string{"cairn/parsers/tool", "cairn/parsers/read", "cairn/parsers/read/...", "cairn/parsers/text/lex", "cairn/parsers/text/xmltext", "cairn/parsers/text/jsontext", "cairn/result"}, "a room knows its own tools only: what two rooms need is a reader"},
	{"cairn/objects", []string{"cairn/internal/ambiguous", "cairn/internal/durable", "cairn/internal/lockfile", "cairn/internal/recent", "cairn/objects/packfile"}, "bytes by digest, whoever's they are"},
	{"cairn/objects/packfile", nil, "the format of one file; names, locks and what is packed are the store's"},
	{"cairn/manifest", []string{"cairn/result", "cairn/internal/ambiguous", "cairn/internal/durable", "cairn/internal/gitrepo", "cairn/internal/lockfile"}, "records name objects by id and never open them"},
	{"cairn/redact", nil, "secrets are found in text, whatever it says"},
	{"cairn/redact/...", []string{"cairn/redact"}, "its generator"},
	{"cairn/internal/gitrepo", []string{"cairn/internal/gitconfig", "cairn/internal/lockfile"}, "git knows nothing of captures"},
	{"cairn/internal/gitconfig", nil, "a syntax is the same whatever is set in it"},
	{"cairn/internal/lockfile", nil, "a lock is a lock"},
	{"cairn/internal/detach", nil, "a process is left behind the same whatever it does"},
	{"cairn/internal/durable", nil, "a disk does not know what is written to it"},
	{"cairn/internal/ambiguous", nil, "a beginning that several ids share is the same error for runs and for objects"},
	{"cairn/internal/diffdriver", []string{"cairn/internal/durable", "cairn/internal/gitrepo"}, "it sets two settings of git, whoever asks for it"},
	{"cairn/internal/racing", nil, "it is for tests, and says one thing of how they were built"},
	{"cairn/internal/githooks", []string{"cairn/internal/durable", "cairn/internal/gitrepo"}, "it writes files that call a program, whatever that does"},
	{"cairn/internal/nobodytest", nil, "it is for tests, and runs one of them as an ordinary user"},
	{"cairn/internal/build", nil, "what the toolchain wrote down is read the same in each program"},
	{"cairn/internal/bash", nil, "a line is read the same whoever runs it"},
	{"cairn/internal/guard", nil, "a panic is caught the same wherever it comes from"},
	{"cairn/internal/watch", nil, "when to run again is decided the same whatever is run"},
	{"cairn/internal/recent", nil, "memory is shared, whatever it holds"},
	{"cairn/internal/streams", nil, "a format of its own"},
	{"cairn/internal/own", []string{"cairn/internal/durable", "cairn/internal/guard", "cairn/parsers", "cairn/result"}, "a project's own rules become parsers like any other; who runs commands hands them over"},
	{"cairn/internal/tokens", []string{"cairn/internal/build"}, "text is counted, whatever it says"},
	{"cairn/internal/sources", []string{"cairn/result"}, "files of a workspace are looked at, whoever asks"},
	{"cairn/internal/place", []string{"cairn/internal/gitrepo", "cairn/internal/lockfile", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/result"}, "it opens the store and the record for those who ask"},
	{"cairn/capture/child", nil, "a child is run the same whoever keeps its bytes"},
	{"cairn/capture/stage", []string{"cairn/capture/stage/wire", "cairn/internal/bash"}, "the commands of a line are told apart whoever keeps their bytes"},
	{"cairn/capture/stage/wire", nil, "both ends share it, and one of them starts for each command"},
	{"cairn/cmd/cairn-stage", []string{"cairn/capture/stage/wire"}, "it starts for each command of a line, so it is made of little"},
	{"cairn/capture/recovery", []string{"cairn/internal/guard", "cairn/internal/lockfile", "cairn/internal/streams", "cairn/manifest", "cairn/objects"}, "what is left of a run is found and kept the same whatever its record will say"},
	{"cairn/capture", []string{"cairn/capture/child", "cairn/capture/recovery", "cairn/capture/stage", "cairn/capture/stage/wire", "cairn/internal/...", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/parsers", "cairn/render", "cairn/redact", "cairn/result"}, "the pipeline; it asks no questions of the record"},
	{"cairn/agents", []string{"cairn/manifest", "cairn/recall/filter"}, "who ran it, and what is installed; the ways in are below it"},
	{"cairn/agents/hosts", nil, "files that others read; where they go is the affair of setup"},
	{"cairn/agents/shell", []string{"cairn/agents", "cairn/capture", "cairn/capture/child", "cairn/capture/stage", "cairn/internal/...", "cairn/parsers", "cairn/recall", "cairn/render", "cairn/result"}, "a way in captures, and asks of the record only what an earlier run on the same tree said"},
	{"cairn/agents/prune", nil, "a pure function of a conversation"},
	{"cairn/agents/inherit", nil, "a pure function of a conversation"},
	{"cairn/agents/timeline", nil, "a pure function of events; who uses it says where bytes are kept"},
	{"cairn/agents/timeline/kept", []string{"cairn/agents/timeline", "cairn/internal/...", "cairn/manifest", "cairn/objects", "cairn/redact", "cairn/result"}, "files and records of timelines; how a subagent is run is not its affair"},
	{"cairn/agents/timeline/web", []string{"cairn/agents/timeline", "cairn/agents/timeline/kept", "cairn/internal/build", "cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/recall", "cairn/report"}, "it shows what is kept, and changes nothing"},
	{"cairn/agents/subagent", []string{"cairn/agents/inherit", "cairn/agents/timeline", "cairn/capture/child"}, "it runs an agent and tells what it does; who calls it says where that is kept"},
	{"cairn/agents/setup", []string{"cairn/internal/build", "cairn/internal/durable", "cairn/agents", "cairn/agents/hosts", "cairn/agents/shell"}, "it edits settings of others, and tries what it installed by running it"},
	{"cairn/agents/hook", []string{"cairn/internal/bash", "cairn/internal/guard", "cairn/agents/shell", "cairn/capture", "cairn/internal/place", "cairn/manifest", "cairn/prove", "cairn/recall", "cairn/render", "cairn/result"}, "it asks the record, and runs nothing"},
	{"cairn/agents/rpc/wire", nil, "both ends share it, and one of them is a small program"},
	{"cairn/agents/rpc", []string{"cairn/agents", "cairn/agents/...", "cairn/capture", "cairn/capture/child", "cairn/internal/...", "cairn/manifest", "cairn/parsers", "cairn/recall", "cairn/render", "cairn/result"}, "it translates requests, and knows which parsers there are; it parses nothing itself"},
	{"cairn/agents/mcp", []string{"cairn/internal/guard", "cairn/agents", "cairn/agents/rpc/wire"}, "it translates for cairn rpc, which does the work"},
	{"cairn/cmd/cairn-mcp", []string{"cairn/agents/mcp", "cairn/agents/rpc/wire", "cairn/internal/build"}, "a program of its own, so that the SDK costs no start of cairn"},
	{"cairn/cmd/cairn-timeline", []string{"cairn/agents/timeline/web"}, "a program of its own, so that net/http costs no start of cairn"},
	{"cairn/cmd/cairn-tokens", []string{"cairn/internal/tokens"}, "a program of its own, so that the vocabulary costs no start of cairn"},
	{"cairn/recall", []string{"cairn/internal/...", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/recall/filter", "cairn/recall/index", "cairn/render", "cairn/redact", "cairn/result"}, "questions only: it parses nothing and runs nothing"},
	{"cairn/prove", []string{"cairn/capture", "cairn/internal/gitrepo", "cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/parsers", "cairn/recall", "cairn/recall/filter", "cairn/render", "cairn/result"}, "it judges what the record says of a tree, and runs nothing"},
	{"cairn/attest", []string{"cairn/capture", "cairn/internal/build", "cairn/internal/gitrepo", "cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/parsers", "cairn/recall", "cairn/redact", "cairn/result"}, "it signs what the record says, and derives it again; it asks no one's opinion of it"},
	{"cairn/cmd/cairn-attest", []string{"cairn/attest"}, "a program of its own, so that the keys of SSH cost no start of cairn"},
	{"cairn/recall/filter", nil, "names and meanings of filters; every way in can afford it"},
	{"cairn/recall/screens", []string{"cairn/manifest", "cairn/outcomes", "cairn/recall", "cairn/render", "cairn/result"}, "it draws answers, and asks nothing"},
	{"cairn/recall/index", []string{"cairn/internal/lockfile", "cairn/manifest"}, "rows of records, whatever they mean"},
	{"cairn/report", []string{"cairn/internal/build", "cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/prove", "cairn/recall", "cairn/recall/filter", "cairn/redact", "cairn/render", "cairn/result"}, "it tells what the record says in the forms of others; it runs nothing and serves nothing"},
	{"cairn/report/ci", []string{"cairn/report"}, "it knows hosts of CI, and puts there what a report says"},
	{"cairn/golden/runfile", nil, "a format of its own"},
	{"cairn/golden/convert", []string{"cairn/golden/runfile"}, "it writes what the package runfile reads"},
	{"cairn/golden", []string{"cairn/golden/runfile", "cairn/internal/...", "cairn/outcomes", "cairn/parsers", "cairn/render", "cairn/result"}, "the harness replays recorded runs and keeps nothing"},
	{"cairn/internal/remotes", nil, "both ends share it, and one of them is cairn, which starts often"},
	{"cairn/remote", []string{"cairn/internal/durable", "cairn/internal/lockfile", "cairn/objects"}, "bytes travel by digest, whatever they are"},
	{"cairn/remote/cmd/cairn-remote", []string{"cairn/internal/build", "cairn/internal/place", "cairn/internal/remotes", "cairn/manifest", "cairn/objects", "cairn/recall", "cairn/remote", "cairn/remote/...", "cairn/result"}, "a program of its own, so that clients of object stores cost no start of cairn"},
	{"cairn/remote/bench", []string{"cairn/objects", "cairn/remote", "cairn/remote/..."}, "it measures places beside their own clients, with the libraries of this module"},
	{"cairn/remote/lfs", []string{"cairn/internal/gitrepo", "cairn/remote"}, "names of bodies lie in git, so it asks git as all others do"},
	{"cairn/remote/...", []string{"cairn/internal/durable", "cairn/remote"}, "one kind of place each"},
	{"cairn/internal/fleets", []string{"cairn/recall/filter"}, "both ends share it, and one of them is cairn, which starts often"},
	{"cairn/fleet", []string{"cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/recall", "cairn/render", "cairn/result"}, "a record becomes rows the same wherever they go"},
	{"cairn/fleet/export", []string{"cairn/fleet", "cairn/internal/build", "cairn/internal/durable", "cairn/internal/lockfile", "cairn/manifest"}, "files of rows, whatever they say"},
	{"cairn/fleet/otlp", []string{"cairn/fleet", "cairn/internal/build"}, "rows as spans, whatever they say"},
	{"cairn/fleet/postgres", []string{"cairn/fleet", "cairn/recall/filter"}, "rows in a database, and what is asked of them there"},
	{"cairn/fleet/fleettest", []string{"cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/result"}, "it makes records for tests, and reads none"},
	{"cairn/fleet/cmd/cairn-fleet", []string{"cairn/fleet", "cairn/fleet/...", "cairn/internal/build", "cairn/internal/fleets", "cairn/internal/remotes", "cairn/render", "cairn/result"}, "a program of its own, so that the libraries of Parquet and PostgreSQL cost no start of cairn"},
	{"cairn/ui", []string{"cairn/internal/place", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/recall", "cairn/recall/filter", "cairn/recall/screens", "cairn/render", "cairn/result"}, "it asks package recall, and shows the answers"},
	{"cairn/ui/cmd/cairn-ui", []string{"cairn/capture", "cairn/internal/build", "cairn/internal/place", "cairn/manifest", "cairn/recall/filter", "cairn/result", "cairn/ui"}, "a program of its own, so that a library of screens costs no start of cairn"},
	{"cairn/bench/...", []string{"cairn/..."}, "it measures everything, and is a module of its own"},
	{"cairn/cmd/cairn", []string{"cairn/agents", "cairn/agents/...", "cairn/capture/...", "cairn/capture", "cairn/internal/...", "cairn/manifest", "cairn/objects", "cairn/outcomes", "cairn/parsers", "cairn/prove", "cairn/recall", "cairn/recall/filter", "cairn/recall/screens", "cairn/render", "cairn/redact", "cairn/report", "cairn/report/ci", "cairn/result"}, "flags, calls and exit codes"},
}

// room is one package, or several, and what they may import.
type room struct {
	pkg  string
	from []string // packages of this module; "x/..." is x and all below
	why  string
}

// goPackage is what this test needs of go list -json.
type goPackage struct {
	ImportPath, Dir         string
	GoFiles, IgnoredGoFiles []string
}

// modules are the folders of the modules: the product, what measures it, what carries its objects elsewhere, what makes tables of records, and what shows them on a terminal.
var modules = []string{".", "bench", "remote", "fleet", "ui"}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	var all []goPackage
	for _, dir := range modules {
		cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,IgnoredGoFiles", "./...")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list in %s: %v", dir, err)
		}
		for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
			var p goPackage
			if err := dec.Decode(&p); err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
	}
	return all
}

func matches(pattern, pkg string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	}
	return pkg == pattern
}

// TestImportDirection: cmd → capture, recall, render → objects, manifest,
// parsers → result, and never back.
func TestImportDirection(t *testing.T) {
	for _, p := range listPackages(t) {
		i := slices.IndexFunc(allowed, func(r room) bool { return matches(r.pkg, p.ImportPath) })
		if i < 0 {
			t.Errorf("%s has no place in the house: add it to allowed, with a reason", p.ImportPath)
			continue
		}
		for _, imp := range importsOf(t, p) {
			if matches("cairn/...", imp) && !slices.ContainsFunc(allowed[i].from, func(f string) bool { return matches(f, imp) }) {
				t.Errorf("%s imports %s, which it must not: %s", p.ImportPath, imp, allowed[i].why)
			}
		}
	}
}

// importsOf reads the files themselves, so that those of other systems count.
func importsOf(t *testing.T, p goPackage) []string {
	t.Helper()
	var all []string
	for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			all = append(all, strings.Trim(spec.Path.Value, `"`))
		}
	}
	return all
}

// TestOneOfEach: what has to hold everywhere is done in one place.
func TestOneOfEach(t *testing.T) {
	for _, only := range []struct {
		what  *regexp.Regexp
		place string
		why   string
	}{
		{regexp.MustCompile(`\b(?:unix|syscall)\.(?:Flock|FcntlFlock)\b|\bLockFileEx\(`), "internal/lockfile", "two kinds of lock on one file do not see one another"},
		{regexp.MustCompile(`(?i)func (?:\([^)]*\) )?(?:fsync|sync)Dir\(.*\{\s*$`), "internal/durable", "which errors of a sync mean nothing is decided once"},
		{regexp.MustCompile(`(?i)func (?:\([^)]*\) )?is_?(?:abs|absolute|abspath|rooted)\(.*\{\s*$`), "result", "what opens from anywhere is the same on every machine that reads an output"},
		{regexp.MustCompile(`type \w*Ambiguous\w* struct|is the beginning of`), "internal/ambiguous", "a person reads it in one form, and a program tells it by one type"},
	} {
		found := false
		err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			for line := range strings.Lines(string(text)) {
				switch code, _, _ := strings.Cut(line, "//"); {
				case !only.what.MatchString(code):
				case matches(only.place+"/...", path.Dir(filepath.ToSlash(name))):
					found = true
				default:
					t.Errorf("%s: %q belongs into %s: %s", name, strings.TrimSpace(line), only.place, only.why)
				}
			}
			return err
		})
		if err != nil || !found {
			t.Errorf("%s has no %s, so this test looks for the wrong words: %v", only.place, only.what, err)
		}
	}
}

// TestOneRecover: a panic is caught by package guard alone, so that all of them are told
// alike and none is swallowed.
func TestOneRecover(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if p.ImportPath != "cairn/internal/guard" && strings.Contains(string(text), "recover()") {
				t.Errorf("%s/%s calls recover: use package guard", p.ImportPath, name)
			}
		}
	}
}

// TestParsersArePure: the packages that could make a parser depend on anything
// but its input.
func TestParsersArePure(t *testing.T) {
	for _, p := range listPackages(t) {
		if !matches("cairn/parsers/...", p.ImportPath) && p.ImportPath != "cairn/result" || p.ImportPath == "cairn/parsers/internal/casetest" {
			continue
		}
		for _, imp := range importsOf(t, p) {
			switch imp {
			case "os", "os/exec", "path/filepath", "net", "net/http", "time", "math/rand", "math/rand/v2", "crypto/rand", "syscall":
				t.Errorf("%s imports %s: a result must be a function of the bytes alone, on every machine", p.ImportPath, imp)
			}
		}
	}
}

// TestEveryPackageIsDocumented: the comment is the promise, so a name repeated
// is not enough.
func TestEveryPackageIsDocumented(t *testing.T) {
	for _, p := range listPackages(t) {
		doc := packageDoc(t, p)
		if len(strings.Fields(doc)) < 12 {
			t.Errorf("%s: the package comment must say what it promises and what may go in it, not %q", p.ImportPath, doc)
		}
	}
}

func packageDoc(t *testing.T, p goPackage) string {
	t.Helper()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			return f.Doc.Text()
		}
	}
	return ""
}

// TestNotice: every direct dependency has a line that says what for, and no
// line speaks of one that is gone.
func TestNotice(t *testing.T) {
	notice, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for _, dir := range modules {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(mod)) {
			f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
			if len(f) >= 2 && strings.Contains(f[0], ".") && strings.HasPrefix(f[1], "v") && !strings.Contains(line, "// indirect") {
				direct[f[0]] = true
			}
		}
	}
	if len(direct) == 0 {
		t.Fatal("found no direct dependency in go.mod")
	}
	for dep := range direct {
		if !strings.Contains(string(notice), "\n"+dep+"  ") {
			t.Errorf("NOTICE has no line for %s: say what it is for", dep)
		}
	}
	for line := range strings.Lines(string(notice)) {
		if f := strings.Fields(line); len(f) > 1 && strings.Contains(f[0], ".") && strings.Contains(f[0], "/") && path.Clean(f[0]) == f[0] && !direct[f[0]] && !strings.HasPrefix(line, " ") {
			t.Errorf("NOTICE speaks of %s, which go.mod does not require directly", f[0])
		}
	}
}

// TestNothingLeftForLater: what is not done is not hinted at in the code.
func TestNothingLeftForLater(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || name == "house_test.go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, group := range f.Comments {
			checkComment(t, name, group)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// coined are phrases that a reader has to translate: say who does what.
var coined = regexp.MustCompile(`(?i)\b(is none|what stands|told of|is told|tells of|nobody|whoever)\b`)

func checkComment(t *testing.T, name string, group *ast.CommentGroup) {
	t.Helper()
	if phrase := coined.FindString(group.Text()); phrase != "" {
		t.Errorf("%s: a comment says %q; say it plainly, with a subject and a verb", name, phrase)
	}
	for _, word := range strings.FieldsFunc(group.Text(), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch word {
		case "TODO", "FIXME", "XXX", "HACK":
			t.Errorf("%s: a comment says %s; finish it or take it out", name, word)
		}
	}
}

// TestCommentsNameWhatTheyDescribe: a comment that begins with the name of a function
// or a type that stands elsewhere, or that was called so once, sends its reader to
// look for it.
func TestCommentsNameWhatTheyDescribe(t *testing.T) {
	otherName := regexp.MustCompile(`^[a-z]+[A-Z]\w*`)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for described, doc := range documented(f) {
			first, _, _ := strings.Cut(doc.Text(), " ")
			first = strings.TrimRight(strings.TrimSpace(first), ".,:;")
			if first != described && (strings.EqualFold(first, described) || otherName.FindString(first) == first && first != "") {
				t.Errorf("%s: the comment of %s begins with %q", name, described, first)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// documented are the comments of a file's functions and types, by their names.
func documented(f *ast.File) iter.Seq2[string, *ast.CommentGroup] {
	return func(yield func(string, *ast.CommentGroup) bool) {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Doc != nil && !yield(d.Name.Name, d.Doc) {
					return
				}
			case *ast.GenDecl:
				if d.Doc == nil || d.Lparen.IsValid() {
					continue
				}
				var name string
				switch spec := d.Specs[0].(type) {
				case *ast.TypeSpec:
					name = spec.Name.Name
				case *ast.ValueSpec:
					name = spec.Names[0].Name
				default:
					continue
				}
				if !yield(name, d.Doc) {
					return
				}
			}
		}
	}
}
