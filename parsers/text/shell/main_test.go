package shell

import "slices"

// tools are those of the tests.
var tools Tools = func(argv []string) bool {
	return slices.Contains([]string{"eslint", "tsc", "pytest", "ruff", "mypy", "cargo", "build", "lint-cli.jar", "com.acme.lint.Main"}, argv[0]) || argv[0] == "go" && len(argv) > 1
}
