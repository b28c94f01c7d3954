package golang

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// goRun is the content of one output of go test, in either format.
type goRun struct {
	in           *tool.Input
	files        *place.Files
	argv         goCommand
	report       *tool.Report
	build        goBuild
	dirs         goDirs
	openSections []*goSection
	pkgs         []string // all packages named, in order
	buildFailed  []string
	said         []string // lines of the go command itself: "go: …", usage

	okPackages, failedPackages, noTests int
	passed, failed, skipped             int
	events                              bool // the format is -json
	verbose                             bool
	refused                             bool // the go command did not run anything

	now      result.Span // the line that is being read
	stream   tool.Stream // the stream of that line
	saidSpan result.Span
	claimed  int
	lost     int  // sections without a trailer
	shows    bool // the output shows the command
	binary   bool // a test binary was run without the go command; it prints no trailer
	binaries int  // sections that test binaries printed
	final    bool // "FAIL" alone at the end
	whole    bool // the last line ended with a newline
}

// maxPackages bounds the package names that are kept; a run with more is still treated as complete.
const maxPackages = 100_000

func newGoRun(in *tool.Input) *goRun {
	run := &goRun{in: in, report: in.NewReport(), files: place.NewFiles(in.Workspace), whole: true}
	run.report.Claimed = 0
	run.runs(readGoCommand(in, "test"))
	run.binary = runsGoBinary(in)
	return run
}

