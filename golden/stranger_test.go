package golden

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// stranger is a program that no parser knows.
const stranger = "frobnicate"

// plainError is the form in which any program may tell of an error.
var plainError = regexp.MustCompile(`(?m)^((?:[\w.-]+/)*[\w-]+\.\w+):(\d+)(?::\d+)?: (?:fatal )?error: \S`)

// TestUnderAnotherName: what a tool prints, printed by a program that no one knows, is
// the tool's only where a line says so. A form that many share names no tool, and least
// of all another one; what it says of errors is found all the same.
func TestUnderAnotherName(t *testing.T) {
	told := new(tally)
	told.inTools(t, 8)
	each(t, func(t *testing.T, c Case) {
		known := toolsOf(parsers.Parse(c.Input(c.Output), c.Exit))
		c.Cmd = "./" + stranger
		r, compact := answer(c.Input(c.Output), c.Exit)
		honest(t, c, c.Cmd, r, compact)
		for _, name := range toolsOf(r) {
			if name != stranger && !slices.Contains(known, name) && !isKin(known, name) {
				t.Errorf("%s is told as %s\n%s", strings.Join(known, " and "), name, compact)
			}
		}
		if p := r.Parser; r.Tool == stranger && r.ParserConfidence == result.Parsed && p != nil && !isKin(known, p.Name) {
			t.Errorf("a program that nobody knows was understood in full\n%s", compact)
		}
		if !c.Failing() {
			return
		}
		errors := plainError.FindAllStringSubmatch(string(c.Raw()), 20)
		for _, e := range errors {
			if !isPlaced(r, e[1], e[2]) {
				t.Errorf("%q is no finding\n%s", e[0], compact)
			}
		}
		told.add(c, len(errors), max(len(errors), 1))
	})
}

// kin says, of tools that print lines of another one, why they do.
var kin = map[string]string{
	"cargo-build cargo-check cargo-clippy cargo-test cargo-nextest rust rustc": "cargo runs the compiler, whose lines do not tell for what",
	"eslint html-validate": "one form of lines; only the command says whose it is",
	"go stringer":          "go generate shows what it runs",
	"go go-build go-vet go-test ginkgo gotestsum":       "the go command builds, and tests print what package testing prints",
	"unittest nose2 green trial django zope.testrunner": "runners of unittest, which print its blocks",
	"ant javac":        "ant shows what the compiler says behind its name",
	"ruff ruff-format": "one program", "markdownlint markdownlint-cli2": "two programs for one library", "pyright basedpyright": "a fork",
	"sphinx doctest":      "its builder doctest prints what doctest does",
	"mypy stubtest dmypy": "a part of mypy", "vitest c8": "limits of coverage in the same words", "tsc typedoc": "it shows what the compiler says", "sqlfluff sqruff": "a rewrite that prints the same",
	"pylint prospector": "it runs pylint", "pip pip-audit": "it runs pip", "rebar3 eunit": "it runs EUnit", "ocaml dune": "it runs the compiler", "gcc gfortran": "one driver", "dlang ld gcc": "the compiler runs the linker, by gcc", "gcc uv": "uv build shows what the compiler says",
}

// isKin: the tools print each other's lines, or the name is that of a format that
// programs write for others to read, of a shell, or of an interpreter, which says itself
// how a program came to its end.
func isKin(known []string, name string) bool {
	if slices.Contains([]string{"junit", "tap", "sarif", "junit-lint", "checkstyle-xml", "code-quality", "annotations", "teamcity", "sh", "python", "ruby", "node", "java"}, name) {
		return true
	}
	for tools := range kin {
		all := strings.Fields(tools)
		if slices.Contains(all, name) && slices.ContainsFunc(known, func(k string) bool { return slices.Contains(all, k) }) {
			return true
		}
	}
	return false
}

// toolsOf are the tools that a result names.
func toolsOf(r *result.ToolResult) []string {
	all := []string{r.Tool}
	for _, p := range r.Parts {
		all = append(all, p.Tool)
	}
	return all
}

// isPlaced: a finding is at that line of the file.
func isPlaced(r *result.ToolResult, path, line string) bool {
	n, _ := strconv.Atoi(line)
	return slices.ContainsFunc(r.Findings, func(f result.Finding) bool {
		return f.At != nil && f.At.Line == n && strings.HasSuffix(f.At.Path, path[strings.LastIndexByte(path, '/')+1:])
	})
}
