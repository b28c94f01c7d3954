package golang

import (
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// goOutput is what one output of the go command contains for one tool.
type goOutput struct {
	in     *tool.Input
	tool   string
	report *tool.Report
	build  goBuild
	vets   goVetReader
	dirs   goDirs
	argv   goCommand
	sole   bool // the command line names this tool and no other command of go
	named  bool // the command line names this tool
	runs   bool // the tool runs other programs (go run, go generate)
	hidden bool // the command line does not say which programs are run
	trace  *goTrace
	traced result.Span
	usage  []string // the go command's own usage text
}

// parseGo returns the parser of one tool of the go command.
func parseGo(toolName string) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		r := &goOutput{in: in, tool: toolName, report: in.NewReport()}
		if !r.mine(goSubs(in)) {
			return nil
		}
		for l := range in.Lines() {
			r.line(l)
		}
		return r.finish()
	}
}

// parseGoRefused reads the output of a go test that refused to run any test.
func parseGoRefused(in *tool.Input) *tool.Report {
	r := &goOutput{in: in, tool: "go-test", report: in.NewReport(), argv: readGoCommand(in, "test"), named: true, sole: true}
	r.dirs.start = r.argv.chdir
	for l := range in.Lines() {
		r.line(l)
	}
	return r.finish()
}

func (r *goOutput) line(l tool.Line) {
	s, span := l.Text, result.Span{Start: l.Start, End: l.End}
	if e, ok := readGoEvent(s); ok && e.importPath != "" {
		r.event(e, span)
		r.report.Cover(l)
		return
	}
	if r.tool == goVetTool && r.vets.line(l) || r.traceLine(l) || r.build.take(l) {
		return
	}
	if len(s) == 0 || s[0] == ' ' || s[0] == '\t' {
		return
	}
	switch at, message, ok := cutGoPosition(s); {
	case ok && strings.HasPrefix(message, "note: ") && len(r.build.blocks) > 0: // a note to a C compiler's error above
		r.report.Cover(l)
	case ok && r.believes(at, message), strings.HasPrefix(s, "vet: "), isGoLoad(s):
		if r.overflows() {
			r.report.Cover(l)
			return
		}
		r.build.begin(l.Stream.String(), loadBlock(s))
		r.build.take(l)
	case isGoChatter(s):
		r.report.Cover(l)
	case r.named && isGoUsage(s) && len(r.usage) < maxSaid:
		r.usage = append(r.usage, s)
		r.report.Cover(l)
	}
}

// event takes an event of go build -json. Errors about packages that were not found have no header.
func (r *goOutput) event(e goEvent, span result.Span) {
	if e.action != "build-output" {
		return
	}
	s := outputLine(e.output)
	if r.build.line(e.importPath, s, span) {
		return
	}
	if _, _, ok := cutGoPosition(s); (ok || isGoLoad(s)) && !r.overflows() {
		r.build.begin(e.importPath, loadBlock(s))
		r.build.line(e.importPath, s, span)
	}
}

// overflows counts an error as dropped if there is no room for its block, and says whether it did.
func (r *goOutput) overflows() bool {
	if len(r.build.blocks) < maxGoBlocks+r.report.Most() {
		return false
	}
	r.report.Drop(result.SevError, 1)
	return true
}

// loadBlock is the block of an error without a header. An error in go.mod or go.work begins with a line of its own.
func loadBlock(s string) *goBlock {
	header := strings.HasSuffix(s, ".mod:") || strings.HasSuffix(s, ".work:")
	return &goBlock{single: !header, header: header}
}

// believes says whether a line with a position but without a header is the go command's. Linters print such lines
// too, with the name of a rule at the end.
func (r *goOutput) believes(at *result.Location, message string) bool {
	switch {
	case endsWithRule(message), !r.named && !r.hidden:
		return false
	case r.named && !r.runs && strings.HasSuffix(at.Path, ".go"):
		return true
	}
	return isGoLoadMessage(message) || r.tool == goVetTool && goVetRule(message) != ""
}

// goRunners are programs that run others, and do not always print which.
const goRunners = "sh bash dash zsh ksh make gmake just task mage npm npx pnpm yarn bazel ninja tox nox pre-commit lefthook husky act"

// endsWithRule says whether a message ends with a rule: "… (SA5009)", "… (govet)".
func endsWithRule(message string) bool {
	i := strings.LastIndex(message, " (")
	return i > 0 && strings.HasSuffix(message, ")") && !strings.ContainsAny(message[i+2:], " /.")
}

func isGoUsage(s string) bool {
	return lex.HasAnyPrefix(s, "flag provided but not defined: ", "flag needs an argument: ", "invalid value ", "invalid boolean ", "usage: go ", "Run 'go ") || strings.HasPrefix(s, "go ") && strings.HasSuffix(s, ": unknown command")
}

