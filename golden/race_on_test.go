//go:build race

package golden

// oneOf is of how many cases one is tried where each is replayed in many shapes: the
// race detector makes a case five times as long, and looks for what has nothing to
// do with which tool wrote it. Without it all of them are tried.
const oneOf = 4
