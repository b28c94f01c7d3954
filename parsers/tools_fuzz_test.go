package parsers

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/golden/runfile"
	"cairn/internal/racing"
	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// fuzzed is what is fuzzed under one name: the tools whose formats read the
// bytes, and the commands that printed them. Tools that none of these names are
// in FuzzRoom. `.ci/fuzz` runs them all.
type fuzzed struct {
	tools    []string
	seeds    []string // folders of golden, where they are not named as the tools
	commands []string
}

var (
	fuzzedPytest = fuzzed{tools: []string{"pytest"}, commands: []string{"pytest", "make test", "pytest -qq", "pytest | tail -5; true"}}
	fuzzedGoTest = fuzzed{tools: []string{"go-test"}, commands: []string{"go test ./...", "go test -json ./...", "make"}}
	fuzzedGo     = fuzzed{
		tools:    []string{"go-build", "go-vet", "go"},
		commands: []string{"go build ./...", "go vet ./...", "go run ./cmd/shop", "make", "go generate ./... && go build ./... && go vet ./..."},
	}
	fuzzedCargo = fuzzed{
		tools:    []string{"cargo-test", "cargo-nextest", "cargo-build", "cargo-check", "cargo-clippy", "rustc"},
		commands: []string{"cargo test", "cargo nextest run", "cargo clippy", "cargo build --message-format=json", "rustc x.rs", "make"},
	}
	fuzzedTsc    = fuzzed{tools: []string{"tsc"}, seeds: []string{"tsc", "tsgo"}, commands: []string{"tsc", "tsc -b --pretty", "npm run build"}}
	fuzzedESLint = fuzzed{tools: []string{"eslint"}, commands: []string{"eslint .", "npm run lint", "eslint -f json ."}}
	fuzzedRuff   = fuzzed{tools: []string{"ruff", "ruff-format"}, commands: []string{"ruff check", "ruff format --check", "make lint"}}
	fuzzedMypy   = fuzzed{tools: []string{"mypy"}, commands: []string{"mypy .", "dmypy run", "tox"}}
	fuzzedJUnit  = fuzzed{tools: []string{"junit"}, commands: []string{"gradle test", "cat report.xml", "ctest"}}
	// Whatever it is, it may be anybody's.
	fuzzedGeneric = fuzzed{seeds: []string{"generic", "composite"}, commands: []string{"make", "./run.sh", "pytest; ruff check; mypy .", ""}}
)

func FuzzPytest(f *testing.F) { fuzzedPytest.fuzz(f) }

func FuzzGoTest(f *testing.F) { fuzzedGoTest.fuzz(f) }

func FuzzGo(f *testing.F) { fuzzedGo.fuzz(f) }

func FuzzCargo(f *testing.F) { fuzzedCargo.fuzz(f) }

func FuzzTsc(f *testing.F) { fuzzedTsc.fuzz(f) }

func FuzzESLint(f *testing.F) { fuzzedESLint.fuzz(f) }

func FuzzRuff(f *testing.F) { fuzzedRuff.fuzz(f) }

func FuzzMypy(f *testing.F) { fuzzedMypy.fuzz(f) }

func FuzzJUnit(f *testing.F) { fuzzedJUnit.fuzz(f) }

func FuzzGeneric(f *testing.F) { fuzzedGeneric.fuzz(f) }

