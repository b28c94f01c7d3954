package shell

import "slices"

// tools are those of the tests.
var tools Tools = func(argv []string) bool {
	return slices.Contains([]string{"eslint", "tsc", "pytest", "ruff", "mypy", "cargo", "build"}, argv[0]) || argv[0] == "go" && len(argv) > 1
}