// runs sets the command that was run, and the directories that follow from it.
func (run *goRun) runs(c goCommand) {
	dir := cmp.Or(run.in.Workspace.Dir, run.in.Workspace.Root)
	run.argv, run.dirs.start = c, c.chdir
	run.dirs.name = path.Base(path.Join("/", strings.ReplaceAll(dir, `\`, "/"), c.chdir))
}

// shown takes a line that may show the command, if the command line does not name it. If lines
// show different commands, none is used.
func (run *goRun) shown(line string) {
	if run.argv.known && !run.shows || run.shows && !run.argv.known {
		return
	}
	args := shownGoTest(run.in, line)
	switch {
	case args == nil:
	case !run.shows:
		run.shows = true
		run.runs(readGoArgs(args))
	case !slices.Equal(readGoArgs(args).patterns, run.argv.patterns):
		run.runs(goCommand{})
	}
}

// quiet says whether the command is known and does not make go test print tests that did not fail.
func (run *goRun) quiet() bool {
	return run.argv.known && !run.argv.verbose && !run.argv.fuzzes && !run.verbose
}

func (run *goRun) open(pkg string) *goSection {
	s := &goSection{run: run, pkg: pkg, tests: map[string]*goTest{}}
	run.openSections = append(run.openSections, s)
	return s
}

func (run *goRun) closed(s *goSection) {
	run.openSections = slices.DeleteFunc(run.openSections, func(open *goSection) bool { return open == s })
}

// maxSaid bounds the lines of the go command itself that are kept.
const maxSaid = 20

// command takes a line that the go command may have printed itself, and says whether it did.
func (run *goRun) command(l tool.Line) bool {
	if run.build.take(l) {
		return true
	}
	s := l.Text
	if !isGoCommandLine(s) {
		return false
	}
	run.touch(&run.saidSpan)
	if len(run.said) < maxSaid {
		run.said = append(run.said, strings.Clone(s))
	}
	run.report.Cover(l)
	return true
}

func isGoCommandLine(s string) bool {
	return !lex.HasAnyPrefix(s, "go: downloading ", "go: finding ") && lex.HasAnyPrefix(s,
		"go: ", "no packages to test", "usage: go test ", "flag provided but not defined: ", "flag needs an argument: ", "invalid value ", "invalid boolean ", "no required module ", "cannot use -")
}

// finish makes the report. whole says that the input did not end in the middle of a record.
func (run *goRun) finish(whole bool) *tool.Report {
	rep := run.report
	run.addBuildErrors()
	run.addCommandErrors()
	ran, told := len(run.pkgs)+run.binaries > 0, rep.Failures() > 0 || run.lost > 0 && run.argv.known
	if !ran && (!told || run.foreign()) {
		return nil // another program's output, such as gotestsum's, that quotes a line of go test
	}
	run.locate()
	run.count()
	rep.Claimed = run.claimed
	picked := run.in.Command().AllPicked() // the go command prints no totals that would tell how much is missing
	rep.Complete = whole && run.whole && run.lost == 0 && run.ended() && !picked
	rep.NoTests = run.lost == 0 && run.failedPackages == 0 && (run.okPackages == run.noTests || run.argv.lists) && len(rep.Findings) == 0
	if run.binaries > 0 && rep.Failures() > 0 {
		rep.Meaning = result.MeansFindings // exit code 2 came from a panic, and does not mean usage
	}
	rep.Tested = run.okPackages > run.noTests || run.passed+run.failed+run.skipped > 0
	return rep
}

// foreign says whether the command line runs go but not go test, and no test was named. Then a crash is that of
// a program that go run or go generate ran.
func (run *goRun) foreign() bool {
	subs := goSubs(run.in)
	return len(subs) > 0 && !slices.Contains(subs, "test") && run.passed+run.skipped == 0 &&
		!slices.ContainsFunc(run.report.Findings, func(f result.Finding) bool { return f.Name != "" })
}

// refusedAll says whether the command line runs go test and no other command of go, no package was tested,
// and the errors are not about the usage of go test.
func (run *goRun) refusedAll() bool {
	return run.argv.known && len(goSubs(run.in)) == 1 && len(run.pkgs) == 0 && run.lost == 0 && run.binaries == 0 &&
		!slices.ContainsFunc(run.said, func(s string) bool { return !strings.HasPrefix(s, "go: ") })
}

// ended says whether the output has its end. The go command prints "FAIL" last if it was given packages and one
// failed, except when it fuzzes or prints events.
func (run *goRun) ended() bool {
	if run.binaries > 0 {
		return true
	}
	if run.failedPackages == 0 || run.final || run.events {
		return len(run.pkgs) > 0 || run.refused
	}
	return !run.argv.known || len(run.argv.patterns) == 0 || run.argv.fuzzes
}

func (run *goRun) count() {
	c := run.report.Counts
	if run.lost > 0 && len(run.pkgs) == 0 && run.passed+run.failed+run.skipped == 0 {
		return // nothing had ended, which does not mean that nothing ran
	}
	if run.verbose {
		c["passed"], c["skipped"] = run.passed, run.skipped
	}
	if run.verbose || run.failed > 0 {
		c["failed"] = run.failed
	}
	if n := len(run.buildFailed); n > 0 {
		c["packages_not_built"] = n
	}
	if len(run.pkgs) > 0 || run.binaries == 0 {
		c["packages_ok"], c["packages_failed"] = run.okPackages, run.failedPackages
	}
}

// addBuildErrors reports why packages could not be built. A package without a printed or kept reason is a finding.
func (run *goRun) addBuildErrors() {
	seen, n := map[string]bool{}, 0
	for _, k := range run.build.accepted(run.buildFailed) {
		run.report.Covered = append(run.report.Covered, k.spans...)
		for _, f := range k.findings() {
			key := f.ID + "\n" + f.Message
			if f.At != nil {
				key = f.At.String() + "\n" + f.Message
				f.At.Path = run.dirs.fromStart(f.At.Path)
				run.dirs.prove(k.pkg, f.At.Path)
			}
			if n++; !seen[key] { // a package and its test variant say the same
				seen[key] = true
				if f.Severity == result.SevError {
					run.claimed++ // not counted: "too many errors" and a C compiler's warnings
				}
				run.report.Add(f)
			}
		}
	}
	if n > 0 {
		return
	}
	for _, pkg := range run.buildFailed {
		run.claimed++
		run.report.Add(result.Finding{
			Kind: result.BuildError, Severity: result.SevError, ID: pkg, Suite: []string{pkg},
			Message: "build failed, and the output does not say why",
		})
	}
}

// addCommandErrors adds the error of a go command that refused to run at all.
func (run *goRun) addCommandErrors() {
	if len(run.said) == 0 || len(run.pkgs) > 0 || run.lost > 0 || !run.argv.known {
		return
	}
	message := run.said[0]
	for _, s := range run.said {
		if !strings.HasPrefix(s, "go: warning: ") && !strings.HasPrefix(s, "usage: ") {
			message = s
			break
		}
	}
	run.refused = true
	run.claimed++
	run.report.Add(result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError,
		Message: strings.TrimPrefix(message, "go: "), Detail: strings.Join(run.said, "\n"), RawSpan: &run.saidSpan,
	})
}

// locate completes the paths in findings, once all packages are known.
func (run *goRun) locate() {
	run.dirs.command(run.argv, run.pkgs)
	for i := range run.report.Findings {
		f := &run.report.Findings[i]
		if len(f.Suite) == 0 {
			continue
		}
		pkg := f.Suite[0]
		if f.At != nil {
			f.At.Path = run.dirs.file(pkg, f.At.Path)
		}
		for j := range f.Related {
			if at := f.Related[j].At; at != nil {
				at.Path = run.dirs.file(pkg, at.Path)
			}
		}
		for j := range f.Frames {
			if !f.Frames[j].External {
				f.Frames[j].Path = run.dirs.file(pkg, f.Frames[j].Path)
			}
		}
		for j := range f.Locations {
			f.Locations[j].Path = run.dirs.file(pkg, f.Locations[j].Path)
		}
	}
}