// FuzzArtifact reads stdout and stderr as a file that the run wrote and as what
// it printed.
func FuzzArtifact(f *testing.F) {
	for _, dir := range globbed(f, "../golden/artifacts/*") {
		r, err := runfile.Read(dir)
		if err != nil {
			f.Fatal(err)
		}
		printed := r.Stdout
		err = filepath.WalkDir(filepath.Join(dir, "artifacts"), func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // a case without files
			}
			text, err := os.ReadFile(name)
			if err == nil && len(text)+len(printed) <= maxFuzzed {
				f.Add(text, printed, uint8(1), uint16(len(text)))
			}
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	commands := []string{"pytest --junitxml=report.xml", "mvn -q test", "eslint . -o report.json -f json", "ruff check > report.xml", "make"}
	f.Fuzz(func(t *testing.T, file, printed []byte, code uint8, shape uint16) {
		if len(file)+len(printed) > maxFuzzed {
			return
		}
		in := tool.Input{
			Shell: commands[int(shape)%len(commands)], Source: term.Separate(printed, nil), Truncated: shape&64 != 0,
			Workspace: result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop", Home: "/home/dev", Tmp: "/tmp"},
			Artifacts: []tool.Artifact{{Path: "report.xml", Role: []tool.Role{"", tool.RoleReport, tool.RoleOutput}[int(shape>>8)%3], Named: shape&128 != 0, Data: bytes.NewReader(file), Size: int64(len(file))}},
		}
		exit := result.Exit{Observed: true, Code: int(code)}
		r := casetest.ParseKnown(in, exit)
		holds(t, "with a file", r, int64(len(printed)+len(file)))
		sameResult(t, "again", r, casetest.ParseKnown(in, exit))
	})
}

func globbed(f *testing.F, pattern string) []string {
	names, err := filepath.Glob(filepath.FromSlash(pattern))
	if err != nil || len(names) == 0 {
		f.Fatal("no recorded runs: ", pattern, err)
	}
	return names
}

// FuzzRoom runs the tools that have no target of their own, each under its own
// command: the one that its recorded runs were made with.
func FuzzRoom(f *testing.F) {
	z := fuzzedRoom()
	z.fuzz(f)
}

// fuzzedRoom is derived from what is registered.
func fuzzedRoom() (z fuzzed) {
	own := ownTargets()
	for _, p := range All() {
		if slices.Contains(own, p.Tool) {
			continue
		}
		cases, _ := filepath.Glob("../golden/" + p.Tool + "/*")
		for _, dir := range cases[:min(2, len(cases))] {
			if r, err := runfile.Read(dir); err == nil {
				z.commands = append(z.commands, r.Cmd)
			}
		}
		z.tools = append(z.tools, p.Tool)
	}
	z.commands = append(z.commands, "make", "")
	return z
}

// ownTargets are the tools that a target above names.
func ownTargets() (all []string) {
	for _, z := range []fuzzed{fuzzedPytest, fuzzedGoTest, fuzzedGo, fuzzedCargo, fuzzedTsc, fuzzedESLint, fuzzedRuff, fuzzedMypy, fuzzedJUnit} {
		all = append(all, z.tools...)
	}
	return all
}

// TestEveryParserIsProven: a parser that no recorded run goes through proves
// nothing, in fuzzing and in every other harness.
func TestEveryParserIsProven(t *testing.T) {
	for _, p := range All() {
		cases, _ := filepath.Glob("../golden/" + p.Tool + "/*/run")
		switch why := unseen[p.Tool]; {
		case len(cases) == 0 && why == "":
			t.Errorf("no recorded run of %s is in golden", p.Tool)
		case len(cases) > 0 && why != "":
			t.Errorf("%s is recorded now: take it off the list of those that are not", p.Tool)
		}
	}
}

// unseen are tools that could not be run where the others were recorded; their
// parsers follow what their manuals say of the format.
var unseen = map[string]string{
	"bazel":        "it is in no registry that was reached",
	"dart-analyze": "its SDK is in no registry that was reached",
	"dart-test":    "its SDK is in no registry that was reached",
	"pest":         "its package could not be fetched",
	"dotnet":       "its SDK is in no registry that was reached",
	"grype":        "it could not be built in reasonable time",
	"phpstan":      "its package could not be fetched",
	"psalm":        "its package could not be fetched",
	"standardrb":   "its gem could not be installed",
	"swift":        "its toolchain is in no registry that was reached",
	"vale":         "its module could not be fetched",
}

// maxFuzzed bounds what is fuzzed, in bytes: longer inputs say nothing new and
// take the time of many short ones.
const maxFuzzed = 24 << 10

// fuzz runs the recorded runs of the tools, and what becomes of them, through
// everything that must hold for any bytes. shape picks the command, the sizes
// of the chunks, and where the output is cut.
func (z fuzzed) fuzz(f *testing.F) {
	z.addSeeds(f)
	f.Fuzz(func(t *testing.T, stdout, stderr []byte, code uint8, shape uint16) {
		if len(stdout)+len(stderr) > maxFuzzed {
			return
		}
		in := tool.Input{
			Shell: z.commands[int(shape)%len(z.commands)], Source: term.Separate(stdout, stderr),
			Workspace: result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop/pkg", Home: "/home/dev", Tmp: "/tmp"},
		}
		exit := result.Exit{Observed: true, Code: int(code)}
		whole := casetest.ParseKnown(in, exit)
		holds(t, "whole", whole, int64(len(stdout)+len(stderr)))
		in.Source = lent{term.Separate(stdout, stderr), int(shape>>2)%67 + 1}
		sameResult(t, fmt.Sprintf("in chunks of %d", in.Source.(lent).size), whole, casetest.ParseKnown(in, exit))
		z.fuzzCut(t, in, exit, stdout, stderr, int(shape))
		z.fuzzFormats(t, in, stdout, stderr, int(shape))
	})
}

func (z fuzzed) addSeeds(f *testing.F) {
	folders := z.seeds
	if folders == nil {
		folders = z.tools
	}
	for _, folder := range folders {
		cases, err := filepath.Glob(filepath.Join("..", "golden", folder, "*"))
		if err != nil {
			f.Fatal(err)
		}
		for i, dir := range cases {
			if racing.Skips(i, 40) {
				continue // the seeds are run without the race detector, too
			}
			r, err := runfile.Read(dir)
			if err != nil {
				f.Fatal(err)
			}
			stdout, stderr := r.Stdout, r.Stderr
			code, err := strconv.ParseUint(r.Exit, 10, 8)
			if err != nil {
				code = 1 // a signal
			}
			if len(stdout)+len(stderr) <= maxFuzzed {
				f.Add(stdout, stderr, uint8(code), uint16(i))
			}
			reported, err := filepath.Glob(filepath.Join(dir, "artifacts", "*.xml"))
			if err != nil {
				f.Fatal(err)
			}
			for _, report := range reported {
				if text, err := os.ReadFile(report); err == nil && len(text) <= maxFuzzed {
					f.Add(text, stderr, uint8(code), uint16(i))
				}
			}
		}
	}
}

// holds is what must hold for the result of any output.
func holds(t *testing.T, what string, r *result.ToolResult, size int64) {
	t.Helper()
	if why, broken := r.Extra["broken"]; broken {
		t.Errorf("%s: %s", what, why)
	}
	good := r.Status == result.Passed || r.Status == result.OK
	if r.ExitCode == nil || *r.ExitCode != 0 {
		if good {
			t.Errorf("%s: a failing run is %s", what, r.Status)
		}
		if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
			t.Errorf("%s: parsed, with nothing, on a failing exit", what)
		}
	}
	if r.Truncated.Raw && (r.Status == result.Passed || r.ParserConfidence == result.Parsed) {
		t.Errorf("%s: cut, and yet %s and %s", what, r.Status, r.ParserConfidence)
	}
	if r.ParserConfidence == result.Untyped && len(r.Findings) > 0 {
		t.Errorf("%s: findings of nobody", what)
	}
	for _, f := range r.Findings {
		if good && f.Severity == result.SevFailure && r.Extra["shown"] == nil {
			t.Errorf("%s: %s, but %s failed", what, r.Status, f.ID)
		}
		isFinding(t, what, &f, size)
		if len(f.Fingerprint) != 12 || len(f.Group) != 12 {
			t.Errorf("%s: fingerprint %q, group %q", what, f.Fingerprint, f.Group)
		}
	}
	for name, n := range r.Counts {
		if n < 0 {
			t.Errorf("%s: %d %s", what, n, name)
		}
	}
}

