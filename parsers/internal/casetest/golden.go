// Package casetest is shared by the tests of the rooms: recorded runs, the shapes in which they are replayed, and
// the comparison of results. It holds nothing that only one room needs, and the program never imports it.
package casetest

import (
	"os"
	"path/filepath"
)

// Golden is the folder of the recorded runs, relative to the package under test.
var Golden = func() string {
	for dir := "../golden"; len(dir) < 64; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return "golden"
}()
