package report

import (
	"cmp"
	"math"
	"slices"
)

// taken is how long a test took in one run of its command.
type taken struct {
	at int // index among the runs of the command, oldest first
	ms int64
}

// historySlower is a run from which on a test takes much longer: medians before and since, in milliseconds.
type historySlower struct {
	At     int    `json:"at"` // index among the runs of the command, oldest first
	X      string `json:"x"`  // position in the plot
	Before int64  `json:"before"`
	Now    int64  `json:"now"`
}

// Conditions for marking that a test became slower. They are weaker than those of recall stats for the newest run
// alone, since the page shows many runs side by side.
const (
	slowerEnds   = 3     // runs before and since, at least
	slowerTimes  = 2     // factor between the medians
	slowerLeast  = 20    // milliseconds between them: some runners print only hundredths of a second
	slowerChance = 0.001 // probability of such a change by chance, by Pettitt's approximation
)

// sinceSlower is the change of a series after which it takes much longer, or nil. Pettitt's test finds it: the run at which
// the ranks of the values before and since differ most, so that single slow runs do not matter. From there the border
// moves to the first run whose value is nearer to the median since than to the median before.
func sinceSlower(took []taken) *historySlower {
	sorted := make([]int64, len(took))
	for i, v := range took {
		sorted[i] = v.ms
	}
	slices.Sort(sorted)
	at, sum, least := 0, 0, 0
	for i, v := range took { // a value's rank, from the middle: how many are less, minus how many are more
		if sum < least && i >= slowerEnds && i <= len(took)-slowerEnds {
			at, least = i, sum
		}
		less, _ := slices.BinarySearch(sorted, v.ms)
		upTo, _ := slices.BinarySearch(sorted, v.ms+1)
		sum += less - (len(sorted) - upTo)
	}
	if at == 0 {
		return nil
	}
	before, now := medianOf(took[:at]), medianOf(took[at:])
	for between := (before + now) / 2; took[at-1].ms > between && at > slowerEnds; {
		at--
	}
	for between := (before + now) / 2; at < len(took) && took[at].ms <= between; {
		at++
	}
	n := float64(len(took))
	chance := 2 * math.Exp(-6*float64(least)*float64(least)/(n*n*n+n*n))
	if len(took)-at < slowerEnds || now < slowerTimes*before || now-before < slowerLeast || chance > slowerChance {
		return nil
	}
	return &historySlower{took[at].at, coordinate(at, len(took), plotWidth), before, now}
}

func medianOf(took []taken) int64 {
	sorted := slices.SortedFunc(slices.Values(took), func(a, b taken) int { return cmp.Compare(a.ms, b.ms) })
	return sorted[len(sorted)/2].ms
}
