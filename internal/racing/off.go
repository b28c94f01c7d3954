//go:build !race

package racing

// Enabled says that the race detector is at work.
const Enabled = false
