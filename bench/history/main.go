// Command history measures questions about a long record: it generates the record of a team over two years, as
// repetitive as real ones, and runs each question with the built program in a new process, compared with grep, jq and
// git log -S on the same lines, and with sqlite3 on the lines loaded into tables.
//
//	go -C bench run ./history                      1,000,000 records
//	go -C bench run ./history -n 20000 -rounds 2   to see that it works
//	go -C bench run ./history -make DIR            only generate the records, in DIR/manifest
//
// It promises that the records are encoded by cairn's own code, from a fixed seed, and that each figure comes with the
// peak memory of its process. Times of two runs of the command cannot be compared; those in one table were measured in
// turn.
//
// What may go in: questions about generated records. What one more capture costs beside them is in bench/run.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/bench/team"
	"cairn/bench/tree"
)

type options struct {
	n, rounds  int
	makeIn     string
	cairn, dir string
	only       string
	others     bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 1_000_000, "`NUMBER` of records")
	flag.IntVar(&o.rounds, "rounds", 5, "`TIMES` that each question is asked")
	flag.StringVar(&o.makeIn, "make", "", "make the records in this `DIR` and stop")
	flag.StringVar(&o.cairn, "cairn", "", "measure this `PROGRAM` instead of building one")
	flag.StringVar(&o.dir, "dir", "", "take the records that -make left in this `DIR`")
	flag.StringVar(&o.only, "only", "", "ask the questions with this `TEXT` in their names only")
	flag.BoolVar(&o.others, "others", true, "measure grep, jq, git log -S and sqlite3 too, where they are installed")
	flag.Parse()
	tree.Enter()
	if err := run(o); err != nil {
		fmt.Fprintf(os.Stderr, "history: %v\n", err)
		os.Exit(1)
	}
}

// aTeam is the one whose records are asked about. The last day is fixed, so that equal arguments give equal records.
var aTeam = team.Team{Writers: 40, Days: 730, Last: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)}

func run(o options) error {
	if o.makeIn != "" {
		return aTeam.Write(o.makeIn, o.n)
	}
	tmp, err := os.MkdirTemp("", "cairn-history-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if o.dir == "" {
		o.dir = filepath.Join(tmp, "cairn")
		begun := time.Now()
		if err := aTeam.Write(o.dir, o.n); err != nil {
			return err
		}
		fmt.Printf("made %d records in %s\n", o.n, time.Since(begun).Round(time.Second))
	}
	return measure(o, tmp)
}
