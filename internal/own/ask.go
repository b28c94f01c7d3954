package own

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"cairn/parsers"
	"cairn/result"
)

// Executable is the Parser.Format of findings from a project's executable.
const Executable = "executable"

const (
	askPatience = 30 * time.Second
	maxInline   = 8 << 20  // bytes of a stream in the JSON
	maxAnswer   = 16 << 20 // bytes of an executable's answer
)

// Finished is an ended run, about which an executable is asked.
type Finished struct {
	Argv   []string
	Line   string // the command line, if the command was given as one
	Dir    string
	Exit   result.Exit
	Source parsers.Source
	Env    []string // nil: this process's environment
}

// question is the input of an executable. The names that are not in snake case are
// those that parsers for other programs expect.
type question struct {
	V             int      `json:"v"`
	Command       string   `json:"command"`
	Argv          []string `json:"argv"`
	Cwd           string   `json:"cwd"`
	ExitCode      *int     `json:"exit_code,omitempty"`
	Signal        string   `json:"signal,omitempty"`
	TimedOut      bool     `json:"timed_out,omitempty"`
	Stdout        string   `json:"stdout"`
	Stderr        string   `json:"stderr"`
	Truncated     bool     `json:"truncated,omitempty"`
	StdoutPath    string   `json:"stdoutPath"`
	StderrPath    string   `json:"stderrPath"`
	LogPath       string   `json:"logPath"`
	ArtifactPaths []string `json:"artifactPaths"`
}

// answered is the answer of an executable. failures, with file instead of path, is the
// spelling of parsers for other programs.
type answered struct {
	Tool     string  `json:"tool"` // the tool's name; "" means the rule's name
	Findings *[]told `json:"findings"`
	Failures *[]told `json:"failures"`
}

type told struct {
	Path, File, Severity, Rule, ID, Name, Message, Expected, Actual, Detail string
	Line, Column                                                            int
	EndLine                                                                 int `json:"end_line"`
}

// Asks says whether the rule runs an executable.
func (r *Rule) Asks() bool { return len(r.Run) > 0 }

// Ask runs the rule's executable and makes a parser of its answer. An error says why
// the answer is rejected.
func (r *Rule) Ask(ctx context.Context, run Finished) (*parsers.Parser, error) {
	dir, err := os.MkdirTemp("", "cairn-own-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	q, err := questionOf(run, dir)
	if err != nil {
		return nil, fmt.Errorf("writing the output for %s: %w", r.Run[0], err)
	}
	text, err := r.start(ctx, q, run.Env)
	if err != nil {
		return nil, err
	}
	var a answered
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("%s answered what is no JSON object: %w", r.Run[0], err)
	}
	if a.Findings == nil {
		a.Findings = a.Failures
	}
	if a.Findings == nil {
		return nil, fmt.Errorf("%s answered without findings", r.Run[0])
	}
	var findings []result.Finding
	for _, t := range *a.Findings {
		findings = append(findings, r.fromTold(t))
	}
	name := r.Name
	if nameForm().MatchString(a.Tool) {
		name = a.Tool
	}
	return Told(name, r.Kind, findings), nil
}

// Told is a parser that returns the given findings.
func Told(name string, kind result.Kind, findings []result.Finding) *parsers.Parser {
	return (&Rule{Name: name, Kind: kind}).parser(Executable, func(in *parsers.Input) *parsers.Report {
		rep := in.NewReport()
		rep.Complete = true
		for _, f := range findings {
			rep.Add(f)
		}
		for l := range in.Lines() {
			if !alarming(l.Text) || anyTells(rep.Findings, l.Text) {
				rep.Cover(l)
			}
		}
		return rep
	})
}

// maxCompared bounds the findings with which a line is compared.
const maxCompared = 200

func anyTells(findings []result.Finding, line string) bool {
	return slices.ContainsFunc(findings[:min(len(findings), maxCompared)], func(f result.Finding) bool { return tells(f, line) })
}

func (r *Rule) fromTold(t told) result.Finding {
	f := result.Finding{
		Kind: result.Diagnostic, Severity: r.Severity, RawSeverity: t.Severity, Rule: t.Rule, ID: t.ID, Name: t.Name,
		Message: t.Message, Expected: t.Expected, Actual: t.Actual, Detail: t.Detail,
	}
	if r.Kind == result.Test {
		f.Kind = result.TestFailure
	}
	if s := severityOf(t.Severity); s != "" {
		f.Severity = s
	}
	t.Path = cmp.Or(t.Path, t.File)
	if t.Path != "" {
		f.At = &result.Location{Path: t.Path, Line: max(t.Line, 0), Column: max(t.Column, 0), EndLine: max(t.EndLine, 0)}
	}
	return f
}

