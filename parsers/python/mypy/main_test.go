package mypy_test

import (
	"os"
	"testing"

	"cairn/parsers"
	"cairn/parsers/internal/casetest"
)

func TestMain(m *testing.M) {
	casetest.Use(parsers.All())
	os.Exit(m.Run())
}
