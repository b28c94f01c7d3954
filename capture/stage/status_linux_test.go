package stage

import (
	"strings"
	"sync"
	"testing"
)

// TestStatusIsKnown: however busy the machine is, of a command that the shell has waited for it is known how it
// ended, as soon as its line has ended.
func TestStatusIsKnown(t *testing.T) {
	told := tellsExits
	defer func() { tellsExits = told }()
	for line, says := range map[string]func() bool{
		"ls --no-such-option || true; seq 2":       told,
		"ls --no-such-option 2>&1 | cat; sleep 0":  told,
		"ls --no-such-option 2>&1 | tail; sleep 0": func() bool { return false }, // cairn-stage says it
	} {
		tellsExits = says
		if strings.Contains(line, "||") && !told() {
			continue // it is not known of such a command, where the kernel does not say it
		}
		var all sync.WaitGroup
		for range 12 { // at once: most of them have to wait for a processor
			all.Go(func() {
				o := run(t, "bash", line, true)
				if len(o.runs) == 0 || !o.runs[0].End().Known || o.runs[0].End().Code == 0 {
					t.Errorf("%s: of %d commands, how the first ended is not known:\n%v", line, len(o.runs), o)
				}
			})
		}
		all.Wait()
	}
}
