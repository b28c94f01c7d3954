package parsers

import (
	"path"
	"slices"
	"strings"
)

// Role says what a file that a run writes is to it.
type Role string

const (
	// RoleReport: it tells of the run beside the output, as JUnit XML does.
	RoleReport Role = "report"
	// RoleOutput: it is what the tool would else have printed on stdout.
	RoleOutput Role = "output"
	// RoleErrors: the same of stderr.
	RoleErrors Role = "stderr"
)

// Written is a file, or a directory of files, that a command line names as one
// that it writes.
type Written struct {
	Path   string // with "cd DIR &&" in front of it applied; relative to where the command starts
	Role   Role
	Append bool // ">>": what it held before is not of this run
}

// maxWritten bounds how many files of one command line are looked at.
const maxWritten = 32

// WrittenBy says which reports and outputs a command line names: by the flags
// of the tools that have such, behind whatever wrapper, and by redirection in a
// shell line. What the shell would have to expand is not known.
func WrittenBy(argv []string, shell string) []Written {
	var all []Written
	var exported []string
	for _, c := range commandsOf(argv, shell) {
		c.env = append(slices.Clip(exported), c.env...)
		if len(c.argv) > 0 && c.argv[0] == "export" {
			exported = append(exported, c.argv[1:]...)
		}
		all = append(all, c.writes()...)
	}
	return knownNames(all)
}

// knownNames leaves out what is no file, or is not known.
func knownNames(all []Written) []Written {
	all = slices.DeleteFunc(all, func(w Written) bool {
		return w.Path == "" || w.Path == "." || expanded(w.Path) || w.Path == "-" || strings.HasPrefix(w.Path, "/dev/") || strings.HasPrefix(w.Path, "~")
	})
	return all[:min(len(all), maxWritten)]
}

// RoleOf says what a file that was recorded with a run was to it: what the
// command line says, else a report.
func RoleOf(argv []string, shell, name string) Role {
	for _, w := range WrittenBy(argv, shell) {
		if path.Clean(w.Path) == path.Clean(name) {
			return w.Role
		}
	}
	return RoleReport
}

// step is one simple command of a command line.
type step struct {
	env       []string // NAME=VALUE before it
	argv      []string
	dir       string // that it runs in, relative to the start
	redirects []word // each followed by its target
	opaque    bool   // what it is cannot be read
}

// commandsOf are the simple commands of a command line, wrappers still on. A
// line that only the shell can read is one step that is opaque.
func commandsOf(argv []string, shell string) []step {
	if shell == "" {
		if line, ok := innerLine(argv); ok {
			shell = line
		} else {
			return []step{{argv: argv}}
		}
	}
	words, ok := shellWords(shell)
	if !ok {
		return []step{{opaque: true}}
	}
	return stepsOf(words)
}

// innerLine finds the line in "timeout 60 sh -c LINE".
func innerLine(argv []string) (string, bool) {
	argv = named(argv)
	for range maxWrappers {
		if len(argv) == 0 {
			return "", false
		}
		if line, ok := shellLine(argv); ok {
			return line, true
		}
		if line, _ := scripted(argv); line != "" {
			return line, true
		}
		rest, _, ok := unwrapOne(argv)
		if !ok {
			return "", false
		}
		argv = named(rest)
	}
	return "", false
}

// stepsOf splits a line at its operators. "cd DIR" leads to DIR what follows
// it, up to the end of its parentheses.
func stepsOf(words []word) (steps []step) {
	var dirs []string // around the open parentheses
	current := step{}
	end := func() {
		switch argv := current.argv; {
		case len(argv) == 0, isReserved(argv[0]):
		case len(argv) == 2 && argv[0] == "cd":
			if !expanded(argv[1]) {
				current.dir = below(current.dir, argv[1])
			}
		default:
			steps = append(steps, current)
		}
		current = step{dir: current.dir}
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case strings.HasPrefix(w.operator, ">"), strings.HasPrefix(w.operator, "<"), strings.HasPrefix(w.operator, "&>"):
			if i++; i < len(words) {
				current.redirects = append(current.redirects, w, words[i])
			}
		case w.operator == "(":
			end()
			dirs = append(dirs, current.dir)
		case w.operator == ")":
			end()
			if n := len(dirs) - 1; n >= 0 {
				current.dir, dirs = dirs[n], dirs[:n]
			}
		case w.operator != "":
			end()
		case len(current.argv) == 0 && isAssignment(w.text):
			current.env = append(current.env, w.text)
		case len(current.argv) == 0 && isOneOf(w.text, "! { } if then elif else fi while until do done"):
		default:
			current.opaque = current.opaque || w.expands && len(current.argv) == 0
			current.argv = append(current.argv, w.text)
		}
	}
	end()
	return steps
}

// expanded: what the shell makes of it is not known.
func expanded(name string) bool { return strings.ContainsAny(name, "$`") }

// below is a path as seen from where the command line starts.
func below(dir, name string) string {
	if dir == "" || path.IsAbs(name) || len(name) > 1 && name[1] == ':' {
		return name
	}
	return path.Join(dir, name)
}

