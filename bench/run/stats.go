package main

import (
	"slices"
	"time"
)

// sample has the costs of the rounds of one job.
type sample []took

// median returns the median of the wall times, the lower of two middle ones, so that it is a measured time. It is 0 for an
// empty sample.
func (s sample) median() time.Duration { return s.at(func(n int) int { return (n - 1) / 2 }) }

// min returns the least wall time, which other load on the machine affects least.
func (s sample) min() time.Duration { return s.at(func(int) int { return 0 }) }

func (s sample) at(index func(n int) int) time.Duration {
	if len(s) == 0 {
		return 0
	}
	walls := make([]time.Duration, len(s))
	for i, t := range s {
		walls[i] = t.wall
	}
	slices.Sort(walls)
	return walls[index(len(walls))]
}

// cpu returns the median of user and system time.
func (s sample) cpu() time.Duration {
	swapped := make(sample, len(s))
	for i, t := range s {
		swapped[i].wall = t.cpu
	}
	return swapped.median()
}

// memory returns the largest peak of all rounds.
func (s sample) memory() (peak int64) {
	for _, t := range s {
		peak = max(peak, t.memory)
	}
	return peak
}

// ratio returns the median of a/b, computed round by round: both were measured one after the other, so longer-lasting noise
// cancels out.
func ratio(a, b sample) float64 {
	var all []float64
	for i := range min(len(a), len(b)) {
		if b[i].wall > 0 {
			all = append(all, float64(a[i].wall)/float64(b[i].wall))
		}
	}
	return medianOf(all)
}

// added returns the median of a-b, computed round by round.
func added(a, b sample) time.Duration {
	var all []float64
	for i := range min(len(a), len(b)) {
		all = append(all, float64(a[i].wall-b[i].wall))
	}
	return time.Duration(medianOf(all))
}

func medianOf(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}
