package reports

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
)

// reportFiles are the environment variables that name a report, reportDirs those
// that name a directory of reports.
const (
	reportFiles = "JEST_JUNIT_OUTPUT_FILE MOCHA_FILE PLAYWRIGHT_JUNIT_OUTPUT_FILE GOTESTSUM_JUNITFILE ESLINT_JUNIT_OUTPUT JUNIT_REPORT_PATH XUNIT_FILE" +
		" JEST_JUNIT_OUTPUT_NAME PLAYWRIGHT_JUNIT_OUTPUT_NAME"
	reportDirs = "JEST_JUNIT_OUTPUT_DIR PLAYWRIGHT_JUNIT_OUTPUT_DIR MINITEST_REPORTERS_REPORTS_DIR CI_REPORTS JUNIT_OUTPUT_DIR"
)

// reportFlags hold arguments of a program, by its name.
var reportFlags = map[string]string{"PYTEST_ADDOPTS": "pytest", "SPEC_OPTS": "rspec", "NODE_OPTIONS": "node"}

// WrittenByEnv says which reports an environment, as NAME=VALUE, tells the tools
// of a command line to write.
func WrittenByEnv(env []string) (all []Written) {
	for _, e := range env {
		all = append(all, variableWrites(e, env)...)
	}
	return knownNames(all)
}

// variableWrites reads one variable of an environment.
func variableWrites(e string, env []string) []Written {
	name, value, ok := strings.Cut(e, "=")
	switch {
	case !ok || value == "":
	case lex.IsOneOf(name, reportDirs):
		return []Written{{Path: value, Role: tool.RoleReport}}
	case lex.IsOneOf(name, reportFiles):
		if dir, ok := strings.CutSuffix(name, "_NAME"); ok && slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, dir+"_DIR=") }) {
			return nil // it lies in there
		}
		if strings.Contains(path.Base(value), "[hash]") {
			value = path.Dir(value)
		}
		return []Written{{Path: value, Role: tool.RoleReport}}
	case name == "GTEST_OUTPUT":
		return flagWrites("", "--gtest_output="+value, "")
	case reportFlags[name] != "":
		var all []Written
		args := strings.Fields(value)
		for i, arg := range args {
			next := ""
			if i+1 < len(args) {
				next = args[i+1]
			}
			all = append(all, flagWrites(reportFlags[name], arg, next)...)
		}
		return all
	}
	return nil
}
