//go:build race

package golden

// raceEnabled says that the race detector is at work, which makes a case five times
// as long, and looks for what has nothing to do with which tool wrote it.
const raceEnabled = true
