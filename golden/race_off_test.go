//go:build !race

package golden

// raceEnabled: see the other file.
const raceEnabled = false