// isFinding: it has what every finding has, and lies within the output.
func isFinding(t *testing.T, what string, f *result.Finding, size int64) {
	t.Helper()
	if f.Kind == "" || f.Severity == "" || strings.ContainsAny(f.Message, "\n\r") {
		t.Errorf("%s: not a finding: %+v", what, f)
	}
	if s := f.RawSpan; s != nil && (s.Start < 0 || s.End < s.Start || s.End > size) {
		t.Errorf("%s: span %+v of %d bytes", what, *s, size)
	}
	for _, at := range slices.Concat(f.Locations, f.Frames, placeOf(f)) {
		if at.Line < 0 || at.Column < 0 || at.EndLine < 0 || at.EndColumn < 0 {
			t.Errorf("%s: place %+v", what, at)
		}
	}
}

func placeOf(f *result.Finding) []result.Location {
	if f.At == nil {
		return nil
	}
	return []result.Location{*f.At}
}

func sameResult(t *testing.T, what string, want, got *result.ToolResult) {
	t.Helper()
	a, err1 := want.Indented()
	b, err2 := got.Indented()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s: another result:\n%s\nwas\n%s", what, b, a)
	}
}

// fuzzCut: of an output of which bytes are missing, nothing is taken for whole.
func (z fuzzed) fuzzCut(t *testing.T, in tool.Input, exit result.Exit, stdout, stderr []byte, shape int) {
	out := len(stdout) * (shape & 15) / 15
	in.Source, in.Truncated = term.Separate(stdout[:out], stderr), true
	holds(t, fmt.Sprintf("cut at %d", out), casetest.ParseKnown(in, exit), int64(out+len(stderr)))
	exit.Code = 0
	holds(t, fmt.Sprintf("cut at %d, exit 0", out), casetest.ParseKnown(in, exit), int64(out+len(stderr)))
}

// fuzzFormats reads with the tools' own formats what none of them may know. Of many
// tools it takes every eighth, from where shape says.
func (z fuzzed) fuzzFormats(t *testing.T, in tool.Input, stdout, stderr []byte, shape int) {
	size := int64(len(stdout) + len(stderr))
	for i, p := range All() {
		if !slices.Contains(z.tools, p.Tool) || len(z.tools) > 20 && i%8 != shape%8 {
			continue
		}
		for _, format := range p.Formats {
			in.Source = term.Separate(stdout, stderr)
			report := format.Parse(&in)
			if report == nil {
				continue
			}
			what := p.Tool + " " + format.Name
			for _, f := range report.Findings {
				isFinding(t, what, &f, size)
			}
			for _, s := range report.Covered {
				if s.Start < 0 || s.End < s.Start || s.End > size {
					t.Errorf("%s: covers %+v of %d bytes", what, s, size)
				}
			}
		}
	}
}

// lent yields pieces of a size whose bytes are overwritten once the next one
// is asked for.
type lent struct {
	of   term.Bytes
	size int
}

func (s lent) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		buf := make([]byte, s.size)
		for c := range s.of.Chunks() {
			for at := 0; at < len(c.Data); {
				n := copy(buf, c.Data[at:])
				if !yield(term.Chunk{Stream: c.Stream, Offset: c.Offset + int64(at), Data: buf[:n]}) {
					return
				}
				at += n
				copy(buf, bytes.Repeat([]byte("\nFAILED ok "), s.size/11+1))
			}
		}
	}
}
