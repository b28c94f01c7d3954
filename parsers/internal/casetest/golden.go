// Package casetest is what the tests of the rooms share: recorded runs, the
// shapes in which they are replayed, and what results are compared by. It may
// hold nothing that only one room needs, and the program never imports it.
package casetest

import (
	"os"
	"path/filepath"
)

// Golden is the folder of the recorded runs, as seen from the package whose
// tests run.
var Golden = func() string {
	for dir := "../golden"; len(dir) < 64; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return "golden"
}()
