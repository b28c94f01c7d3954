//go:build race

package casetest

const raceEnabled = true
