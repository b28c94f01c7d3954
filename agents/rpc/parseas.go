package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers"
)

// formatIDs are the names of parsers in pi's tool structured_return: a tool and the format of its output.
var formatIDs = sync.OnceValue(func() []string {
	return strings.Fields(`ava-text bandit-json black-text cargo-build cargo-test checkstyle-xml clang-text dbt-json
	dotnet-build-text eslint-json go-test-json hadolint-json htmlhint-json isort-text javac-text jsonlint-text junit-xml
	markdownlint-json minitest-text mocha-json mypy-json node-test-text npm-audit-json prettier-text pylint-json pyright-json
	rspec-json rubocop-json ruff-json shellcheck-json stylelint-json swiftc-text tail-fallback tidy-text tsc-text
	unittest-text vale-json vitest-json`)
})

// byContents are the formatIDs for which the contents decide: a report of any tool, or output without a named tool.
var byContents = []string{"junit-xml", "tail-fallback"}

// toolOfFormat is the tool that a format id names: the longest prefix that is the name of a known tool, or "".
func toolOfFormat(id string) string {
	known := map[string]bool{}
	for _, p := range parsers.All() {
		known[p.Tool] = true
	}
	for name := id; name != ""; name = name[:max(strings.LastIndexByte(name, '-'), 0)] {
		if short := strings.TrimSuffix(name, "c"); !known[name] && name == "swiftc" { // the compiler is a part of the tool swift
			name = short
		}
		if known[name] {
			return name
		}
	}
	return ""
}

// toolNamed is the tool that parse_as means. If it is not known, note says so; the run is still recorded, and its
// contents decide.
func toolNamed(as string) (tool, note string) {
	if slices.Contains(byContents, as) {
		return "", ""
	}
	tool = toolOfFormat(as)
	if tool == as || tool != "" && slices.Contains(formatIDs(), as) {
		return tool, ""
	}
	return "", fmt.Sprintf("parse_as %s is not known; the contents of the output decided. There are the tools of \"cairn parsers\" and %s", as, strings.Join(formatIDs(), ", "))
}

// toolOf is the tool of a run: as the caller says, else as the project's file says for the command.
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

// projectFile is the file in which a project declares the tools of its own commands.
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

// registrations reads the project's file, which may be missing.
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

// projectTool is the tool that the project's file declares for a command. An unreadable file is ignored, with a note:
// it must not keep a command from running.
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
		case fits && r.ParseAs == "" && r.Module != "": // node runs the module if it is approved: package own
			return "", note
		case fits:
			return r.ParseAs, note
		}
	}
	return "", note
}

// fits says whether a registration matches the command: all of its rules must match. One without rules matches no
// command.
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
