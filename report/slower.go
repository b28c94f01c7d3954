package report

import (
	"cmp"
	"math"
	"slices"
)

// taken is how long a test took in one run of its command.
type taken struct {
	at int // among the runs of the command, the oldest first
	ms int64
}

// historySlower says since when a test takes much longer than before: medians, in milliseconds.
type historySlower struct {
	At     int    `json:"at"` // among the runs of the command, the oldest first
	X      string `json:"x"`  // where in the plot
	Before int64  `json:"before"`
	Now    int64  `json:"now"`
}

// What it takes to mark that a test became slower. Runs are many and side by side here, so it may be less than what recall stats
// says of the newest run alone.
const (
	slowerEnds   = 3     // runs before, and since, at the least
	slowerTimes  = 2     // the median since, of that before
	slowerLeast  = 20    // milliseconds between them: some runners tell hundredths of a second
	slowerChance = 0.001 // of such a change where nothing changed, by Pettitt's approximation
)

// sinceSlower is the change of a series after which it takes much longer, or nil. It is where Pettitt's test puts it: at the run
// where the ranks of the values before and since differ most, so that single slow runs do not move it; from there to the next
// run that is nearer to those before or since.
func sinceSlower(took []taken) *historySlower {
	sorted := make([]int64, len(took))
	for i, v := range took {
		sorted[i] = v.ms
	}
	slices.Sort(sorted)
	at, sum, least := 0, 0, 0
	for i, v := range took { // a value's rank, from the middle: how many are less, without those that are more
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
