package casetest

import (
	"path/filepath"
	"strconv"
	"testing"

	"cairn/golden/runfile"
)

// ReadRun reads a recorded run below Golden, "TOOL/CASE", and its exit code.
func ReadRun(t testing.TB, name string) (runfile.Run, int) {
	t.Helper()
	r, err := runfile.Read(filepath.Join(Golden, name))
	if err != nil {
		t.Fatal(err)
	}
	exit, err := strconv.Atoi(r.Exit)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r, exit
}
