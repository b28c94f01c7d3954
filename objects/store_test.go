package objects_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"cairn/objects"
	"cairn/objects/objectstest"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("OBJECTS_TEST_CHILD"); mode != "" {
		os.Exit(child(mode))
	}
	goleak.VerifyTestMain(m)
}

func TestConformance(t *testing.T) {
	t.Run("disk", func(t *testing.T) {
		objectstest.Run(t, func(_ testing.TB, root string) *objects.Store { return objects.Open(root) })
	})
	t.Run("faultless wrapper", func(t *testing.T) {
		objectstest.Run(t, func(t testing.TB, root string) *objects.Store { return newFaulty(t).store(root) })
	})
}
