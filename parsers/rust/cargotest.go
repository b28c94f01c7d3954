package rust

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargo test: the text of libtest (Rust 1.30 to 1.95) below cargo's headers, with or without --message-format=json,
// which only changes the output of the build.
//
// A finding's id is "<target>::<test>", as in "lexer::tests::eq" of a library,
// "bin/cli::tests::eq" of a binary, "lexer::integration::eq" of an integration
// test of the package lexer, "lexer::src/lib.rs - add (line 6)" of a
// documentation test; for the library of the only package the id is just
// "tests::eq". Name is the filter for libtest:
//
//	cargo test -p lexer --lib -- --exact tests::eq
//
// Cargo names the target of a test on stderr, the tests are on stdout: see alignTargets. Under -q cargo names only
// targets that failed.
//
// Counts are sums over the closing lines of all targets.
var _ = Room.Add("cargo", func(p *tool.Parser) {
	p.Is("cargo-test", result.Test, 4, "cargo and libtest 1.30 to 1.95, text and JSON of both")
	p.Family, p.ColumnUnit = "cargo", "char"
	p.Filter = tool.Filter{Spell: testName}
	p.Matches = func(argv []string) bool { c := cargoCommand(argv); return c == "test" || c == "t" || c == "bench" }
	p.Fails = cargoFails
	p.Formats = cargoFormats("cargo-test")
})

// testName is a test without its crate and target, which libtest does not know: with them, it would run 0 tests and
// exit with 0. A documentation test needs "--doc", and a filter without blanks: for "src/lib.rs - a::one (line 5)" the
// filter is "a::one", or the file if the name has no item.
func testName(f *result.Finding) string {
	file, item, ok := strings.Cut(cmp.Or(f.Name, f.ID), " - ")
	if !ok || !strings.Contains(item, "(line ") {
		return f.Name
	}
	item, _, _ = strings.Cut(item, "(line ")
	return "--doc " + cmp.Or(strings.TrimSpace(item), file)
}

// cargoStarts are beginnings of lines that only cargo, rustc or libtest print.
var cargoStarts = []string{"Compiling …v", "Checking …v", "Finished …target(s)", "Running …-", "Doc-tests ", "running …test", "test result: ",
	"error: could not compile `", "error: aborting due to ", "error: test failed", "error: doctest failed", "error[E…]: ", "--> ….rs:", "thread '…panicked at ", "thread '…has overflowed its stack", "Usage: cargo "}

// cargoFails begin the last line of a failed build; the lines above it have the reasons.
var cargoFails = []string{"error: could not compile ", "error: aborting due to ", "error: test failed", "error: failed to run custom build command", "warning: build failed"}

// cargoFormats are the formats of one of the tools that share this reader. The last format accepts lines that any tool
// may print: it is for errors that cargo prints first of all, and is used only if the command is cargo.
func cargoFormats(toolName string) []tool.Format {
	parse := func(in *tool.Input) *tool.Report { return parseCargo(in, toolName) }
	formats := []tool.Format{
		{Name: "json", Starts: []string{cargoJSONStart, rustcJSONStart, rustcJSONOld}, Sniff: isCargoJSON, Parse: parse},
		{Name: "text", Starts: cargoStarts, Sniff: isCargoLine, Parse: parse},
		{Name: "messages", Starts: []string{"error: ", "warning: "}, Parse: func(in *tool.Input) *tool.Report {
			if named := cargoToolNamed(in); named != toolName && (named != "" || toolName != "cargo-build" || !isCargoCommand(in)) {
				return nil
			}
			return parse(in)
		}},
	}
	if toolName == "cargo-build" { // the program's own words are all that cargo run -q prints
		formats = append(formats, tool.Format{Name: "messages", Parse: parse})
	}
	if toolName == "cargo-test" {
		events := tool.Format{Name: "libtest-json", Starts: []string{libtestJSONStart}, Sniff: isLibtestJSON, Parse: parse}
		formats = append([]tool.Format{events}, formats...)
	}
	return formats
}

// isCargoLine confirms that cargo, rustc or libtest printed a line that one of cargoStarts begins.
func isCargoLine(s string) bool {
	if isCargoStatus(s) || isRustcSummary(s) || strings.HasPrefix(s, "Usage: cargo ") {
		return true
	}
	_, isPlace := cutRustcArrow(s, "--> ")
	_, isStart := readLibtestStart(s)
	_, isResult := readLibtestResult(s)
	_, isRerun := readCargoRerun(s)
	_, isPanic := readRustPanic(s)
	_, code, _, isHead := cutRustcHeadline(s)
	ofTests := isStart || isResult || isRerun || isPanic || strings.HasPrefix(s, "thread '")
	return ofTests || isPlace || isHead && code != ""
}

