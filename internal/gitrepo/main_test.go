package gitrepo

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also fails when a process or goroutine is left behind.
func TestMain(m *testing.M) {
	if dir := os.Getenv(killedEnv); dir != "" {
		fmt.Fprintln(os.Stderr, commitForever(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
