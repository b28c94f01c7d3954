package outcomes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tally counts the outcomes of several tests with one id, as a JSON object with the worst
// outcome first: {"failed":1,"passed":2}. It is empty if all have the same outcome.
type Tally string

// tally is how many tests the entry stands for, by outcome, in the order of All.
func (t *Test) tally() (n [8]int) {
	if t.Came == "" {
		n[slices.Index(All, t.Outcome.Normal())] = max(1, t.Times)
		return n
	}
	rest := strings.Trim(string(t.Came), "{}")
	for rest != "" {
		var one string
		one, rest, _ = strings.Cut(rest, ",")
		key, count, _ := strings.Cut(one, ":")
		if i := slices.Index(All, Outcome(strings.Trim(key, `"`))); i >= 0 {
			n[i], _ = strconv.Atoi(count)
		}
	}
	return n
}

// add counts the tests of another entry with the same id. The entry gets the worst outcome of all.
func (t *Test) add(o *Test) {
	if t.Came == "" && o.Came == "" && t.Outcome.Normal() == o.Outcome.Normal() {
		t.Times = max(1, t.Times) + max(1, o.Times)
		return
	}
	all, more := t.tally(), o.tally()
	t.Times = 0
	var parts []string
	for i := range all {
		if all[i] += more[i]; all[i] > 0 {
			t.Times += all[i]
			parts = append(parts, fmt.Sprintf("%q:%d", All[i], all[i]))
		}
	}
	t.Outcome = worst(t.Outcome, o.Outcome)
	t.Came = ""
	if len(parts) > 1 {
		t.Came = Tally("{" + strings.Join(parts, ",") + "}")
	}
}

// Verdicts is the list with an entry for every single test: an entry that stands for several tests is repeated.
func (l List) Verdicts() List {
	apart := make(List, 0, len(l))
	for i := range l {
		t := l[i]
		if t.Times < 2 {
			apart = append(apart, t)
			continue
		}
		n := t.tally()
		t.DurationMS /= int64(t.Times)
		t.Times, t.Came = 0, ""
		for k := range n {
			t.Outcome = All[k]
			apart = append(apart, slices.Repeat(List{t}, n[k])...)
		}
	}
	return apart
}

// text is the tally for people: "1 failed, 2 passed".
func (c Tally) text() string {
	var parts []string
	t := Test{Came: c}
	for i, n := range t.tally() {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, All[i]))
		}
	}
	return strings.Join(parts, ", ")
}

// MarshalJSON writes the object.
func (c Tally) MarshalJSON() ([]byte, error) { return []byte(c), nil }

// UnmarshalJSON reads the object in any layout.
func (c *Tally) UnmarshalJSON(b []byte) error {
	var counts map[Outcome]int
	if err := json.Unmarshal(b, &counts); err != nil {
		return fmt.Errorf("reading how many tests came to what: %w", err)
	}
	*c = ""
	var all Test
	for _, o := range All {
		if n := counts[o]; n > 0 && all.Outcome == "" {
			all = Test{Outcome: o, Times: n}
		} else if n > 0 {
			all.add(&Test{Outcome: o, Times: n})
		}
	}
	*c = all.Came
	return nil
}
