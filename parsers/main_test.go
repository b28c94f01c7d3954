package parsers

import (
	"os"
	"testing"

	"cairn/parsers/internal/casetest"
)

func TestMain(m *testing.M) {
	casetest.Use(All())
	os.Exit(m.Run())
}