// questionOf writes the output to files in dir, and returns the question.
func questionOf(run Finished, dir string) (q question, err error) {
	q = question{
		V: 1, Argv: wordsOf(run.Argv, run.Line), Cwd: run.Dir, Signal: run.Exit.Signal, TimedOut: run.Exit.TimedOut, ArtifactPaths: []string{},
		StdoutPath: filepath.Join(dir, "stdout.log"), StderrPath: filepath.Join(dir, "stderr.log"), LogPath: filepath.Join(dir, "combined.log"),
	}
	q.Command = run.Line
	if run.Line == "" {
		q.Command = joined(run.Argv)
	}
	if run.Exit.Observed {
		q.ExitCode = &run.Exit.Code
	}
	var files [3]*os.File
	for i, name := range []string{q.StdoutPath, q.StderrPath, q.LogPath} {
		if files[i], err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
			return q, err
		}
		defer files[i].Close()
	}
	var inline [2]bytes.Buffer
	for c := range run.Source.Chunks() {
		which := 0
		if c.Stream == parsers.Stderr {
			which = 1
		}
		_, err1 := files[which].Write(c.Data)
		_, err2 := files[2].Write(c.Data)
		if err := errors.Join(err1, err2); err != nil {
			return q, err
		}
		room := maxInline - inline[which].Len()
		inline[which].Write(c.Data[:min(room, len(c.Data))])
		q.Truncated = q.Truncated || len(c.Data) > room
	}
	q.Stdout, q.Stderr = inline[0].String(), inline[1].String()
	return q, nil
}

func joined(argv []string) string {
	var b bytes.Buffer
	for i, a := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a)
	}
	return b.String()
}

// nodeRuns imports a module and lets it parse, as the program for which such modules
// are written does. The module's own output goes to stderr.
const nodeRuns = `import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
console.log = console.info = console.debug = console.error;
const run = JSON.parse(readFileSync(0, "utf8"));
const loaded = await import(pathToFileURL(process.argv[1]).href);
const parser = loaded.default?.default ?? loaded.default ?? loaded;
const said = await parser.parse(run);
process.stdout.write(JSON.stringify({ tool: said.tool, findings: said.findings ?? said.failures }));`

// start runs the executable in the root of the repository and returns its answer.
func (r *Rule) start(ctx context.Context, q question, env []string) ([]byte, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	argv := r.Run
	if r.module {
		argv = []string{"node", "--input-type=module", "-e", nodeRuns, filepath.Join(r.root, filepath.FromSlash(r.Run[0]))}
	}
	program := argv[0]
	if filepath.Base(program) != program && !filepath.IsAbs(program) {
		program = filepath.Join(r.root, filepath.FromSlash(program))
	}
	cmd := exec.CommandContext(ctx, program, argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.root, env, bytes.NewReader(text)
	out, said := &limited{most: maxAnswer}, &limited{most: 4 << 10}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, said, time.Second
	switch err := cmd.Run(); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s did not answer within %s", r.Run[0], askPatience)
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %s", r.Run[0], err, r.reason(said.Bytes()))
	case out.over:
		return nil, fmt.Errorf("%s answered more than %d bytes", r.Run[0], maxAnswer)
	}
	return out.Bytes(), nil
}

// errorLine matches the line of stderr that names an error, in the forms of Node, Python and Ruby.
var errorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*(?:[\w.$]*(?:Error|Exception)\b[^\n]*|node: [^\n]*)`)
})

// reason is the line of stderr that gives the reason, shortened for a warning: the
// first that names an error, else the first that is not empty.
func (r *Rule) reason(text []byte) string {
	line := errorLine().Find(text)
	if line == nil {
		line, _, _ = bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	}
	line = bytes.TrimSpace(line)
	why := result.CleanLine(string(line[:min(len(line), 200)]))
	if r.module && bytes.Contains(text, []byte("ERR_UNKNOWN_FILE_EXTENSION")) {
		why += "; " + nodeForTS
		if _, version, found := bytes.Cut(text, []byte("\nNode.js v")); found {
			version, _, _ = bytes.Cut(version, []byte("\n"))
			why += ", and node is " + result.CleanLine(string(version[:min(len(version), 20)]))
		}
	}
	return why
}

// nodeForTS is the hint for a parser written in TypeScript.
const nodeForTS = "a parser in TypeScript (.ts) needs Node ≥ 22.18"

// limited keeps the first most bytes that are written to it.
type limited struct {
	bytes.Buffer
	most int
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	room := l.most - l.Len()
	if len(p) > room {
		l.over = true
	}
	l.Buffer.Write(p[:min(room, len(p))])
	return len(p), nil
}
