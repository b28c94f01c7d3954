package main

import (
	"slices"
	"time"
)

// sample is what the rounds of one job took.
type sample []took

// median of the wall times; of an even number the lower of the middle two, so
// that it is a time that was measured. 0 of an empty sample.
func (s sample) median() time.Duration { return s.at(func(n int) int { return (n - 1) / 2 }) }

// min of the wall times: the least that the machine's other work can explain.
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

// cpu is the median of user and system time.
func (s sample) cpu() time.Duration {
	swapped := make(sample, len(s))
	for i, t := range s {
		swapped[i].wall = t.cpu
	}
	return swapped.median()
}

// memory is the largest peak of all rounds.
func (s sample) memory() (peak int64) {
	for _, t := range s {
		peak = max(peak, t.memory)
	}
	return peak
}

// ratio is a over b round by round, the median of these: a round's two halves
// ran one after the other, and noise that lasts longer cancels out.
func ratio(a, b sample) float64 {
	var all []float64
	for i := range min(len(a), len(b)) {
		if b[i].wall > 0 {
			all = append(all, float64(a[i].wall)/float64(b[i].wall))
		}
	}
	return medianOf(all)
}

// added is a less b round by round, the median of these.
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
