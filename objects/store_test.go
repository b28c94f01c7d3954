package objects_test

import (
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"

	"cairn/objects"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("OBJECTS_TEST_CHILD"); mode != "" {
		os.Exit(child(mode))
	}
	if flag.Parse(); !thorough && !given("rapid.checks") {
		flag.Set("rapid.checks", "25")
	}
	goleak.VerifyTestMain(m)
}

// given says whether the command line sets a flag.
func given(name string) (is bool) {
	flag.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

func TestConformance(t *testing.T) {
	t.Run("disk", func(t *testing.T) {
		Run(t, func(_ testing.TB, root string) *objects.Store { return objects.Open(root) })
	})
	t.Run("faultless wrapper", func(t *testing.T) {
		if !thorough {
			return
		}
		Run(t, func(t testing.TB, root string) *objects.Store { return newFaulty(t).store(root) })
	})
}
