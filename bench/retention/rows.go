package main

import (
	"fmt"
	"slices"
	"strings"

	"cairn/golden"
	"cairn/internal/tokens"
)

// Lines around the comparison with another tool's table in docs/tools.md.
const (
	rowsBegin = "<!-- rows made by: go -C bench run ./retention -tools docs/tools.md -->\n"
	rowsEnd   = "<!-- end of the rows -->\n"
)

// row is one of pi-structured-return's published figures, and the recorded run of a similar input to compare with.
type row struct {
	command          string
	theirRaw, theirs int    // published tokens, cl100k_base
	run              string // the golden case; "" if the tool is not available here
	why              string // a note for the reader: why ours is missing or longer
}

// rows are all published figures, in their order: test runs of three tests (one passes, one fails on its assertion, one
// on an unexpected error), builds of one file with one or two errors, one file with one or two violations, audits, dbt
// with three or four models, and tools whose output they do not reduce.
var rows = []row{
	{"mvn test", 1063, 86, "maven/table-row", ""},
	{"node --test", 629, 64, "node-test/table-row", ""},
	{"npx ava", 483, 56, "ava/table-row", ""},
	{"go test", 394, 48, "go-test/table-row", "the name of each test, which runs it again, and the count of packages"},
	{"dotnet test", 487, 107, "", "no registry reached here has the SDK"},
	{"npx vitest", 348, 75, "vitest/table-row", ""},
	{"python -m unittest", 231, 52, "unittest/table-row", "the full id of each test, which runs it again"},
	{"cargo test", 285, 68, "cargo-test/table-row", "the full path of each test, which runs it again, and the exit code"},
	{"pytest", 289, 71, "pytest/table-row", ""},
	{"rspec", 212, 55, "rspec/table-row", ""},
	{"gradle test", 263, 81, "gradle/table-row", ""},
	{"npx mocha", 180, 55, "mocha/table-row", "node's words for what was asserted, and the class of the error"},
	{"npx jest", 309, 99, "jest/table-row", ""},
	{"ruby (minitest)", 168, 59, "minitest/table-row", "the class of each test, without which it cannot be run again, and what was expected and came in words"},
	{"dotnet build", 383, 53, "", "no registry reached here has the SDK"},
	{"npx jsonlint", 148, 28, "jsonlint/table-row", ""},
	{"tidy", 233, 51, "tidy/table-row", ""},
	{"cargo build", 225, 77, "cargo-build/table-row", ""},
	{"swiftc", 161, 58, "", "no registry reached here has the compiler"},
	{"gcc", 109, 77, "gcc/table-row", ""},
	{"clang", 109, 77, "clang/table-row", ""},
	{"javac", 79, 66, "javac/table-row", ""},
	{"isort --check", 143, 29, "isort/table-row", ""},
	{"black --check", 155, 31, "black/table-row", ""},
	{"ruff check", 107, 52, "ruff/table-row", "an output of about 60 tokens is shown whole"},
	{"shellcheck", 224, 117, "shellcheck/table-row", ""},
	{"npx htmlhint", 174, 92, "htmlhint/table-row", ""},
	{"vale", 141, 79, "", "no registry reached here has the program"},
	{"markdownlint", 199, 117, "markdownlint/table-row", ""},
	{"pyright", 100, 59, "pyright/table-row", "an output of about 60 tokens is shown whole"},
	{"rubocop", 149, 90, "rubocop/table-row", ""},
	{"tsc", 107, 72, "tsc/table-row", ""},
	{"stylelint", 70, 51, "stylelint/table-row", "an output of about 60 tokens is shown whole"},
	{"pylint", 141, 120, "pylint/table-row", ""},
	{"prettier --check", 38, 33, "prettier/table-row", "an output of about 60 tokens is shown whole"},
	{"hadolint", 178, 156, "hadolint/table-row", ""},
	{"eslint", 64, 59, "eslint/table-row", "an output of about 60 tokens is shown whole"},
	{"mypy", 75, 72, "mypy/table-row", ""},
	{"bandit", 402, 99, "bandit/table-row", ""},
	{"npm audit", 158, 50, "npm-audit/table-row", "the ids of the advisories, one by one"},
	{"dbt run (success)", 428, 20, "dbt/table-row-run", ""},
	{"dbt run (failure)", 618, 198, "dbt/table-row-run-fails", ""},
	{"dbt test", 720, 274, "dbt/table-row-test", ""},
	{"dbt compile", 775, 683, "dbt/table-row-compile-select", ""},
	{"junit-xml (go)", 400, 58, "go-test/table-row", ""},
	{"pytest (their example)", 262, 56, "pytest/table-row", "the full id of each test, which runs it again"},
	{"go build", 85, 85, "go-build/table-row", ""},
	{"flake8", 75, 75, "flake8/table-row", ""},
	{"yamllint", 72, 72, "yamllint/table-row", ""},
	{"golangci-lint", 59, 59, "golangci-lint/table-row", "an output of about 60 tokens is shown whole"},
	{"go vet", 60, 60, "go-vet/table-row", ""},
	{"vulture", 58, 58, "vulture/table-row", ""},
	{"pydocstyle", 48, 48, "pydocstyle/table-row", "an output of about 60 tokens is shown whole"},
}

// rowTable returns the comparison, row by row. It fails if a row is longer than theirs without a reason, or has a
// reason that it does not need.
func rowTable(cases []golden.Case, count tokens.Counter) (string, error) {
	var b strings.Builder
	b.WriteString("| command | their raw | theirs | raw here | cairn | without the last line | facts kept | why longer |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		if r.run == "" {
			fmt.Fprintf(&b, "| %s | %d | %d | – | – | – | – | %s |\n", r.command, r.theirRaw, r.theirs, r.why)
			continue
		}
		i := slices.IndexFunc(cases, func(c golden.Case) bool { return c.Name == r.run })
		if i < 0 {
			return "", fmt.Errorf("the row %q stands for the run %s, which is not recorded", r.command, r.run)
		}
		m := measure(cases[i], count)
		bare := count(withoutPointer(m.text))
		why, err := r.reason(m.compactTokens, bare)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d of %d | %s |\n", r.command, r.theirRaw, r.theirs, m.rawTokens, m.compactTokens,
			bare, len(m.facts)-len(m.lost), len(m.facts), why)
	}
	return b.String(), nil
}

// reason returns the note beside a row that is longer than theirs. It fails if the note is missing or not needed.
func (r row) reason(all, bare int) (string, error) {
	switch {
	case bare > r.theirs && r.why == "":
		return "", fmt.Errorf("the row %q has %d tokens, theirs %d, and no reason stands beside it", r.command, bare, r.theirs)
	case bare <= r.theirs && r.why != "":
		return "", fmt.Errorf("the row %q has %d tokens, theirs %d: the reason beside it is none", r.command, bare, r.theirs)
	case bare <= r.theirs && all > r.theirs:
		return "the last line, which gives every byte back", nil
	}
	return r.why, nil
}

// withoutPointer returns a compact text without the line that says how to see the whole output, which the other tool does
// not print.
func withoutPointer(text string) string {
	i := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
	if strings.HasPrefix(text[i:], "[all ") {
		return text[:i]
	}
	return text
}