// traceLine collects the stack traces of a program that go run ran.
func (r *goOutput) traceLine(l tool.Line) bool {
	switch {
	case !r.runs:
		return false
	case strings.HasPrefix(l.Text, "exit status "):
		r.report.Cover(l)
		return true
	case r.trace != nil && isGoGenerated(l.Text): // the next program may die too
		r.addTrace()
		r.trace = nil
		return false
	case r.trace != nil:
		r.trace.line(l.Text)
	case startsGoTrace(l.Text):
		r.trace, r.traced = newGoTrace(l.Text), result.Span{Start: l.Start}
	default:
		return false
	}
	r.traced.End = max(r.traced.End, l.End)
	r.report.Cover(l)
	return true
}

// isGoGenerated says whether a line is go generate's report of a failed command: "a.go:3: running "x": exit status 1".
func isGoGenerated(line string) bool {
	_, message, ok := cutGoPosition(line)
	return ok && strings.HasPrefix(message, `running "`)
}

// finish adds all findings to the report and returns it.
func (r *goOutput) finish() *tool.Report {
	seen := map[string]bool{}
	for _, k := range r.build.blocks {
		if r.addBlock(k, seen) {
			r.report.Covered = append(r.report.Covered, k.spans...)
		}
	}
	for _, f := range r.vets.all {
		r.add(f)
	}
	if len(r.vets.all) > 0 {
		r.report.Covered = append(r.report.Covered, r.vets.spans...)
	}
	r.addTrace()
	r.addUsage()
	if len(r.report.Findings) == 0 {
		return nil
	}
	slices.SortStableFunc(r.report.Findings, func(a, b result.Finding) int { return int(a.RawSpan.Start - b.RawSpan.Start) })
	r.report.Complete = true
	return r.report
}

// addBlock adds the findings of a block that belong to this tool, and says whether it added any.
func (r *goOutput) addBlock(k *goBlock, seen map[string]bool) (taken bool) {
	if !r.named && !k.speaksGo() {
		return false
	}
	for _, f := range k.findings() {
		vets := f.Source == goVetTool || k.isTyped()
		if !r.sole && vets != (r.tool == goVetTool) {
			continue
		}
		if f.At == nil && !isGoFault(f.Message, k.pkg) {
			continue
		}
		taken = true
		key := f.ID + "\n" + f.Message
		if f.At != nil {
			f.At.Path = r.dirs.fromStart(f.At.Path)
			key = f.At.String() + "\n" + f.Message
		}
		if !seen[key] { // a package and its test variant say the same
			seen[key] = true
			r.add(r.sourced(f, k))
		}
	}
	return taken
}

// isGoFault says whether a message without a place is an error, and not the first line of a Go source or another
// program's output that follows a header.
func isGoFault(message, pkg string) bool {
	name, ok := strings.CutPrefix(message, "package ")
	if ok && isImportPath(name) {
		return false
	}
	return pkg == "" || isToolReason(message)
}

// speaksGo says whether a block has text that only the go command prints.
func (k *goBlock) speaksGo() bool {
	return k.pkg == "" || slices.ContainsFunc(k.items, func(i goBuildItem) bool {
		return i.at != nil && strings.HasSuffix(i.at.Path, ".go") || i.at == nil && isLinkerError(i.text[0])
	})
}

// isTyped says whether the block comes from vet's type checker.
func (k *goBlock) isTyped() bool {
	return slices.ContainsFunc(k.items, func(i goBuildItem) bool { return i.typed })
}

// sourced corrects a finding's source by the command line: go build does not run vet, and the messages of analyzers in
// another vettool are not in vetRules.
func (r *goOutput) sourced(f result.Finding, k *goBlock) result.Finding {
	switch {
	case r.tool == goBuildTool && r.sole && f.Source == goVetTool:
		f.Source, f.Rule, f.Tags = goBuildTool, "", nil
	case r.tool == goVetTool && r.argv.vettool && f.At != nil && f.RawSeverity == "" && !k.isTyped():
		f.Source = goVetTool
	}
	return f
}

// add completes a finding and adds it. A source equal to the tool itself is left empty.
func (r *goOutput) add(f result.Finding) {
	if r.tool == goVetTool && f.Source == goVetTool {
		f.Kind, f.Tags = result.Diagnostic, nil
	}
	if f.Source == r.tool {
		f.Source = ""
	}
	r.report.Add(f)
}

// addTrace adds a finding for a program of go run or go generate that died with a stack trace.
func (r *goOutput) addTrace() {
	if r.trace == nil || !r.trace.real() {
		return
	}
	span := r.traced
	s := &goSection{run: &goRun{in: r.in, report: r.report, files: place.NewFiles(r.in.Workspace)}, pkg: "main", trace: r.trace}
	f := s.crash()
	f.At, f.RawSpan = s.ownFrame(f.Frames), &span
	f.Frames = ownFirst(f.Frames)
	r.report.Add(f)
}

// addUsage adds a finding for a faulty command line, if nothing else was found.
func (r *goOutput) addUsage() {
	if len(r.usage) == 0 || len(r.report.Findings) > 0 {
		return
	}
	r.report.Meaning = result.MeansUsage
	r.report.Add(result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: strings.TrimPrefix(r.usage[0], "go: "),
		Detail: strings.Join(r.usage, "\n"), RawSpan: &r.report.Covered[0],
	})
}