// parseCargo reads the output. It returns nil unless the output is of this tool.
func parseCargo(in *tool.Input, toolName string) *tool.Report {
	named := cargoToolNamed(in)
	if named != "" && named != toolName {
		return nil
	}
	read := in.Once("cargo", func() any {
		run := newCargoRun(in)
		run.read()
		return cargoReading{run, run.tool()}
	}).(cargoReading)
	if named == "" && read.tool != toolName {
		return nil
	}
	report := in.Once("cargo report", func() any { return read.run.finish(toolName) }).(*tool.Report)
	if report == nil {
		return nil
	}
	mine := *report
	return &mine
}

// cargoReading is an output that was read, and the tool it belongs to by its content.
type cargoReading struct {
	run  *cargoRun
	tool string
}

// cargoCommand is the subcommand: "test" for "cargo +nightly --locked test".
func cargoCommand(argv []string) string {
	if len(argv) == 0 || argv[0] != "cargo" {
		return ""
	}
	for i := 1; i < len(argv); i++ {
		switch a := argv[i]; {
		case a == "--config" || a == "-Z" || a == "-C" || a == "--color":
			i++
		case !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+"):
			return a
		}
	}
	return ""
}

// cargoTool is the tool that reads the output of a subcommand.
func cargoTool(command string) string {
	return lex.Means(command, "cargo-test: test, t, bench; cargo-check: check, c, fix; cargo-clippy: clippy; cargo-nextest: nextest; "+
		"cargo-build: build, b, run, r, rustc, doc, d, rustdoc, install, package, publish, fetch, update, generate-lockfile, vendor, tree, metadata, add, remove")
}

// cargoToolNamed is the tool that the command line names.
func cargoToolNamed(in *tool.Input) string { return cmp.Or(in.Tool, rustTool(in.Command().Argv)) }

// rustTool is the tool that reads the output of a command.
func rustTool(argv []string) string {
	if len(argv) > 0 && (argv[0] == "rustc" || argv[0] == "clippy-driver") {
		return "rustc"
	}
	return cargoTool(cargoCommand(argv))
}

// listsTool says whether the tool is among the commands of a list.
func listsTool(in *tool.Input, name string) bool {
	return slices.ContainsFunc(in.Command().Listed, func(c tool.Command) bool { return rustTool(c.Argv) == name })
}

// isCargoCommand says whether the command is cargo, a subcommand that others add to it, or a list with cargo build, run, package ….
func isCargoCommand(in *tool.Input) bool {
	c := in.Command()
	return c.Program() == "cargo" || slices.ContainsFunc(c.Listed, func(c tool.Command) bool { return rustTool(c.Argv) == "cargo-build" })
}

// isRefusal says whether a diagnostic is an error of cargo itself, which has no place in a source.
func isRefusal(f result.Finding) bool { return f.Severity == result.SevError && f.At == nil }

// tool decides to which tool the output belongs, by lines that only that tool prints.
func (run *cargoRun) tool() string {
	placed := slices.ContainsFunc(run.diags, func(f result.Finding) bool {
		return f.At != nil && f.At.Line > 0 && strings.HasSuffix(f.At.Path, ".rs")
	})
	switch {
	case run.nextest:
		return ""
	case len(run.blocks) > 0 || len(run.targets) > 0 || run.finishedTest:
		return "cargo-test"
	case !placed && isCargoCommand(run.in) && (len(run.program.findings()) > 0 || !run.cargo && refused(run.diags) || run.cargo && slices.ContainsFunc(run.diags, isRefusal)):
		return "cargo-build"
	case !placed && !run.cargo:
		return ""
	case run.clippy, run.checking && listsTool(run.in, "cargo-clippy") && !listsTool(run.in, "cargo-check"):
		return "cargo-clippy"
	case run.checking:
		return "cargo-check"
	case run.cargo && (placed || run.compiling || len(run.notBuilt) > 0):
		return "cargo-build"
	case placed:
		return "rustc"
	}
	return ""
}

// finish adds all findings and counts to the report.
func (run *cargoRun) finish(toolName string) *tool.Report {
	rep := run.report
	run.addDiags(toolName)
	run.addTests()
	for _, f := range run.program.findings() {
		rep.Add(f)
		run.ended = true
	}
	run.count(toolName)
	rep.Dropped += run.dropped
	rep.Complete = run.whole && run.complete(toolName)
	if run.usage || refused(rep.Findings) {
		rep.Meaning = result.MeansUsage
	}
	if len(rep.Findings) == 0 && len(run.blocks) == 0 && !run.cargo && len(run.targets) == 0 {
		return nil
	}
	run.placeAll()
	return rep
}

