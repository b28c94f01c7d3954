package gitrepo

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain also fails when a process or goroutine is left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