// writes are the files that one simple command names.
func (s step) writes() (all []Written) {
	for i := 0; i+1 < len(s.redirects); i += 2 {
		if w, ok := redirection(s.redirects[i].redirect, s.redirects[i+1].text); ok {
			all = append(all, w)
		}
	}
	shells := len(all)
	c, env := unwrap(s.argv, ""), slices.Clone(s.env)
	for i, arg := range s.argv {
		next := ""
		if i+1 < len(s.argv) {
			next = s.argv[i+1]
		}
		all = append(all, flagWrites(c.program(), arg, next)...)
		if isAssignment(arg) && s.argv[0] != "export" { // of env, or cross-env
			env = append(env, arg)
		}
	}
	for _, e := range env {
		all = append(all, variableWrites(e, env)...)
	}
	for i := range all {
		dir := s.dir
		if i >= shells {
			dir = joinDir(dir, c.dir)
		}
		all[i].Path = below(dir, all[i].Path)
	}
	return all
}

// redirection reads "2>> FILE". "2>&1" names no file.
func redirection(op, target string) (w Written, ok bool) {
	w = Written{Path: target, Role: RoleOutput}
	kind := strings.TrimLeft(op, "0123456789")
	switch fd := op[:len(op)-len(kind)]; fd {
	case "", "1":
	case "2":
		w.Role = RoleErrors
	default:
		return w, false
	}
	switch kind {
	case ">", ">|", "&>":
	case ">>", "&>>":
		w.Append = true
	case ">&":
		return w, target != "-" && strings.Trim(target, "0123456789") != ""
	default:
		return w, false
	}
	return w, true
}

// writingFlag is a flag whose value names a file that is written.
type writingFlag struct {
	flag     string
	programs string // that have it, each with blanks around; "": the flag alone says it all
	role     Role
}

// writingFlags by program. Those without one are spelled so by one tool only,
// and may be given to a script that passes them on.
var writingFlags = []writingFlag{
	{"--junitxml", "", RoleReport},         // pytest
	{"--junit-xml", "", RoleReport},        // pytest, mypy
	{"--junitfile", "", RoleReport},        // gotestsum
	{"--output-junit", "", RoleReport},     // ctest
	{"--log-junit", "", RoleReport},        // phpunit
	{"--junit-report", "", RoleReport},     // ginkgo
	{"--junit-path", "", RoleReport},       // deno
	{"--xunit-output", "", RoleReport},     // swift
	{"--reporter-outfile", "", RoleReport}, // bun
	{"--outputFile", "", RoleReport},       // jest, vitest
	{"--outputFile.junit", "", RoleReport},
	{"--outputFile.json", "", RoleReport},
	{"--test-reporter-destination", "", RoleReport}, // node
	{"-out", " go-junit-report ", RoleReport},
	{"--out", " go-junit-report rspec ", RoleReport},
	{"-o", " bats rspec ", RoleReport},
	{"--output", " bats ", RoleReport},
	{"-o", " ruff eslint eslint_d stylelint ", RoleOutput},
	{"-o", " xmlrunner ", RoleReport},
	{"--output", " xcpretty ", RoleReport},
	{"--junit-directory", "", RoleReport},       // behave
	{"--junit-xml-path", "", RoleReport},        // nose2
	{"--xunit-file", "", RoleReport},            // nose
	{"--xunit", " robot ", RoleReport},          // Robot Framework
	{"--reporter-junit-export", "", RoleReport}, // newman
	{"--output.junit-xml.path", "", RoleReport}, // golangci-lint
	{"--junit-output-path", "", RoleReport},     // platformio
	{"--report-junit-path", "", RoleReport},     // schemathesis
	{"--log_sink", "", RoleReport},              // Boost.Test
	{"--output-file", " ruff eslint eslint_d stylelint flake8 ", RoleOutput},
}

// flagWrites reads one argument, and the next where that is its value.
func flagWrites(program, arg, next string) (all []Written) {
	if len(arg) < 2 || arg[0] != '-' {
		return nil
	}
	name, value, joined := strings.Cut(arg, "=")
	if !joined {
		value = next
	}
	switch name {
	case "--gtest_output": // "xml:FILE", "xml:DIR/", or only "xml"
		if kind, file, _ := strings.Cut(value, ":"); joined && kind == "xml" {
			if file == "" {
				file = "test_detail.xml"
			}
			return []Written{{Path: file, Role: RoleReport}}
		}
		return nil
	case "--format", "-f", "--reporter", "-r", "--logger", "-l":
		for _, kind := range [...]string{"junit::out=", "junit:", "xunit:", "junit;LogFilePath="} { // Catch2, cucumber, testcafe, dotnet
			if n := len(kind); len(value) > n && strings.EqualFold(value[:n], kind) {
				return []Written{{Path: value[n:], Role: RoleReport}}
			}
		}
	case "--reporter-options", "--reporter-option", "-O": // mocha: "mochaFile=F,toConsole=true"
		return mochaWrites(strings.TrimPrefix(strings.TrimPrefix(arg, name), "=") + "," + next)
	}
	if name == "--test-reporter-destination" && (value == "stdout" || value == "stderr") {
		return nil
	}
	for _, f := range writingFlags {
		if f.flag == name && (f.programs == "" || strings.Contains(f.programs, " "+program+" ")) && !strings.HasPrefix(value, "-") {
			return []Written{{Path: value, Role: f.role}}
		}
	}
	return nil
}

func mochaWrites(options string) (all []Written) {
	for option := range strings.SplitSeq(options, ",") {
		key, file, _ := strings.Cut(option, "=")
		if (key == "mochaFile" || key == "output") && file != "" {
			all = append(all, Written{Path: file, Role: RoleReport})
		}
	}
	return all
}
