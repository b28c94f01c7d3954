//go:build race

package parsers

const raceEnabled = true
