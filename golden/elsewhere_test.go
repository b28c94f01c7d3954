package golden

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"

	"cairn/parsers"
)

// The same checkout on another machine.
const (
	otherRoot = "/srv/ci/build-7/checkout"
	otherHome = "/Users/größe"
	otherTmp  = "/var/folders/zz/x1_0000gn/T"
)

// TestElsewhere: another checkout directory, another home and another TMPDIR,
// the same findings.
func TestElsewhere(t *testing.T) {
	moved := new(tally)
	moved.ofTools(t, 0.5)
	each(t, func(t *testing.T, c Case) {
		if strings.Count(c.Root, "/") < 2 {
			t.Skip("no directory of its own")
		}
		move := strings.NewReplacer(c.Root, otherRoot, "/home/dev", otherHome, "/tmp/", otherTmp+"/").Replace
		want := asRecorded(c)
		there := rewritten(c, func(text []byte) []byte { return []byte(move(string(text))) })
		there.Root, there.Cwd, there.Cmd = otherRoot, move(c.Cwd), move(c.Cmd)
		raw := string(c.Raw())
		in := there.Input(there.Output)
		in.Workspace.Home, in.Workspace.Tmp = otherHome, otherTmp
		got := parsers.Parse(in, c.Exit)
		if fingerprints(got) != fingerprints(want) {
			t.Errorf("in %s:\n%s", otherRoot, diff(identities(want), identities(got)))
		}
		changed := 0
		if move(raw) != raw {
			changed = 1
		}
		moved.add(c, changed, 1)
	})
}

// volatile is what differs between two runs of the same thing.
var volatile = sync.OnceValue(func() (all []another) {
	for pattern, with := range map[string]string{
		`(?m)([^/])\(\d+\.\d\ds\)$`:                "$1(7.31s)",
		` in \d+\.\d\ds`:                           " in 8.42s",
		`(\t)\d+\.\d\d\ds`:                         "${1}9.531s",
		`"Elapsed":[0-9.]+`:                        `"Elapsed":4.25`,
		`"Time":"[^"]+"`:                           `"Time":"2031-02-03T04:05:06.123456789+05:30"`,
		`0x[0-9a-f]{8,}`:                           "0x7f3c25d81a40",
		`goroutine \d+ \[`:                         "goroutine 4711 [",
		`(thread '[^']*') \(\d+\)`:                 "$1 (98765)",
		`finished in \d+\.\d\ds`:                   "finished in 7.77s",
		`(target\(s\) in) [\d.]+s`:                 "$1 1m 02s",
		`(/deps/[\w-]+)-[0-9a-f]{16}`:              "$1-0123456789abcdef",
		`rustdoctest\w{6}`:                         "rustdoctestZz9aQ4",
		`\[ +\d+\.\d+s\]`:                          "[  12.345s]",
		`\[gw\d+\]`:                                "[gw7]",
		`\b20\d\d-\d\d-\d\d([T ])\d\d:\d\d:\d\d`:   "2031-02-03${1}04:05:06",
		`(localhost|127\.0\.0\.1):\d{4,5}`:         "$1:54321",
		`hostname="(?:vm|localhost|[0-9a-f]{12})"`: `hostname="runner-9"`,
		`( time=")[\d.]+"`:                         `${1}3.25"`,
		`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{12})`: "0badcafe-1234-4321-8765-$1", // what one names stays told from what another does
	} {
		all = append(all, another{regexp.MustCompile(pattern), with})
	}
	return all
})

type another struct {
	pattern *regexp.Regexp
	with    string
}

// TestAnotherDay: times, durations, addresses, ports, process, thread and
// worker numbers, hosts and random names change no fingerprint.
func TestAnotherDay(t *testing.T) {
	met, changed := new(tally), new(tally)
	changed.inTools(t, 50)
	t.Cleanup(func() {
		for _, v := range volatile() {
			if met.of[v.pattern.String()][0] == 0 && !filtered() {
				t.Errorf("no case has %s", v.pattern)
			}
		}
	})
	each(t, func(t *testing.T, c Case) {
		want := asRecorded(c)
		any := 0
		later := rewritten(c, func(text []byte) []byte {
			for _, v := range volatile() {
				if other := v.pattern.ReplaceAll(text, []byte(v.with)); !bytes.Equal(other, text) {
					text, any = other, 1
					met.add(Case{Name: v.pattern.String() + "/"}, 1, 1)
				}
			}
			return text
		})
		changed.add(c, any, 1)
		if got := parsed(later); fingerprints(got) != fingerprints(want) {
			t.Errorf("another day:\n%s", diff(identities(want), identities(got)))
		}
	})
}