// placeAll completes the paths in all findings.
func (run *cargoRun) placeAll() {
	placeFrames(run.report.Findings)
	for i := range run.report.Findings {
		run.place(&run.report.Findings[i])
	}
}

// addDiags reports the diagnostics of the compiler and of cargo. A crate that could not be compiled, and for which no
// reason was printed, is a finding.
func (run *cargoRun) addDiags(toolName string) {
	rep := run.report
	errors, claimed := 0, 0
	for _, f := range run.diags {
		if f.At == nil && f.Rule == "" && f.Severity == result.SevError {
			f.Kind = result.GenericFinding
		}
		if f.Severity == result.SevError {
			errors++
		}
		f.Source = diagSource(&f, toolName)
		rep.Add(f)
	}
	for _, crate := range slices.Sorted(maps.Keys(run.notBuilt)) {
		claimed += run.notBuilt[crate]
		if errors == 0 {
			rep.Add(result.Finding{
				Kind: result.BuildError, Severity: result.SevError, ID: crate, Suite: []string{crate},
				Message: "could not compile " + crate, RawSpan: run.whereSaid(),
			})
		}
	}
	if claimed > errors {
		claimed = max(errors, claimed-run.aborts)
	}
	rep.Claimed = max(claimed, 0)
	if run.duplicates > 0 {
		result.SetExtra(&rep.Extra, "duplicates", run.duplicates)
	}
}

// diagSource is the source of a diagnostic: rustc or clippy, whichever command of cargo printed it, or "" for cargo
// itself.
func diagSource(f *result.Finding, toolName string) string {
	source := "rustc"
	switch {
	case strings.HasPrefix(f.Rule, "clippy::"):
		source = "cargo-clippy"
	case f.At == nil || !strings.HasSuffix(f.At.Path, ".rs") || slices.Contains(f.Tags, "panic"):
		return "" // cargo's
	}
	if source == toolName {
		return ""
	}
	return source
}

func (run *cargoRun) whereSaid() *result.Span {
	if n := len(run.report.Covered); n > 0 {
		return &result.Span{Start: run.report.Covered[0].Start, End: run.report.Covered[n-1].End}
	}
	return nil
}

// place makes the paths of a finding relative to the working directory. Cargo runs rustc at the top of the workspace,
// which its paths are relative to.
func (run *cargoRun) place(f *result.Finding) {
	base := run.workspaceRoot()
	fix := func(l *result.Location) {
		if l.Path == "" {
			return
		}
		if base != "" && !result.IsAbsolute(l.Path) && !strings.HasPrefix(l.Path, "<") {
			l.Path = base + "/" + l.Path
		}
		l.External = l.External || frame.IsRustLibrary(l.Path)
	}
	for at := range f.Places() {
		fix(at)
	}
	for i := range f.Fixes {
		for j := range f.Fixes[i].Edits {
			at := result.Location{Path: f.Fixes[i].Edits[j].Path}
			fix(&at)
			f.Fixes[i].Edits[j].Path = at.Path
		}
	}
}

// workspaceRoot is the directory that relative paths start from, if it is not the working directory. It is known from
// the headers, or guessed because the paths begin like the working directory ends ("crates/lexer/src/lib.rs" in
// /src/crates/lexer).
func (run *cargoRun) workspaceRoot() string {
	if run.root != "" || run.relative && !run.in.Moved { // --manifest-path moves the root, and no header shows it
		return run.root
	}
	w := run.in.Workspace
	dir := cmp.Or(w.Dir, w.Root)
	if dir == w.Root && !run.above || dir == "" || !result.IsAbsolute(dir) {
		return ""
	}
	run.relative = true
	for _, f := range run.report.Findings {
		if f.At == nil || result.IsAbsolute(f.At.Path) {
			continue
		}
		if root, ok := overlap(dir, f.At.Path); ok {
			run.root = root
			break
		}
	}
	return run.root
}

// overlap cuts off dir the last elements if path begins with them.
func overlap(dir, path string) (root string, ok bool) {
	for i := strings.LastIndexByte(dir, '/'); i > 0; i = strings.LastIndexByte(dir[:i], '/') {
		if strings.HasPrefix(path, dir[i+1:]+"/") {
			return dir[:i], true
		}
	}
	return "", false
}
