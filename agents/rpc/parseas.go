package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers"
)

// formatIDs are the ids by which the tool structured_return of pi names its
// parsers, and the tool whose output each is. "" means that the contents decide:
// a report of any tool, or one that only its shape tells.
var formatIDs = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ava-text": "ava", "bandit-json": "bandit", "black-text": "black", "cargo-build": "cargo-build", "cargo-test": "cargo-test",
		"checkstyle-xml": "checkstyle", "clang-text": "clang", "dbt-json": "dbt", "dotnet-build-text": "dotnet-build", "eslint-json": "eslint",
		"go-test-json": "go-test", "hadolint-json": "hadolint", "htmlhint-json": "htmlhint", "isort-text": "isort", "javac-text": "javac",
		"jsonlint-text": "jsonlint", "junit-xml": "", "markdownlint-json": "markdownlint", "minitest-text": "minitest", "mocha-json": "mocha",
		"mypy-json": "mypy", "node-test-text": "node-test", "npm-audit-json": "npm-audit", "prettier-text": "prettier", "pylint-json": "pylint",
		"pyright-json": "pyright", "rspec-json": "rspec", "rubocop-json": "rubocop", "ruff-json": "ruff", "shellcheck-json": "shellcheck",
		"stylelint-json": "stylelint", "swiftc-text": "swiftc", "tail-fallback": "", "tidy-text": "tidy", "tsc-text": "tsc",
		"unittest-text": "unittest", "vale-json": "vale", "vitest-json": "vitest",
	}
})

// knownTools are those whose output is understood.
func knownTools() map[string]bool {
	known := map[string]bool{}
	for _, p := range parsers.All() {
		known[p.Tool] = true
	}
	return known
}

// toolNamed is the tool that parse_as means. A note says when nothing is known
// of it: the run is recorded all the same, and its contents decide.
func toolNamed(as string) (tool, note string) {
	tool, listed := formatIDs()[as]
	if !listed {
		tool = as
	}
	switch {
	case tool == "" || knownTools()[tool]:
		return tool, ""
	case listed:
		return "", fmt.Sprintf("parse_as %s: there is no parser of %s yet; the contents of the output decided", as, tool)
	}
	return "", fmt.Sprintf("parse_as %s is not known; the contents of the output decided. There are: %s", as, strings.Join(slices.Sorted(maps.Keys(formatIDs())), ", "))
}

// toolOf is the tool of a run: what the caller says, else what the project's
// file says of the command.
func (s *Server) toolOf(p runParams, dir string) (tool string, notes []string) {
	as := p.ParseAs
	if as == "" && p.Project {
		var note string
		if as, note = s.projectTool(p.Command, dir); note != "" {
			notes = append(notes, note)
		}
	}
	if as == "" {
		return "", notes
	}
	tool, note := toolNamed(as)
	if note != "" {
		notes = append(notes, note)
	}
	return tool, notes
}

// projectFile is where a project says what its own commands print.
const projectFile = ".pi/structured-return.json"

// registration is one entry of the project's file.
type registration struct {
	ID    string `json:"id"`
	Match struct {
		ArgvIncludes []string `json:"argvIncludes"`
		Regex        string   `json:"regex"`
	} `json:"match"`
	ParseAs string `json:"parseAs"`
	Module  string `json:"module"`
}

// registrations reads the project's file; it need not be there.
func registrations(dir string) ([]registration, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(projectFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var file struct {
		Parsers []registration `json:"parsers"`
	}
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	return file.Parsers, err
}

// projectTool never keeps a command from running: a file that cannot be read is
// noted, and passed over.
func (s *Server) projectTool(command, dir string) (as, note string) {
	list, err := registrations(dir)
	if err != nil {
		return "", fmt.Sprintf("%s was passed over: %v", projectFile, err)
	}
	for _, r := range list {
		fits, err := r.fits(command)
		switch {
		case err != nil:
			note = fmt.Sprintf("%s: %s was passed over: %v", projectFile, r.ID, err)
		case fits && r.ParseAs == "" && r.Module != "":
			return "", fmt.Sprintf("%s: %s names a module, and cairn runs no code of a project to read an output", projectFile, r.ID)
		case fits:
			return r.ParseAs, note
		}
	}
	return "", note
}

// fits says whether a registration is for this command: all rules that it has must hold.
// A registration without rules fits no command.
func (r registration) fits(command string) (bool, error) {
	words := strings.Fields(command)
	for _, want := range r.Match.ArgvIncludes {
		if !slices.Contains(words, want) {
			return false, nil
		}
	}
	if r.Match.Regex == "" {
		return len(r.Match.ArgvIncludes) > 0, nil
	}
	re, err := regexp.Compile(r.Match.Regex)
	return err == nil && re.MatchString(strings.Join(words, " ")), err
}

type reportParams struct {
	Op  string `json:"op"` // parsers, stats
	CWD string `json:"cwd,omitempty"`
}

// report answers a person with text that is ready to be shown.
func (s *Server) report(ctx context.Context, raw json.RawMessage, _ func(string, any)) (any, error) {
	var p reportParams
	if err := strict(raw, &p); err != nil {
		return nil, err
	}
	dir, err := s.dir(p.CWD)
	if err != nil {
		return nil, err
	}
	var text string
	switch p.Op {
	case "parsers":
		text = parsersText(dir)
	case "stats":
		stdout, stderr, _ := s.o.Command(ctx, dir, []string{"recall", "stats"})
		text = stdout + stderr
	default:
		return nil, bad("report: op %q is neither parsers nor stats", p.Op)
	}
	return struct {
		Text string `json:"text"`
	}{text}, nil
}

func parsersText(dir string) string {
	var b strings.Builder
	known := knownTools()
	fmt.Fprintln(&b, "parseAs takes these ids, or any tool of \"cairn parsers\"; without it the command and the output decide.")
	for _, id := range slices.Sorted(maps.Keys(formatIDs())) {
		switch tool := formatIDs()[id]; {
		case tool == "":
			fmt.Fprintf(&b, "  %s: by the contents\n", id)
		case known[tool]:
			fmt.Fprintf(&b, "  %s: %s\n", id, tool)
		default:
			fmt.Fprintf(&b, "  %s: accepted; no parser of %s yet, by the contents\n", id, tool)
		}
	}
	list, err := registrations(dir)
	if err != nil {
		fmt.Fprintf(&b, "%s cannot be read: %v\n", projectFile, err)
	}
	for _, r := range list {
		target := r.ParseAs
		if target == "" {
			target = "module " + r.Module + " (not run)"
		}
		fmt.Fprintf(&b, "  %s: argv %q, regex %q → %s\n", r.ID, r.Match.ArgvIncludes, r.Match.Regex, target)
	}
	return b.String()
}
