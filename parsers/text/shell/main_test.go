package shell

import (
	"os"
	"slices"
	"testing"
)

func TestMain(m *testing.M) {
	KnownTool = func(argv []string) bool {
		return slices.Contains([]string{"eslint", "tsc", "pytest", "ruff", "mypy", "cargo"}, argv[0]) || argv[0] == "go" && len(argv) > 1
	}
	os.Exit(m.Run())
}
