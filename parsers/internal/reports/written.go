package reports

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/internal/shell"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
)

// Written is a file, or a directory of files, that a command line names as one
// that it writes.
type Written struct {
	Path   string // with "cd DIR &&" in front of it applied; relative to where the command starts
	Role   tool.Role
	Append bool // ">>": what it held before is not of this run
}

// maxWritten bounds how many files of one command line are looked at.
const maxWritten = 32

// WrittenBy says which reports and outputs a command line names: by the flags
// of the tools that have such, behind whatever wrapper, and by redirection in a
// shell line. What the shell would have to expand is not known.
func WrittenBy(argv []string, shellText string) []Written {
	var all []Written
	var exported []string
	for _, c := range shell.CommandsOf(argv, shellText) {
		c.Env = append(slices.Clip(exported), c.Env...)
		if len(c.Argv) > 0 && c.Argv[0] == "export" {
			exported = append(exported, c.Argv[1:]...)
		}
		all = append(all, writes(c)...)
	}
	return knownNames(all)
}

// knownNames leaves out what is no file, or is not known.
func knownNames(all []Written) []Written {
	all = slices.DeleteFunc(all, func(w Written) bool {
		return w.Path == "" || w.Path == "." || shell.Expanded(w.Path) || w.Path == "-" || strings.HasPrefix(w.Path, "/dev/") || strings.HasPrefix(w.Path, "~")
	})
	return all[:min(len(all), maxWritten)]
}

// RoleOf says what a file that was recorded with a run was to it: what the
// command line says, else a report.
func RoleOf(argv []string, shellText, name string) tool.Role {
	for _, w := range WrittenBy(argv, shellText) {
		if path.Clean(w.Path) == path.Clean(name) {
			return w.Role
		}
	}
	return tool.RoleReport
}

// writes are the files that one simple command names.
func writes(s shell.Step) (all []Written) {
	for i := 0; i+1 < len(s.Redirects); i += 2 {
		if w, ok := redirection(s.Redirects[i].Redirect, s.Redirects[i+1].Text); ok {
			all = append(all, w)
		}
	}
	shells := len(all)
	c, env := shell.Unwrap(s.Argv, ""), slices.Clone(s.Env)
	for i, arg := range s.Argv {
		next := ""
		if i+1 < len(s.Argv) {
			next = s.Argv[i+1]
		}
		all = append(all, flagWrites(c.Program(), arg, next)...)
		if lex.IsAssignment(arg) && s.Argv[0] != "export" { // of env, or cross-env
			env = append(env, arg)
		}
	}
	for _, e := range env {
		all = append(all, variableWrites(e, env)...)
	}
	for i := range all {
		dir := s.Dir
		if i >= shells {
			dir = shell.JoinDir(dir, c.Dir)
		}
		all[i].Path = shell.Below(dir, all[i].Path)
	}
	return all
}

// redirection reads "2>> FILE". "2>&1" names no file.
func redirection(op, target string) (w Written, ok bool) {
	w = Written{Path: target, Role: tool.RoleOutput}
	kind := strings.TrimLeft(op, "0123456789")
	switch fd := op[:len(op)-len(kind)]; fd {
	case "", "1":
	case "2":
		w.Role = tool.RoleErrors
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
	role     tool.Role
}

// writingFlags by program. Those without one are spelled so by one tool only,
// and may be given to a script that passes them on.
var writingFlags = []writingFlag{
	{"--junitxml", "", tool.RoleReport},         // pytest
	{"--junit-xml", "", tool.RoleReport},        // pytest, mypy
	{"--junitfile", "", tool.RoleReport},        // gotestsum
	{"--output-junit", "", tool.RoleReport},     // ctest
	{"--log-junit", "", tool.RoleReport},        // phpunit
	{"--junit-report", "", tool.RoleReport},     // ginkgo
	{"--junit-path", "", tool.RoleReport},       // deno
	{"--xunit-output", "", tool.RoleReport},     // swift
	{"--reporter-outfile", "", tool.RoleReport}, // bun
	{"--outputFile", "", tool.RoleReport},       // jest, vitest
	{"--outputFile.junit", "", tool.RoleReport},
	{"--outputFile.json", "", tool.RoleReport},
	{"--test-reporter-destination", "", tool.RoleReport}, // node
	{"-out", " go-junit-report ", tool.RoleReport},
	{"--out", " go-junit-report rspec ", tool.RoleReport},
	{"-o", " bats rspec ", tool.RoleReport},
	{"--output", " bats ", tool.RoleReport},
	{"-o", " ruff eslint eslint_d stylelint ", tool.RoleOutput},
	{"-o", " xmlrunner ", tool.RoleReport},
	{"--output", " xcpretty ", tool.RoleReport},
	{"--junit-directory", "", tool.RoleReport},       // behave
	{"--junit-xml-path", "", tool.RoleReport},        // nose2
	{"--xunit-file", "", tool.RoleReport},            // nose
	{"--xunit", " robot ", tool.RoleReport},          // Robot Framework
	{"--reporter-junit-export", "", tool.RoleReport}, // newman
	{"--output.junit-xml.path", "", tool.RoleReport}, // golangci-lint
	{"--junit-output-path", "", tool.RoleReport},     // platformio
	{"--report-junit-path", "", tool.RoleReport},     // schemathesis
	{"--log_sink", "", tool.RoleReport},              // Boost.Test
	{"--output-file", " ruff eslint eslint_d stylelint flake8 ", tool.RoleOutput},
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
			return []Written{{Path: file, Role: tool.RoleReport}}
		}
		return nil
	case "--format", "-f", "--reporter", "-r", "--logger", "-l":
		for _, kind := range [...]string{"junit::out=", "junit:", "xunit:", "junit;LogFilePath="} { // Catch2, cucumber, testcafe, dotnet
			if n := len(kind); len(value) > n && strings.EqualFold(value[:n], kind) {
				return []Written{{Path: value[n:], Role: tool.RoleReport}}
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
			all = append(all, Written{Path: file, Role: tool.RoleReport})
		}
	}
	return all
}
